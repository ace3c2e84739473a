"""Asks a built site what readers ask, in a real browser, and looks at the answers.

    python3 ci site search [FOLDER]      (default: build/html)

- Each name of the list from A to Z, each name in a namespace, each instruction of PTX and the text of each error must find
  every page that holds it, in its text or its code.
- Of the questions in ci/tests/site/questions, 17 in 20 must find a page that answers them first, and 97 in 100
  among the first three; a little less is enough of the questions of one kind. Each must find something.
- To each question of the kind `absent` it must say that no page has a word of it, or all of its words.
- None of the phrases that a page names as its search words stand there twice.
- The search boxes answer as one types, by keyboard alone, on a phone, from disk, and over a slow network in time; the page
  of results is light, comes soon, and does not move what a reader looks at.

Of the questions of the kind `title`, eleven in twelve must share a word with the title of a page that answers them.

A file of questions holds those that pages of one part answer, by kind. After each stand the pages that answer it, any of
which is right, or why no page does yet:

    [lookup]
    "block size" = ["programming/simt_kernels/occupancy", "programming/cuda_cpp/thread_indexing"]
    "textures" = "no page yet"
"""

import argparse
import itertools
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Annotated, Any, Literal, get_args
from urllib.parse import quote_plus

from playwright.sync_api import Browser, Page, TimeoutError

from lockstep import data, page_fields
from lockstep.files import ROOT
from lockstep.site import speed
from lockstep.site.browser import WIDTHS, accessibility, chromium
from lockstep.site.links import pages
from lockstep.site.search_index import NAMES, OPCODES, PAGES, SKIPPED, STOP, stem
from lockstep.site.server import serve

QUESTIONS = ROOT / "ci/tests/site/questions"  # a folder
Kind = Literal["title", "lookup", "concept", "symptom", "forum", "error", "api", "guide", "absent"]
KINDS = get_args(Kind)
ERROR_TEXTS = ROOT / "programs/reference/errors/texts/all_error_texts.console"
FIRST, FIRST_THREE = 0.85, 0.97  # of the questions: a right page comes first; a right page is among the first three
FIRST_OF_KIND, FIRST_THREE_OF_KIND = 0.70, 0.90  # the same of each kind, so that none hides among the others
TITLED = 11 / 12  # of the questions that a title should answer share a word with one
FIRST_RESULT_MS = 1_300  # from the first key, on a slow phone
LOADED_BYTES = 40_000  # compressed, from the first key to the first result
RESULTS_BYTES, RESULTS_REQUESTS = 80 * 1024, 22  # of the page of results, all of it
RESULTS_MS = 1_800  # until its largest part is drawn (LCP), on a slow phone
RESULTS_SHIFT = 0.01  # how far it moves while it loads (CLS)
WAIT_MS = 5_000
SETTLE_MS = 400
EXTRA = ("cuda::barrier", "cg::this_grid", "cub::DeviceReduce", "wmma::mma_sync", "cp.async.bulk")

_SPACED = re.compile(r"(?<![\w:])(?:cuda|cg|cub|ptx|wmma|thrust|nvcuda|cooperative_groups)(?:::[A-Za-z_]\w*)+")
_PTX = re.compile(rf"(?<![\w.])(?:{'|'.join(sorted(OPCODES))})(?:\.[a-z]\w+)+")
_ERROR = re.compile(r"^ *\d+ \w+\n    (\S.*)$", re.M)  # the code and name of an error, and under them its text
_BESIDE = re.compile(
    r'<div class="lockstep-definitions"|<div class="lockstep-index" data-search-ignore'
)  # at a page's end
_LISTED = re.compile(r'<dt id="api-[^"]*">(.*?)</dt>', re.S)
_IGNORED = re.compile(r"<details[^>]* data-search-ignore.*?</details>", re.S)  # what another page shows as its own
_INLINE = re.compile(r"</?(?:a|abbr|b|code|em|i|kbd|mark|small|span|strong|sub|sup|wbr)\b(?:\"[^\"]*\"|[^<>\"])*>")
_MARK = re.compile(r"<(?:\"[^\"]*\"|[^<>\"])*>")


@dataclass(frozen=True)
class Question:
    """What a reader types, and the pages that answer it."""

    ask: str
    kind: str
    pages: tuple[str, ...]
    pending: str  # why no page answers it yet; then it must find something, and no more is asked of it


Answer = Annotated[list[data.Text], data.Rule("a list of the pages that answer it", bool)] | data.Text


def questions(folder: Path = QUESTIONS) -> list[Question]:
    """The questions of all files.

    :raises data.DataError: where a file does not hold what it must
    """
    return [
        Question(ask, kind, (), answer) if isinstance(answer, str) else Question(ask, kind, tuple(answer), "")
        for path in sorted(folder.glob("*.toml"))
        for kind, asked in data.read(path, dict[Kind, dict[str, Answer]], ROOT).items()
        for ask, answer in asked.items()
    ]


# ---------------------------------------------------------------------------------------------------------------------
# What a site holds


def texts(folder: Path) -> dict[str, str]:
    """For each page its text, as this check understands it: the index is made in another way."""
    found = {}
    for path in pages(folder):
        address = path.relative_to(folder).as_posix()
        if address in SKIPPED:
            continue
        html = path.read_text(encoding="utf-8")
        body = _BESIDE.split(html[html.find("<article") :].partition("</article>")[0])[0]
        found[address] = " ".join(unescape(_MARK.sub(" ", _INLINE.sub("", _IGNORED.sub("", body)))).split())
    return found


def names(folder: Path, held: dict[str, str]) -> list[str]:
    """All names that must be found wherever they stand."""
    lists = [path.read_text(encoding="utf-8") for path in sorted((folder / NAMES).glob("*.html"))]
    listed = {unescape(_MARK.sub("", row)).strip() for html in lists for row in _LISTED.findall(html)}
    for text in held.values():
        listed |= {name for pattern in (_SPACED, _PTX) for name in pattern.findall(text)}
    return sorted(listed)


def error_texts(path: Path = ERROR_TEXTS) -> list[str]:
    """The texts of errors, as the runtime gave them when they were recorded."""
    return _ERROR.findall(path.read_text(encoding="utf-8"))


def holders(name: str, held: dict[str, str]) -> set[str]:
    """The pages that hold a name as a word of its own."""
    word = re.compile(rf"(?<![\w]){re.escape(name)}(?![\w])")
    return {address for address, text in held.items() if name in text and word.search(text)}


# ---------------------------------------------------------------------------------------------------------------------
# What the search answers

ASK = """async (asked) => {
  const root = new URL(".", location).href;
  const answers = [];
  for (const text of asked) {
    const found = await lockstepSearch.find(text);
    const results = await Promise.all(found.map(({ entry }) => lockstepSearch.describe({ entry, section: 0 })));
    const named = results.map(({ href, title }) => [decodeURI(href.slice(root.length)).split("#")[0], title]);
    answers.push([named, found.missing, found.apart]);
  }
  return answers;
}"""


class Found(list[tuple[str, str]]):
    """The pages found, best first, each once, with the titles of what was found there.

    `missing`: words that no page has; `apart`: no page has all the others.
    """

    missing: list[str]
    apart: bool


def answers(browser: Browser, base: str, asked: list[str]) -> dict[str, Found]:
    """What the search answers to each query."""
    page = browser.new_page()
    page.goto(base + "search.html")
    page.wait_for_function("globalThis.lockstepSearch !== undefined")
    found: dict[str, Found] = {}
    for text, (results, missing, apart) in zip(asked, page.evaluate(ASK, asked), strict=True):
        distinct: dict[str, str] = {}
        for address, title in results:
            distinct.setdefault(address, title)
        found[text] = Found(distinct.items())
        found[text].missing, found[text].apart = missing, apart
    page.close()
    return found


def name_findings(held: dict[str, str], found: Mapping[str, list[tuple[str, str]]]) -> list[str]:
    """One line for each name that does not find all pages that hold it."""
    lines = []
    for name, results in found.items():
        wanted = holders(name, held)
        if missed := sorted(wanted - {address for address, _ in results}):
            lines.append(
                f"search: {name} finds {len(wanted) - len(missed)} of {len(wanted)} pages, and not {missed[0]}"
            )
    return lines


def repeated_words(said: Mapping[str, tuple[str, ...]]) -> list[str]:
    """One line for each phrase that a page names twice among its search words."""
    return [
        f"docs/{page}.rst:1: :search-words: says “{text}” twice; remove one"
        for page, phrases in said.items()
        for text, count in Counter(map(str.lower, phrases)).items()
        if count > 1
    ]


def place(question: Question, results: list[tuple[str, str]]) -> int | None:
    """How many pages come before the first right one."""
    right = {f"{page}.html" for page in question.pages}
    return next((at for at, (address, _) in enumerate(results) if address in right), None)


def question_findings(asked: list[Question], found: Mapping[str, Found]) -> tuple[list[str], list[str]]:
    """What is below a floor, and a report. To one that no page answers, the search may say which word no page has."""
    lines = [
        f"search: nothing is found for “{q.ask}”"
        for q in asked
        if not found[q.ask] and not (q.pending and found[q.ask].missing)
    ]
    lines += [
        f"search: does not say that no page answers “{q.ask}”"
        for q in asked
        if q.kind == "absent" and not (found[q.ask].missing or found[q.ask].apart)
    ]
    counted = [q for q in asked if not q.pending]
    places = {q.ask: place(q, found[q.ask]) for q in counted}
    report = []
    for share, most, what in ((FIRST, 0, "first"), (FIRST_THREE, 2, "among the first three")):
        hits = _hits(places.values(), most)
        text = f"{hits} of {len(counted)} questions find a page that answers them {what}"
        report.append(text)
        if hits < share * len(counted):
            lines.append(f"search: {text}, below {share:.0%}")
    for kind in sorted({q.kind for q in counted}):
        of_kind = [places[q.ask] for q in counted if q.kind == kind]
        first, three, count = _hits(of_kind, 0), _hits(of_kind, 2), len(of_kind)
        report.append(f"  {kind:8} {count:4} questions: {first / count:4.0%} first, {three / count:4.0%} among three")
        if first < FIRST_OF_KIND * count or three < FIRST_THREE_OF_KIND * count:
            lines.append(
                f"search: of {count} questions of the kind {kind}, {first / count:.0%} find a page that answers them first "
                f"and {three / count:.0%} among three, below {FIRST_OF_KIND:.0%} or {FIRST_THREE_OF_KIND:.0%}"
            )
    late = [q for q in counted if (at := places[q.ask]) is None or at > 2]
    report += [f"  not among the first three: “{q.ask}”; first is {_first(found[q.ask])}" for q in late]
    return lines, report


def _hits(places: Iterable[int | None], most: int) -> int:
    """How many questions find a right page after at most so many others."""
    return sum(at is not None and at <= most for at in places)


def _first(results: list[tuple[str, str]]) -> str:
    return results[0][0] if results else "nothing"


def key_words(text: str) -> set[str]:
    """The words of a text that say something, as the search compares them."""
    return {stem(word.strip("_")) for word in re.findall(r"\w+", text.lower())} - STOP - {""}


def title_findings(folder: Path, asked: list[Question]) -> tuple[list[str], list[str]]:
    """What is wrong where too few questions share a word with the title of a page that answers them; and a report."""
    missed = []
    titled = [question for question in asked if question.kind == "title" and not question.pending]
    for question in titled:
        titles = [title(folder / f"{page}.html") for page in question.pages]
        if not any(key_words(question.ask) & key_words(text) for text in titles):
            missed.append(f"  no title: “{question.ask}”; {'; '.join(filter(None, titles))}")
    said = f"{len(titled) - len(missed)} of {len(titled)} questions share a word with a title that should answer them"
    few = len(titled) - len(missed) < TITLED * len(titled)
    return [f"search: {said}; name pages by what is asked"] * few, [said, *missed]


def title(path: Path) -> str:
    """The title of a page; nothing if there is no such page."""
    found = re.search(r"<h1>(.*?)</h1>", path.read_text(encoding="utf-8"), re.S) if path.exists() else None
    return unescape(_MARK.sub("", found[1])).rstrip("¶") if found else ""


# ---------------------------------------------------------------------------------------------------------------------
# What a reader does


@contextmanager
def opened(browser: Browser, address: str, width: int = WIDTHS[0], **options: Any) -> Iterator[Page]:
    """A page in a window of its own."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)
    page = context.new_page()
    try:
        page.goto(address)
        yield page
    finally:
        context.close()


OPTION = ".search-list:not([hidden]) [role=option]"


def typed(page: Page, text: str) -> bool:
    """Types into the search box that `/` opens; whether results come."""
    page.keyboard.press("/")
    page.keyboard.type(text, delay=20)
    try:
        page.locator(OPTION).first.wait_for(timeout=WAIT_MS)
    except TimeoutError:
        return False
    page.wait_for_timeout(SETTLE_MS)  # what was found for the first letters has been replaced by then
    return True


def box_works(browser: Browser, address: str, width: int) -> list[str]:
    """Uses the search box of a page by keyboard alone."""
    where = f"search box ({width} px)"
    with opened(browser, address, width) as page:
        box = page.locator("input[role=combobox]:visible")
        if box.count() != 1:
            return [f"{where}: {box.count()} are visible, and not 1"]
        if not typed(page, "kernel"):
            return [f"{where}: nothing comes as one types"]
        found = [f"{where}: {text}" for text in accessibility(page)]
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        chosen = page.locator(f"{OPTION}[aria-selected=true]")
        if chosen.count() != 1 or box.get_attribute("aria-activedescendant") != page.locator(
            OPTION
        ).first.get_attribute("id"):
            return [*found, f"{where}: the arrow keys do not choose a result"]
        if outline(page) == "none":
            found.append(f"{where}: its focus is not visible")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{where}: its results scroll sideways")
        found += [f"{where}: the results show no part or chapter"] if not page.locator(".search-way").count() else []
        target = chosen.get_attribute("href")
        page.keyboard.press("Escape")
        if page.locator(OPTION).count():
            found.append(f"{where}: Escape does not close the list")
        page.keyboard.press("ArrowDown")
        page.locator(OPTION).first.wait_for(timeout=WAIT_MS)
        page.keyboard.press("ArrowDown")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        if page.url != target:
            found.append(f"{where}: Enter leads to {page.url}, and not to {target}")
    return found


def outline(page: Page) -> str:
    """How the element that has the focus is outlined."""
    style: str = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    return style


def page_works(browser: Browser, address: str) -> list[str]:
    """Sends a query from the box to the search page, and goes on there."""
    with opened(browser, address) as page:
        page.locator("input[role=combobox]:visible").fill("kernel")
        page.keyboard.press("Enter")
        first = page.locator(".search-results > li > a").first
        try:
            first.wait_for(timeout=WAIT_MS)
            page.wait_for_function("document.activeElement.matches('.search-results a')", timeout=WAIT_MS)
        except TimeoutError:
            return ["search page: the focus does not come to the first result"]
        found = [f"search page: {text}" for text in accessibility(page)]
        if not page.locator(".search-results mark").count():
            found.append("search page: no words around what was found")
        page.locator(".search-form input").fill("qqxxzzy")
        try:
            page.locator(".search-status", has_text="No page has “qqxxzzy”").wait_for(timeout=WAIT_MS)
        except TimeoutError:
            found.append("search page: does not say that nothing is found")
    return found


def works_without_scripts(browser: Browser, address: str) -> list[str]:
    """Sends a query where no script runs: the search page must lead on."""
    with opened(browser, address, java_script_enabled=False) as page:
        page.locator("input[name=q]:visible").fill("kernel")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        links = page.locator("[role=main] noscript a").count()
    return [] if links else ["search: without JavaScript, nothing leads on"]


def works_from_disk(browser: Browser, folder: Path) -> list[str]:
    """Searches a site that no server serves."""
    with opened(browser, (folder / "index.html").resolve().as_uri()) as page:
        if not typed(page, "kernel"):
            return ["search: from disk, nothing is found"]
        page.keyboard.press("Enter")
        try:
            page.locator(".search-results mark").first.wait_for(timeout=WAIT_MS)
        except TimeoutError:
            return ["search: from disk, the search page shows nothing"]
    return []


TIMER = """() => {
  const box = document.querySelector("input[role=combobox]:focus");
  box.addEventListener("input", () => (globalThis.began ??= performance.now()));
  new MutationObserver(() => {
    if (!document.querySelector(".search-list:not([hidden]) [role=option]")) return;
    requestAnimationFrame(() => (globalThis.ended ??= performance.now()));
  }).observe(box.form, { subtree: true, childList: true, attributes: true });
}"""


def first_result(browser: Browser, address: str, text: str) -> tuple[float, int]:
    """Milliseconds and bytes from the first key to the first result on a slow network; nothing was loaded before."""
    with opened(browser, address) as page:
        network = speed.slow_down(page)
        sizes: list[int] = []
        network.on("Network.loadingFinished", lambda event: sizes.append(round(event["encodedDataLength"])))
        page.locator("input[role=combobox]:visible").focus()
        page.evaluate(TIMER)
        page.keyboard.type(text)
        try:
            page.wait_for_function("globalThis.ended !== undefined", timeout=WAIT_MS)
        except TimeoutError:
            return WAIT_MS, sum(sizes)
        return page.evaluate("ended - began"), sum(sizes)


def in_time(
    browser: Browser, address: str, texts: tuple[str, ...] = ("bank", "cudaMalloc", "warp")
) -> tuple[list[str], str]:
    """Whether the first result comes soon on a slow network: the median of three, on a busy machine of the best three."""
    asked = itertools.cycle(texts)

    def time_of(runs: list[tuple[float, int]]) -> float:
        return speed.middle(time for time, _ in runs)

    runs = speed.repeated(
        lambda: first_result(browser, address, next(asked)),
        len(texts),
        lambda runs: time_of(runs) > FIRST_RESULT_MS,
    )
    time, size = time_of(runs), max(size for _, size in runs)
    found = []
    if time > FIRST_RESULT_MS:
        found.append(f"search: the first result comes after {time:.0f} ms on a slow network, over {FIRST_RESULT_MS}")
    if size > LOADED_BYTES:
        found.append(f"search: the first result loads {size} bytes, over {LOADED_BYTES}")
    return found, f"first result on a slow network after {time:.0f} ms, with {size} bytes at most"


SHIFTS = """globalThis.lockstepShift = 0;
new PerformanceObserver((list) => { for (const { value } of list.getEntries()) lockstepShift += value; })
  .observe({ type: "layout-shift", buffered: true });"""


def results_drawn(browser: Browser, base: str, text: str) -> tuple[int, int, float, float]:
    """Bytes and files of the page of results on a slow phone, milliseconds until it is drawn, and how far it moves."""
    with speed.phone(browser) as page:
        network = speed.slow_down(page)
        sizes: list[int] = []
        network.on("Network.loadingFinished", lambda event: sizes.append(round(event["encodedDataLength"])))
        page.add_init_script(speed.OBSERVE + SHIFTS)
        page.goto(f"{base}search.html?q={quote_plus(text)}", wait_until="load")
        page.locator(".search-results > li").first.wait_for(timeout=WAIT_MS)
        page.wait_for_timeout(SETTLE_MS)
        paint, _ = page.evaluate(speed.READ)
        return sum(sizes), len(sizes), paint, page.evaluate("lockstepShift")


def results_in_time(
    browser: Browser, base: str, texts: tuple[str, ...] = ("bank conflicts", "how to time a kernel", "softmax kernel")
) -> tuple[list[str], str]:
    """Whether the page of results is light, comes soon on a slow phone, and lies still; and what it took at most."""
    asked = itertools.cycle(texts)
    runs = speed.repeated(
        lambda: results_drawn(browser, base, next(asked)),
        len(texts),
        lambda runs: speed.middle(run[2] for run in runs) > RESULTS_MS,
    )
    # On a busy machine files may come in an order that no reader sees: a page that moves is loaded once more.
    runs = [
        run if run[3] <= RESULTS_SHIFT else results_drawn(browser, base, text)
        for run, text in zip(runs, itertools.cycle(texts), strict=False)
    ]
    size, requests, _, shift = (max(figures) for figures in zip(*runs, strict=True))
    paint = speed.middle(run[2] for run in runs)
    found = [
        f"search page: {what}, over {most}"
        for value, most, what in (
            (size, RESULTS_BYTES, f"loads {size} bytes"),
            (requests, RESULTS_REQUESTS, f"loads {requests} files"),
            (paint, RESULTS_MS, f"its largest part is drawn after {paint:.0f} ms on a slow phone"),
            (shift, RESULTS_SHIFT, f"moves by {shift:.3f} while it loads"),
        )
        if value > most
    ]
    return found, f"page of results: {size} bytes in {requests} files at most, drawn after {paint:.0f} ms"


def deep_page(folder: Path) -> str:
    """A page in a folder of a folder, so that addresses are put to the test; else the front page."""
    deep = (path.relative_to(folder).as_posix() for path in pages(folder))
    return next((name for name in deep if name.count("/") > 1), "index.html")


def behavior(browser: Browser, base: str, folder: Path) -> list[str]:
    """All that a reader does, once."""
    address = base + deep_page(folder)
    found = [text for width in WIDTHS for text in box_works(browser, address, width)]
    found += page_works(browser, address)
    found += works_without_scripts(browser, address)
    found += works_from_disk(browser, folder)
    with opened(browser, base + "no/such/page.html") as page:
        found += [] if typed(page, "kernel") else ["404 page: its search box finds nothing"]
    return found


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site search", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build/html")
    parser.add_argument("--json", type=Path, help="write what each question found there")
    folder: Path = (options := parser.parse_args(argv)).folder
    if not (folder / "_search/search.js").exists():
        print(f"search: no index in {folder}; run `make html` first", file=sys.stderr)
        return 2
    asked, held = questions(), texts(folder)
    listed = sorted({*names(folder, held), *EXTRA, *error_texts()})
    with serve(folder) as base, chromium() as browser:
        found_names = answers(browser, base, listed)
        found = answers(browser, base, [question.ask for question in asked])
        late, timing = in_time(browser, base + deep_page(folder))
        heavy, weight = results_in_time(browser, base)
        lines = behavior(browser, base, folder)
    missed, report = question_findings(asked, found)
    lines += [
        *repeated_words(page_fields.all_search_words(PAGES)),
        *name_findings(held, found_names),
        *missed,
        *late,
        *heavy,
    ]
    if options.json:
        options.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    untitled, titles = title_findings(folder, asked)
    lines += untitled
    print("\n".join([*report, *titles, timing, weight]))
    print(
        "\n".join(lines) or f"{len(listed)} names and texts of errors find all pages that hold them; the search passes"
    )
    return 1 if lines else 0
