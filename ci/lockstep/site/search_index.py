"""Makes the search index of a built site, as script files, so that a page opened from disk can search, too.

    python3 ci site search-index [FOLDER]      (default: build/html)

It reads the finished pages, since they hold what a reader sees: text, code, outputs, lists that were filled in. What
readers type and the pages say in other words stands at the top of their sources. What it writes stands in FOLDER/_search:

- `search.js` is the search itself, from docs/_ext/lockstep_sphinx/search, and a table of what can be found: pages, terms
  of the glossary;
- `<version>/rows/<n>.js` go on with that table: names of CUDA, programs;
- `<version>/<n>.js` are shards: words in alphabetical order, each with where it occurs and how much it says there;
- `<version>/text/<n>.<section>.js` is one section: its text, for the excerpts of the search page, heading and anchor.

engine.js reads them, and takes words apart in the same way.
"""

import argparse
import hashlib
import json
import pickle
import posixpath
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

from lockstep import data, page_fields
from lockstep.files import ROOT, write_whole

FOLDER = "_search"
SCRIPTS = ROOT / "docs/_ext/lockstep_sphinx/search"
PAGES = ROOT / "docs"
SKIPPED = ("404.html", "search.html")
KINDS = ("chapter", "lab", "error", "term", "reference", "name", "program")
GLOSSARY, NAMES = "reference/words.html", "reference/apis/"  # a page, and the folder of the pages that list names

LATER = ("name", "program")  # in files of their own, so many rows in each: few queries show any
ROWS = 300
SHARD_BYTES = 3_300  # before compression
K1, B = 8.0, 0.2  # of BM25: how soon repetition stops to count, and how much a page's length matters
WEIGHTS = {
    "title": 40.0,
    "heading": 9.0,
    "term": 40.0,
    "label": 3.0,
    "text": 1.0,
    "code": 0.7,
    "asked": 14.0,
    "question": 0.01,  # says that the page has the word, and hardly more
    "covers": 30.0,
    "covered": 1.0,
}
MOST_TOGETHER = 7  # words of a phrase whose pairs are kept
STEPS = 44  # of what a word says on a page

# ---------------------------------------------------------------------------------------------------------------------
# Words


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP = _set(
    """
    a an and are as at be been but by can do does for from has have how i if in into is it its me my no not of on
    or should so than that the their them then there these they this to was we were what when where which who why
    will with would you your
    """
)
_TOKEN = re.compile(r"[a-z0-9_]+(?:(?:::|\.)[a-z0-9_]+)*")
OPCODES = _set(
    """
    activemask add and applypriority atom bar barrier bfe bfi bfind brev clusterlaunchcontrol clz cp createpolicy
    cvt cvta discard div elect ex2 fence fma fns getctarank griddepcontrol isspacep ld ldmatrix ldu lg2 lop3 mad
    mapa match mbarrier membar mma mov movmatrix mul multimem nanosleep neg or pmevent popc prefetch prefetchu
    prmt rcp red redux rem rsqrt selp setmaxnreg setp shf shfl shl shr sin slct sqrt st stmatrix sub sust suld
    sured tanh tcgen05 tensormap tex tld4 txq vote wgmma wmma xor
    """
)


@cache
def stem(word: str) -> str:
    """What a word, its forms and the words that readers use for the same thing have in common; engine.js does the same."""
    root = _root(word)
    return same().get(root, root)


@cache
def same() -> dict[str, str]:
    """For each word that means the same as another one, that one."""
    return {other: first for first, *others in synonyms() for other in others}


@cache
def synonyms() -> list[list[str]]:
    """Words that mean the same, as _root() leaves them, the one that stands for all first (synonyms.json)."""
    groups = data.read(SCRIPTS / "synonyms.json", list[data.Text], ROOT)
    return [list(dict.fromkeys(map(_root, group.split()))) for group in groups]


@cache
def _root(word: str) -> str:
    """What a word and its forms have in common."""
    if re.fullmatch(r"[a-z][^_sui\d]s", word):  # SMs
        return word[:-1]
    if not re.fullmatch(r"[a-z]{4,}", word):
        return word
    word = re.sub(r"is(e|ed|es|er|ers|ing|ation|ations)$", r"iz\1", word)
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith("sses"):
        word = word[:-2]
    elif re.search(r"[^sui]s$", word):
        word = word[:-1]
    word = re.sub(r"ization$", "iz", word)
    word = re.sub(r"tion$", "t", word)
    word = re.sub(r"ence$", "ent", word)
    found = re.match(r"(.*[aeiouy].*[^e])(?:ing|ed)$", word)
    if found and len(found[1]) > 2:
        word = re.sub(r"([bdgmnprt])\1$", r"\1", found[1])
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def words(text: str) -> Iterator[str]:
    """All terms under which a text is found."""
    for token in _TOKEN.findall(text.lower().replace("c++", "cpp")):
        yield from _terms(token)


@cache
def _terms(token: str) -> tuple[str, ...]:
    """The terms of what stands between two spaces."""
    found = list(_compounds(token)) if "." in token or ":" in token else []
    for part in re.split(r"::|\.", token):
        bare = part.strip("_")
        if bare and bare not in STOP:
            found.append(stem(bare))
            if bare != part:
                found.append(part)
    return tuple(found)


def _compounds(token: str) -> Iterator[str]:
    """Names with a namespace, instructions of PTX, and numbers of sections, as they are written."""
    dotted = token.split(".")
    if re.fullmatch(r"\d+(\.\d+)+", token):
        yield token
    for at, part in enumerate(dotted[:-1]):
        if part in OPCODES:  # also within another: add.f32 of multimem.red.add.f32
            yield ".".join(dotted[at:])
    for chain in token.split("."):
        parts = chain.split("::")
        for start in range(len(parts) - 1):
            for end in range(start + 2, len(parts) + 1):
                yield "::".join(parts[start:end])
        if "cooperative_groups" in parts[:-1]:
            yield f"cg::{parts[-1]}"


# ---------------------------------------------------------------------------------------------------------------------
# Pages


@dataclass
class Section:
    """A part of a page that a result may lead to."""

    anchor: str
    heading: str = ""
    counts: dict[str, float] = field(default_factory=dict)  # of each word, weighted
    size: int = 0
    pieces: list[str] = field(default_factory=list)  # of its text

    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.pieces)).strip()


@dataclass
class Entry:
    """What can be found: a page, or one term or name of a list."""

    kind: str
    address: str
    title: str = ""
    former: str = ""
    above: str = ""  # the address of the page above it
    sections: list[Section] = field(default_factory=list)

    def add(self, place: str, text: str, phrases: frozenset[str]) -> None:
        """Takes in a piece of its text."""
        section = self.sections[0 if place in ("covers", "covered") else -1]  # those are said of the whole page
        counts, weight, before = section.counts, WEIGHTS[place], ""
        for word in words(text):
            counts[word] = counts.get(word, 0.0) + weight
            section.size += 1
            if (pair := f"{before}_{word}") in phrases:
                counts[pair] = counts.get(pair, 0.0) + weight
            before = word

    def indexed(self) -> "Indexed":
        """What the index keeps of it."""
        total: dict[str, float] = {}
        best: dict[str, tuple[float, int]] = {}
        for index, section in enumerate(self.sections):
            for word, weight in section.counts.items():
                total[word] = total.get(word, 0.0) + weight
                if weight > best.get(word, (0.0, 0))[0]:
                    best[word] = weight, index
        said: dict[tuple[float, int], list[str]] = {}
        for word, weight in total.items():
            said.setdefault((weight, min(best[word][1], _HALF - 1)), []).append(sys.intern(word))
        texts = [(section.text(), section.heading, section.anchor) for section in self.sections[:_HALF]]
        size = sum(section.size for section in self.sections)
        return Indexed(self.kind, self.address, self.title, self.above, row(self), texts, size, said)


class Indexed(NamedTuple):
    """An entry as it goes into the index."""

    kind: str
    address: str
    title: str
    above: str
    row: list[str]  # in the table
    texts: list[tuple[str, str, str]]  # of its sections, with heading and anchor
    size: int
    said: dict[tuple[float, int], list[str]]  # words, by weight and the number of the section that says most


class Page(NamedTuple):
    """What was found on a page."""

    phrases: frozenset[str]
    entries: list[Indexed]


_TAG = re.compile(r"<!--.*?-->|<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\"[^\"]*\"|'[^']*'|[^<>\"'])*)>", re.S)
_ATTRIBUTE = re.compile(r'([a-z-]+)(?:="([^"]*)")?')
_BLOCKS = _set(
    """
    address article aside blockquote br caption dd details div dl dt figcaption figure form h1 h2 h3 h4 h5 h6 hr
    img label li ol option p pre section summary table tbody td th thead tr ul text
    """
)
_VOID = _set(
    """
    br hr img input link meta wbr
    """
)
_HEADING = re.compile(r"<(?:h[1-4]\b|dt id)[^>]*>(.*?)</(?:h[1-4]|dt)>", re.S)
_TRAIL = re.compile(r'aria-label="breadcrumbs">(.*?)</nav>', re.S)
_LINK = re.compile(r'<a href="([^"]*)"')
_FORMER = re.compile(r'<meta name="former-title" content="([^"]*)"')


def kind_of(address: str) -> str:
    """What sort of page stands at an address."""
    part = address.split("/")[0]
    if address.startswith("reference/errors/") and not address.endswith("/index.html"):
        return "error"
    return {"programs": "program", "reference": "reference", "labs": "lab", "ladders": "lab"}.get(part, "chapter")


def article(html: str) -> str:
    """A page less all that frames it."""
    start = html.find("<article")
    return html[start : html.rfind("</article>")] if start >= 0 else html.partition("<body")[2]


def phrases_of(bodies: Iterable[str]) -> frozenset[str]:
    """Two words that follow each other in some heading or listed term; where they do so elsewhere, that counts, too."""
    found: set[str] = set()
    for body in bodies:
        for heading in _HEADING.findall(body):
            found |= _pairs(unescape(_TAG.sub("", heading)))
    return frozenset(found)


def entries(html: str, address: str, phrases: frozenset[str] = frozenset(), said: Iterable[str] = ()) -> list[Entry]:
    """What can be found of one page; `said` is what readers type who look for it."""
    page = Entry(kind_of(address), address, sections=[Section("")])
    former = _FORMER.search(html)
    page.former = unescape(former[1]) if former else ""
    trail = _TRAIL.search(html)
    links = _LINK.findall(trail[1]) if trail else []
    page.above = posixpath.normpath(posixpath.join(posixpath.dirname(address), links[-1])) if links else ""
    reader = Reader(page, listed(address), phrases)
    reader.read(article(html))
    _name(page)
    _ask(page, said, phrases)
    return [page, *reader.listed]


def listed(address: str) -> str:
    """The kind of what a page lists, where each line counts for itself."""
    return "term" if address == GLOSSARY else "name" if address.startswith(NAMES) else ""


def _ends(name: str) -> Iterator[str]:
    """What a reader may remember of a name such as cudaGetLastError: its last words, two or more."""
    starts = [match.end() for match in re.finditer(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z0-9])_", name)]
    yield from (stem(name[start:].lower()) for start in starts[:-1] if re.fullmatch(r"\w+", name))


def _name(page: Entry) -> None:
    """Counts the words of titles, a program's name in parts as well."""
    first = page.sections[0]
    for title in filter(None, (page.title, page.former)):
        parts = title if page.kind != "program" else f"{title} {title.removesuffix('.cu').replace('_', ' ')}"
        for word in set(words(parts)):
            first.counts[word] = first.counts.get(word, 0.0) + WEIGHTS["title"]


def _ask(page: Entry, said: Iterable[str], phrases: frozenset[str]) -> None:
    """Counts what readers type, each word once; of a question, with its mark, hardly more than each two words together."""
    said = tuple(said)
    first = page.sections[0]
    for word in {word for text in said if not _asks(text) for word in (*words(text), *_pairs(text) & phrases)}:
        first.counts[word] = first.counts.get(word, 0.0) + WEIGHTS["asked"]
    for word in {word for text in said if _asks(text) for word in words(text)}:
        first.counts[word] = first.counts.get(word, 0.0) + WEIGHTS["question"]
    if page.kind == "program":
        return
    headings = [section.heading for section in page.sections[1:]]
    for pair in {pair for text in (page.title, page.former, *headings, *said) for pair in _together(text)}:
        first.counts[pair] = WEIGHTS["asked"]


def _asks(text: str) -> bool:
    """Whether a phrase is a question: most of its words are those of any question."""
    return text.endswith("?")


def _pairs(text: str) -> frozenset[str]:
    """Words that follow each other."""
    return frozenset(f"{a}_{b}" for a, b in pairwise(words(text)) if a != b)


def _together(text: str) -> Iterator[str]:
    """Each two words of a phrase, in whatever order: a page that answers a question says them in one breath."""
    said = sorted({word for word in words(text) if word.isalnum()})
    yield from (f"+{a}+{b}" for a, b in combinations(said[:MOST_TOGETHER], 2))


class Reader:
    """Takes the text out of a page, piece by piece, and gives each to the entry that it belongs to."""

    def __init__(self, page: Entry, lists: str, phrases: frozenset[str]) -> None:
        self.page = page
        self.phrases = phrases
        self.lists = lists  # the kind of what the page lists, if it does
        self.listed: list[Entry] = []
        self._entry = page
        self._piece: list[str] = []
        self._place = "text"
        self._anchor = ""
        self._bare = False  # a listed term has begun, and nothing but its name was read

    def read(self, body: str) -> None:
        """Reads the whole body of a page, which must be well-formed."""
        stack: list[tuple[str, str]] = []  # open elements, and what the text around each was
        at, skipped, cell = 0, 0, 0  # skipped: how many elements are open within which nothing is read
        for tag in _TAG.finditer(body):
            if not skipped:
                self._piece.append(body[at : tag.start()])
            at = tag.end()
            name = (tag[2] or "").lower()
            if tag[1]:
                opened, around = stack.pop() if stack else (name, "text")
                while opened != name and stack:  # what HTML lets one leave open
                    opened, around = stack.pop()
                if skipped:
                    skipped = skipped if len(stack) >= skipped else 0
                elif name in _BLOCKS or around != self._place:
                    self._end(around, name in _BLOCKS)
                continue
            if name in _VOID or not name:
                if name == "br":
                    self._piece.append(" ")
                continue
            stack.append((name, self._place))
            if skipped:
                continue
            if name == "sup":
                self._piece.append("^")
            given = dict(_ATTRIBUTE.findall(tag[3]))
            if name == "section" or (name == "dt" and self.lists):
                self._anchor = given.get("id", "")
            cell = 0 if name == "tr" else cell
            place = _place(name, given, self.lists, cell)
            cell += name in ("td", "th")
            if place == "skip":
                skipped = len(stack)
            elif self._place not in ("heading", "term", "code") and (name in _BLOCKS or place):
                self._end(place or self._place, name in _BLOCKS)

    def _end(self, next_place: str, block: bool) -> None:
        """A piece of text ends, at the edge of a block or within a line; another begins at a place of this kind."""
        raw = unescape("".join(self._piece)) + " " * block
        if self._place in ("heading", "term") and next_place == self._place:
            return  # a block within a heading
        self._piece.clear()
        place, self._place = self._place, next_place
        text = re.sub(r"\s+", " ", raw).strip()
        if place == "term" and self._bare:  # another name of the same thing
            self._entry.title += f", {text}"
        elif place == "term":
            self._entry = Entry(
                self.lists, f"{self.page.address}#{self._anchor}", text, sections=[Section(self._anchor)]
            )
            self._entry.sections[0].counts.update((end, WEIGHTS["label"]) for end in _ends(text))
            self.listed.append(self._entry)
        elif place == "heading" and not self.page.title:
            self.page.title, raw = text, ""  # an excerpt stands below it
        elif place == "heading":
            self._entry, raw = self.page, ""
            self.page.sections.append(Section(self._anchor, text))
        if text and (place, text) != (
            "heading",
            self.page.title,
        ):  # its words are counted with those of its former title
            self._entry.add(place, text, self.phrases)
        self._entry.sections[-1].pieces.append(f", {raw}" if place == "term" and self._bare else raw)
        self._bare = place == "term" or (self._bare and not text)


def _place(name: str, given: dict[str, str], lists: str, cell: int) -> str:
    """What an element makes of the text within; nothing if it is like the text around it."""
    classes = given.get("class", "").split()
    if "headerlink" in classes or "data-search-ignore" in given or "lockstep-links" in classes:
        return "skip"
    if name in ("script", "style", "button", "template"):
        return "skip"
    if "lockstep-guide" in classes:
        return "covered"
    if "data-covers" in given:  # the number of a section of the guide that the page covers best
        return "covers"
    if name in ("h1", "h2", "h3", "h4"):
        return "heading"
    if name == "dt":
        return "term" if lists else "label"
    if name == "pre":
        return "code"
    if name == "code" or "lockstep-title" in classes or name == "th" or (name == "td" and cell == 0):
        return "label"
    return ""


# ---------------------------------------------------------------------------------------------------------------------
# Files

_DIGITS = "".join(chr(c) for c in range(35, 127) if chr(c) not in "\\")  # 91 signs that a script need not escape
_HALF = 45


def number(value: int) -> str:
    """A number in as few signs as it needs; all but the last are from the upper half."""
    signs = _DIGITS[value % _HALF]
    value //= _HALF
    while value:
        signs = _DIGITS[_HALF + value % _HALF] + signs
        value //= _HALF
    return signs


def postings(found: list[Indexed]) -> dict[str, str]:
    """For each word, where it occurs: the distance to the entry before, how much it says there, the best section."""
    pages = [entry.size for entry in found if "#" not in entry.address]
    average = sum(pages) / max(len(pages), 1)
    distances = [number(distance) for distance in range(len(found) + 1)]
    lists: dict[str, list[str]] = {}
    last: dict[str, int] = {}
    for at, entry in enumerate(found):
        length = 1 if "#" in entry.address else entry.size / average
        for (weight, section), said in entry.said.items():
            says = weight / (weight + K1 * (1 - B + B * length))
            signs = _DIGITS[max(1, round(says * STEPS))] + _DIGITS[section]
            for word in said:
                lists.setdefault(word, []).append(distances[at - last.get(word, -1)] + signs)
                last[word] = at
    held = {word for entry in found for (weight, _), said in entry.said.items() if weight >= 1 / 2 for word in said}
    return {
        _beside_rarer(word, lists) if word.startswith("+") else word: "".join(places)
        for word, places in lists.items()
        if held.issuperset(word[1:].split("+") if word.startswith("+") else [word])  # some stand in a question alone
    }


def _beside_rarer(pair: str, lists: Mapping[str, list[str]]) -> str:
    """Two words of a phrase under the rarer one, so that they stand in a shard that a query loads anyway."""
    a, b = sorted(pair[1:].split("+"), key=lambda word: (len(lists[word]), word))
    return f"{a}+{b}"


def shards(lists: dict[str, str]) -> list[dict[str, str]]:
    """The words in alphabetical order, in parts of about one size."""
    parts: list[dict[str, str]] = [{}]
    size = 0
    for word in sorted(lists):
        size += len(word) + len(lists[word]) + 6
        if size > SHARD_BYTES and parts[-1]:
            parts.append({})
            size = len(word) + len(lists[word]) + 6
        parts[-1][word] = lists[word]
    return parts


def starts_of(parts: list[dict[str, str]]) -> list[str]:
    """Where each shard begins: of its first word, as much as comes after the last word of the shard before."""
    found = []
    for before, part in pairwise([{"": ""}, *parts]):
        last, first = list(before)[-1] if before else "", next(iter(part), "")
        found.append(next((first[:size] for size in range(1, len(first)) if first[:size] > last), first))
    return found


def slug(heading: str) -> str:
    """The anchor of a term."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def row(entry: Entry) -> list[str]:
    """An entry in the table: address, title, former title.

    What engine.js can tell by itself is left out: the end of an address that repeats the title, after its "-", and the
    title of a program that is the name of its file.
    """
    named = slug(entry.title.split(", ")[0])
    ends = "#" in entry.address and entry.address.endswith(f"-{named}")
    address = entry.address.removesuffix(named) if ends else entry.address
    title = "" if entry.title == _file_of(entry.address) else entry.title
    return [address, title, entry.former]


def _file_of(address: str) -> str:
    """The name of the program whose page stands at an address."""
    return posixpath.basename(address).removesuffix(".html") + ".cu"


def above(found: list[Indexed]) -> dict[str, str]:
    """The page above each, where it is not the one that its folder belongs to: engine.js knows that one by itself."""
    pages = {entry.address: entry for entry in found if "#" not in entry.address}
    made = {}
    for address, entry in pages.items():
        folder = posixpath.dirname(address.removesuffix("/index.html")).removeprefix("programs/")
        near = (name for name in (f"{folder}.html", f"{folder}/index.html") if name != address and name in pages)
        told = entry.above if entry.above in pages and entry.above != "index.html" else ""
        if entry.above and told != next(near, ""):
            made[address] = told
    return made


def call(function: str, *arguments: object) -> str:
    """A script that hands data over."""
    given = ",".join(json.dumps(a, ensure_ascii=False, separators=(",", ":")) for a in arguments)
    return f"lockstepSearch.{function}({given})\n"


def shorter(script: str) -> str:
    """A script without lines of comment and without indentation."""
    return re.sub(r"^(?:\s*//.*\n|\s+)", "", script, flags=re.M)


def read_pages(pages: dict[str, bytes], kept: Path, said: Mapping[str, tuple[str, ...]] | None = None) -> list[Indexed]:
    """The entries of all pages; those of pages that are as they were come from the file that the last run left.

    :param said: what readers type who look for a page, by its address (default: what the sources of pages say)
    """
    if said is None:
        said = {f"{page}.html": phrases for page, phrases in page_fields.all_search_words(PAGES).items()}
    code = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    made_by, left = pickle.loads(kept.read_bytes()) if kept.exists() else ("", b"")
    common: frozenset[str] = frozenset()
    known: dict[tuple[str, str], Page] = {}
    if made_by == code:
        common, known = pickle.loads(left)
    typed = {address: "\0".join(said.get(address, ())).encode() for address in pages}
    keys = {address: (address, hashlib.sha256(html + typed[address]).hexdigest()) for address, html in pages.items()}
    own: dict[str, frozenset[str]] = {}
    for address, key in keys.items():
        if kind_of(address) != "program":
            own[address] = known[key].phrases if key in known else phrases_of([article(pages[address].decode())])
    phrases = frozenset().union(*own.values(), *(_pairs(t) for texts in said.values() for t in texts if not _asks(t)))
    if phrases != common:
        known = {}
    now = {
        key: known.get(key)
        or Page(
            own.get(address, frozenset()),
            [entry.indexed() for entry in entries(pages[address].decode(), address, phrases, said.get(address, ()))],
        )
        for address, key in keys.items()
    }
    if kept.parent.exists() and now.keys() != known.keys():
        write_whole(kept, pickle.dumps((code, pickle.dumps((phrases, now)))))
    return [entry for page in now.values() for entry in page.entries]


def write(folder: Path) -> tuple[int, int]:
    """Writes the index of a site; returns how many entries and shards it has."""
    pages = {}
    for path in sorted(folder.rglob("*.html")):
        address = path.relative_to(folder).as_posix()
        if address not in SKIPPED and not address.startswith("_"):
            pages[address] = path.read_bytes()
    found = read_pages(pages, folder.with_name(f"{folder.name}.doctrees") / "search.pickle")
    found.sort(key=lambda entry: KINDS.index(entry.kind))
    parts = shards(postings(found))
    files = {f"{n}.js": call("shard", n, part) for n, part in enumerate(parts)}
    files |= {
        f"text/{at}.{n}.js": call("text", f"{at}.{n}", *text)
        for at, entry in enumerate(found)
        for n, text in enumerate(entry.texts)
    }
    later = sum(entry.kind in LATER for entry in found)
    rows = [entry.row for entry in found[len(found) - later :]]
    for at in range(0, later, ROWS):
        files[f"rows/{at // ROWS}.js"] = call("rows", at // ROWS, rows[at : at + ROWS])
    version = hashlib.sha256("".join(files.values()).encode()).hexdigest()[:8]
    starts = [sum(KINDS.index(e.kind) < k for e in found) for k in range(len(KINDS))]
    table = {
        "version": version,
        "kinds": starts,
        "shards": starts_of(parts),
        "entries": [entry.row for entry in found[: len(found) - later]],
        "rows": ROWS,
        "above": above(found),
        "same": [" ".join(group) for group in synonyms() if len(group) > 1],
        "aliases": data.read(SCRIPTS / "aliases.json", list[tuple[data.Text, str]], ROOT),
    }
    engine, box = (shorter((SCRIPTS / name).read_text(encoding="utf-8")) for name in ("engine.js", "box.js"))
    put(folder / FOLDER, version, files, f"{engine}\n{call('table', table)}\n{box}")
    return len(found), len(parts)


def put(folder: Path, version: str, files: dict[str, str], search: str) -> None:
    """Writes the files of a version where they differ from what the last one left, and takes the rest away."""
    target = folder / version
    folder.mkdir(exist_ok=True)
    others = [path for path in folder.iterdir() if path.is_dir() and path != target]
    if others and not target.exists():
        others.pop().rename(target)
    for other in others:
        shutil.rmtree(other)
    for kind in ("rows", "text"):
        (target / kind).mkdir(parents=True, exist_ok=True)
    for path in target.rglob("*.js"):
        if path.relative_to(target).as_posix() not in files:
            path.unlink()
    for name, script in files.items():
        path, content = target / name, script.encode()
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
    (folder / "search.js").write_text(search, encoding="utf-8")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site search-index", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build/html")
    options = parser.parse_args(argv)
    if not (options.folder / "index.html").exists():
        print(f"search-index: no pages in {options.folder}; run `make html` first", file=sys.stderr)
        return 2
    write(options.folder)
    return 0
