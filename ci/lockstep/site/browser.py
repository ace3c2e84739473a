"""Opens the pages of a built site in a real browser: accessibility, errors, layout, weight, behavior.

    python3 ci site browser [--jobs N] [--all] [FOLDER]      (default: build/html)

All chapter pages are opened, and a sample of the pages of programs, which are made alike; with --all every one. Each is
looked at as wide as a desktop's and as a phone's, one in light and one in dark, which of them its name decides. Those in
speed.py are also measured on a slow phone. What passed is kept by its content (lockstep.cache) and not opened another time;
what a reader does is tried in any case. Chromium is Debian's; CHROMIUM names another.
"""

import argparse
import json
import os
import statistics
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urljoin

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]  # it brings no types
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request, Response, sync_playwright

from lockstep import cache
from lockstep.content import content, digest
from lockstep.files import ROOT
from lockstep.site import emulator_browser, explore_browser, listing_browser, paper, reading, speed
from lockstep.site.links import pages
from lockstep.site.server import serve

Theme = Literal["light", "dark"]
WIDTHS = (1280, 390)
THEMES: tuple[Theme, Theme] = ("light", "dark")
LOOKS = tuple(tuple(zip(WIDTHS, themes, strict=True)) for themes in (THEMES, THEMES[::-1]))
SAMPLE = 40  # pages of programs that are opened
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
MORE_RULES = ("landmark-unique",)  # beyond WCAG: parts of a page that a screen reader lists have names of their own

# Budgets: a page that breaks one is split, or loads less.
MAX_PAGE_BYTES = 90_000  # first visit, compressed, without images
MAX_REQUESTS = 12  # first visit, without images
MAX_HTML_BYTES = 300_000
MAX_MEDIAN_NODES = 3_000
MAX_OWN_SCRIPT_BYTES = 20_000
MAX_EMULATOR_SCRIPT_BYTES = 23_000  # loaded when a program is first run
MAX_STEPS_SCRIPT_BYTES = 28_000  # loaded when a program is first stepped
MAX_SEARCH_SCRIPT_BYTES = 33_000  # loaded when a search box is first used
MAX_COURSE_SCRIPT_BYTES = 5_000  # of predictions, and of the paths of the course; on the pages that have them
MAX_PLACE_SCRIPT_BYTES = 5_000  # loaded on the page where a reader sets what the browser keeps
MAX_EXPLORE_SCRIPT_BYTES = 20_000  # of all calculators; one is loaded when it is about to be seen
MAX_COMPARE_SCRIPT_BYTES = 42_000  # loaded when a reader compares an own GPU


@dataclass
class Load:
    """What a page fetched and complained of since it was opened."""

    base: str
    page: Page
    bytes: int = 0
    requests: int = 0
    complaints: list[str] = field(default_factory=list)

    def __enter__(self) -> "Load":
        self.page.on("console", self._console)
        self.page.on("pageerror", self._error)
        self.page.on("requestfinished", self._finished)
        self.page.on("request", self._request)
        return self

    def __exit__(self, *_: object) -> None:
        self.page.remove_listener("console", self._console)
        self.page.remove_listener("pageerror", self._error)
        self.page.remove_listener("requestfinished", self._finished)
        self.page.remove_listener("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"console {message.type}: {message.text}")

    def _error(self, error: Error) -> None:
        self.complaints.append(f"script error: {error}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.complaints.append(f"asks another host: {request.url}; the site must stand alone")

    def _finished(self, request: Request) -> None:
        if request.url.startswith(self.base) and request.resource_type != "image":
            sizes = request.sizes()
            self.requests += 1
            self.bytes += sizes["responseBodySize"] + sizes["responseHeadersSize"]


@dataclass
class Report:
    """What one page showed."""

    findings: list[str]
    nodes: int
    bytes: int = 0


def executable() -> str:
    """The browser's command."""
    return os.environ.get("CHROMIUM", "/usr/bin/chromium")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless browser. It opens nothing but our own pages, so it may go without a sandbox."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        try:
            yield browser
        finally:
            browser.close()


def accessibility(page: Page) -> list[str]:
    """What axe finds against WCAG 2.2 AA and a rule beyond, one line each with the first place."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    rules = {name: {"enabled": True} for name in MORE_RULES}
    options = {"runOnly": {"type": "tag", "values": WCAG}, "rules": rules, "resultTypes": ["violations"]}
    found: list[str] = page.evaluate(INSPECT, options)
    return found


# Most of the time goes into the colors of code. Words of one kind look alike in a block, so the first stands for all.
INSPECT = """async (options) => {
  const seen = new Set();
  for (const word of document.querySelectorAll(".highlight span:not(:has(*), [style])")) {
    const look = [word, word.parentElement, word.closest(".highlight").parentElement].map((e) => e.className).join("|");
    if (seen.has(look)) word.dataset.seen = "";
    seen.add(look);
  }
  const { violations } = await axe.run({include: [["html"]], exclude: [["[data-seen]"]]}, options);
  return violations.map(({id, help, nodes}) =>
    `axe ${id}: ${help}, ${nodes.length} times, first at ${nodes[0].target.join(" ")}`);
}"""


@contextmanager
def window(browser: Browser) -> Iterator[Page]:
    """A page to open others in, each as on a first visit: it keeps no copies of files."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    try:
        yield page
    finally:
        context.close()


def visit(page: Page, base: str, name: str, looks: tuple[tuple[int, Theme], ...] = LOOKS[0]) -> Report:
    """Opens one page of a site, and looks at it at these widths and in these themes."""
    findings = []
    look(page, *looks[0])
    with Load(base, page) as load:
        page.goto(base + name, wait_until="load")
        page.wait_for_load_state("networkidle")  # takes half a second, and counts what comes late
        findings += weight(name, load)
        size = load.bytes
        for width, theme in looks:
            look(page, width, theme)
            found = accessibility(page)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append(f"scrolls sideways: {page.evaluate(WIDEST)} is too wide")
            findings += [f"{name} ({width} px, {theme}): {text}" for text in found]
        findings += [f"{name} ({listing_browser.WIDE} px): {text}" for text in listing_browser.scrolling(page)]
    findings += [f"{name}: {text}" for text in load.complaints]
    return Report(findings, page.evaluate("document.querySelectorAll('*').length"), size)


def look(page: Page, width: int, theme: Theme) -> None:
    """Makes the page so wide and so colored, and waits until its scripts have heard of it."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


WIDEST = """() => {
  const boxes = [...document.querySelectorAll("body *")].map((e) => [e.getBoundingClientRect().right, e]);
  const [, e] = boxes.reduce((a, b) => (b[0] > a[0] ? b : a));
  return e.tagName.toLowerCase() + (e.id && "#" + e.id) + (e.classList.length ? "." + [...e.classList].join(".") : "");
}"""


def weight(name: str, load: Load) -> list[str]:
    """Whether a first visit stays within its budget."""
    found = []
    if load.bytes > MAX_PAGE_BYTES:
        found.append(f"{name}: a first visit loads {load.bytes} bytes, over {MAX_PAGE_BYTES}; split the page")
    if load.requests > MAX_REQUESTS:
        found.append(f"{name}: a first visit makes {load.requests} requests, over {MAX_REQUESTS}; load fewer files")
    return found


def static_weight(folder: Path) -> list[str]:
    """Budgets that need no browser: raw pages, and the scripts that this project wrote."""
    found = []
    for path in pages(folder):
        name, size = path.relative_to(folder).as_posix(), path.stat().st_size
        if size > MAX_HTML_BYTES:
            found.append(f"{name}: {size} bytes of HTML, over {MAX_HTML_BYTES}; split the page")
    scripts = [*(ROOT / "docs/_static").glob("**/*.js"), *(ROOT / "docs/_ext").glob("**/*.js")]
    late = {
        name: [path for path in scripts if path.parent.name == name]
        for name in ("emulator", "search", "place", "compare", "explore", "course")
    }
    steps = [path for path in late["emulator"] if path.name in ("steps.js", "trace.js")]
    for name, paths, most in (
        ("own scripts", set(scripts).difference(*late.values()), MAX_OWN_SCRIPT_BYTES),
        ("the emulator's scripts", set(late["emulator"]).difference(steps), MAX_EMULATOR_SCRIPT_BYTES),
        ("the step view's scripts", steps, MAX_STEPS_SCRIPT_BYTES),
        ("the search's scripts", late["search"], MAX_SEARCH_SCRIPT_BYTES),
        ("the course's scripts", late["course"], MAX_COURSE_SCRIPT_BYTES),
        ("the settings' scripts", late["place"], MAX_PLACE_SCRIPT_BYTES),
        ("the comparison's scripts", late["compare"], MAX_COMPARE_SCRIPT_BYTES),
        ("the calculators' scripts", late["explore"], MAX_EXPLORE_SCRIPT_BYTES),
    ):
        total = sum(path.stat().st_size for path in paths)
        if total > most:
            found.append(f"{name}: {total} bytes, over {most}")
    return found


def median_nodes(reports: list[Report]) -> list[str]:
    """Whether the pages are of bearable size to a browser."""
    median = statistics.median(report.nodes for report in reports)
    return [f"median page: {median:.0f} elements, over {MAX_MEDIAN_NODES}"] if median > MAX_MEDIAN_NODES else []


# ---------------------------------------------------------------------------------------------------------------------
# What a reader does


def copy_leaves_prompts_out(browser: Browser, base: str, name: str) -> list[str]:
    """Presses the copy button of a terminal session and reads the clipboard."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(base + name)
    page.evaluate("document.querySelectorAll('details').forEach((box) => (box.open = true))")
    session = page.locator("div.highlight", has=page.locator("pre", has_text="$ ")).first
    button = session.locator("button", has_text="Copy")
    if session.count() == 0 or button.count() == 0:
        context.close()
        return [f"copy: {name} has no terminal session with a copy button"]
    typed = [line[2:] for line in (session.locator("pre").text_content() or "").splitlines() if line.startswith("$ ")]
    button.first.click()
    page.wait_for_timeout(100)
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    context.close()
    return [] if copied == typed else [f"copy: {name} copies {copied}, not the commands {typed}"]


def theme_toggles(browser: Browser, base: str, name: str = "") -> list[str]:
    """Presses the theme button until the page is dark, and expects that to last."""
    context = browser.new_context(viewport={"width": WIDTHS[0], "height": 900}, color_scheme="light")
    page = context.new_page()
    page.goto(base + name)
    color = "getComputedStyle(document.body).backgroundColor"
    light, seen = page.evaluate(color), []
    for _ in range(3):
        page.locator(".theme-toggle:visible").first.click()
        seen.append(page.evaluate(color))
        if seen[-1] != light:
            break
    page.reload()
    kept = page.evaluate(color)
    context.close()
    if seen[-1] == light:
        return ["theme: the theme button does not darken the page"]
    return [] if kept == seen[-1] else ["theme: the choice is forgotten on the next page"]


def unknown_address_is_answered(browser: Browser, base: str) -> list[str]:
    """Asks for a page that is not there, deep in the site: the 404 page must come with its looks."""
    context = browser.new_context()
    page = context.new_page()
    failed: list[str] = []

    def answered(response: Response) -> None:
        if response.status >= 400 and response.request.resource_type != "document":
            failed.append(response.url)

    page.on("response", answered)
    response = page.goto(base + "no/such/page.html")
    home = page.locator("[role=main] a:not(.headerlink)").first
    found = [f"404 page: {url} does not load" for url in failed]
    if response is None or response.status != 404 or home.count() == 0:
        found.append("404 page: there is none that leads home")
    elif page.request.get(urljoin(page.url, home.get_attribute("href"))).status != 200:
        found.append("404 page: its link leads nowhere")
    context.close()
    return found


def first_session(folder: Path) -> str:
    """The first page that shows a terminal session."""
    for path in pages(folder):
        if 'class="gp"' in path.read_text(encoding="utf-8"):
            return str(path.relative_to(folder))
    return "index.html"


def behavior(browser: Browser, base: str, folder: Path) -> list[str]:
    """All that a reader does, once."""
    deeds: list[Callable[[], list[str]]] = [
        lambda: copy_leaves_prompts_out(browser, base, first_session(folder)),
        lambda: theme_toggles(browser, base),
        lambda: unknown_address_is_answered(browser, base),
        lambda: listing_browser.findings(browser, base, folder),
        lambda: paper.findings(browser, base, folder),
        lambda: reading.findings(browser, base, folder),
        lambda: explore_browser.findings(browser, base, folder),
        lambda: emulator_browser.findings(browser, base, folder, accessibility),
    ]
    return [text for deed in deeds for text in deed()]


# ---------------------------------------------------------------------------------------------------------------------


def sample(names: list[str]) -> list[str]:
    """All pages but those of programs, and of these the measured ones, and SAMPLE that a digest of their names chooses."""
    programs = sorted((name for name in names if name.startswith("programs/")), key=lambda name: digest([name]))
    left_out = set(programs[SAMPLE:]).difference(speed.PAGES)
    return [name for name in names if name not in left_out]


def page_keys(folder: Path, names: list[str]) -> dict[str, str]:
    """Digests of all that decides what a browser finds: a page, what it loads, what looks at it."""
    tools = content(ROOT, ["ci/lockstep/site", "ci/requirements.txt"])
    shared = digest([tools, cache.version(executable()), content(folder, ["_static"])])
    return {name: digest([shared, name, (folder / name).read_bytes()]) for name in names}


def passed(keys: dict[str, str]) -> dict[str, Report]:
    """The reports of pages that passed before."""
    known = {name: cache.get("pages", key) for name, key in keys.items()}
    return {name: Report([], *json.loads(report)) for name, report in known.items() if report}


def keep(keys: dict[str, str], reports: dict[str, Report], slow: list[str]) -> None:
    """Keeps the reports of pages that pass; of the measured ones none if any was `slow`."""
    for name, report in reports.items():
        if not report.findings and not (slow and name in speed.PAGES):
            cache.put("pages", keys[name], json.dumps([report.nodes, report.bytes]).encode())


def visit_all(base: str, names: list[str]) -> list[Report]:
    with chromium() as browser, window(browser) as page:
        return [visit(page, base, name, LOOKS[int(digest([name]), 16) % 2]) for name in names]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site browser", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build/html")
    # One more than there are cores: each waits half a second a page for what comes late.
    parser.add_argument("--jobs", type=int, default=min((os.cpu_count() or 1) + 1, 8))
    parser.add_argument("--all", action="store_true", help="open the pages of all programs")
    options = parser.parse_args(argv)
    everything = [str(path.relative_to(options.folder)) for path in pages(options.folder)]
    names = everything if options.all else sample(everything)
    if not names:
        print(f"browser: no pages in {options.folder}; run `make html` first", file=sys.stderr)
        return 2
    found = static_weight(options.folder)
    keys = page_keys(options.folder, names)
    reports = passed(keys)
    due = [name for name in names if name not in reports]
    with serve(options.folder) as base, ProcessPoolExecutor(options.jobs) as pool:
        shares = [due[job :: options.jobs] for job in range(min(options.jobs, len(due)))]
        for share, visited in zip(shares, pool.map(visit_all, [base] * len(shares), shares), strict=True):
            reports |= zip(share, visited, strict=True)
        with chromium() as browser:
            found += behavior(browser, base, options.folder)
            slow = speed.findings(browser, base, due, everything)
    keep(keys, reports, slow)
    found += [*slow, *(text for report in reports.values() for text in report.findings)]
    if options.all:
        found += median_nodes(list(reports.values()))
        found += speed.mostly_light([report.bytes for report in reports.values()])
    print(
        "\n".join(found)
        or f"{len(names)} of {len(everything)} pages pass at both widths and in both themes, {len(names) - len(due)} of them known"
    )
    return 1 if found else 0
