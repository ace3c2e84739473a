"""Makes a PDF of each part of a built site, with outline, contents and page numbers.

    python3 ci takeaway pdf [--part NAME] [FOLDER]      (default: all parts of build/html; the PDFs go to build/takeaway)

The pages of a part become one document, and Chromium prints it: links within it then work in the PDF, too. It is printed
twice, since only the first printing tells on which sheet a page or a solution begins, which contents and exercises say.
Solutions stand at the end, so that no reader of an exercise sees its solution.
"""

import argparse
import re
import tempfile
from html import escape
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser
from pypdf import PdfReader

from lockstep import site_parts
from lockstep.errors import LockstepError
from lockstep.files import ROOT, whole
from lockstep.site.browser import chromium
from lockstep.takeaway import pages
from lockstep.takeaway.pages import Page

STYLES = ("pygments.css", "styles/furo.css", "sphinx-design.min.css", "lockstep.css", "site.css")
BOOK = Path(__file__).with_name("book.css")
LONG = 40  # lines of code that may be split between sheets
SHORT = 4000  # characters of a page below a chapter that begins no sheet of its own
DEPTH = 2  # of the pages that the contents list
SOLUTION = "The solution"  # what folds one away
PRINTING_MS = 600_000
SHEET_PX = 642  # what book.css leaves of the width of A4, in pixels of CSS
CUT = """() => [...document.querySelectorAll("pre, table, svg, img, p, li, dt, dd")]
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 || (e.tagName === "PRE" && e.scrollWidth > e.clientWidth + 1))
  .map((e) => `${e.closest("article, header, nav").id}: ${e.textContent.trim().slice(0, 60)}`)"""

_SHEET = re.compile(r'(<b data-sheet="([^"]*)">)</b>')
_COLORS = re.compile(r"<style>[^<]*--color-brand-primary.*?</style>", re.S)  # of the theme, on every page

DOCUMENT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{title} - Lockstep</title>
{styles}
{colors}
<style>{book}
@page {{ @top-left {{ content: "Lockstep: {title}"; }} }}</style></head>
<body data-theme="light">
<header class="book-cover"><img src="{logo}" alt=""><p class="book-name">Lockstep</p>
<p class="book-title">{title}</p><p>CUDA C++, taught with programs that really run.</p>
<p class="book-from">{origin}Pages: CC BY 4.0. Programs: BSD 3-Clause.</p></header>
<nav class="book-contents"><p class="book-heading">Contents</p>
{contents}
</nav>
{articles}
</body></html>
"""


def key(address: str, anchor: str = "") -> str:
    """The id of a page or of a place on it, in the one document of its part."""
    name = address.removesuffix(".html").replace("/", ".")
    return f"{name}..{anchor}" if anchor else name


def fit_in(page: Page, addresses: set[str]) -> None:
    """Makes a page a piece of its part's document: its ids and links one with those of the other pages."""
    ids = {str(element["id"]) for element in page.body.find_all(id=True)}

    def where(address: str, anchor: str) -> str | None:
        if address in addresses:
            return f"#{key(address, anchor if address != page.address or anchor in ids else '')}"
        base = pages.published()
        return f"{base}{address}{'#' if anchor else ''}{anchor}" if base else None

    pages.resolve(page, where)
    for element in page.body.find_all(True):
        if "id" in element.attrs:
            element["id"] = key(page.address, str(element["id"]))
        for name in ("aria-describedby", "role", "data-pagefind-body"):
            element.attrs.pop(name, None)
        for name in ("aria-labelledby", "marker-end", "marker-start", "fill", "clip-path", "href"):
            if element.find_parent("svg") and name in element.attrs:
                element[name] = inside(page.address, str(element[name]))
    for block in page.body.find_all("pre"):
        if block.get_text().count("\n") > LONG:
            block["class"] = "book-long"
    shift(page)


def move_solutions(listed: list[Page]) -> list[Page]:
    """Pages with their solutions on one page more, at the end; where a solution was stands a link to it."""
    soup = BeautifulSoup("<article><h2 class='level-1'>Solutions</h2></article>", "html.parser")
    end = Page(f"{listed[0].part}/solutions.html", "Solutions", soup.article, {})  # type: ignore[arg-type]  # it is there
    for page in listed:
        for at, details in enumerate(solutions(page.body)):
            if at == 0:
                end.body.append(soup.new_tag("h3", attrs={"class": "level-2"}, string=page.title))
            name = key(page.address, f"solution-{at + 1}")
            exercise = details.find_previous(class_="lockstep-exercise")
            if isinstance(exercise, Tag):
                heading = soup.new_tag("h4", attrs={"class": "level-3"})
                title = str(exercise["data-program"]).rpartition("/")[2]
                heading.append(soup.new_tag("a", attrs={"href": f"#{exercise['id']}"}, string=title))
                end.body.append(heading)
            there = soup.new_tag("p", attrs={"class": "book-solved"})
            link = soup.new_tag("a", attrs={"href": f"#{name}"}, string="page ")
            link.append(soup.new_tag("b", attrs={"data-sheet": name}))
            there.extend([f"{SOLUTION}: ", link])
            details.replace_with(there)
            details.find("summary").decompose()  # type: ignore[union-attr]  # each has one
            details.name, details["class"], details["id"] = "div", "book-solution", name
            end.body.append(details)
    return [*listed, end] if len(end.body.find_all(True)) > 1 else listed


def solutions(body: Tag) -> list[Tag]:
    """The solutions that a page folds away."""
    return [fold for fold in body.find_all("details") if fold.summary and fold.summary.get_text().strip() == SOLUTION]


def article(page: Page) -> str:
    """A page of the document."""
    open_hidden(page.body)
    short = page.depth > 1 and len(page.body.get_text()) < SHORT
    page.body["class"] = f"book-page depth-{page.depth}{' book-short' if short else ''}"
    page.body["id"] = key(page.address)
    return str(page.body)


def inside(address: str, value: str) -> str:
    """A reference of a drawing to another of its shapes."""
    return value.replace("url(#", f"url(#{key(address)}..") if value.startswith("url(#") else value


def open_hidden(body: Tag) -> None:
    """What a reader opens on the page stands open, under what it is called."""
    for details in body.find_all("details"):
        details.name = "div"
        details["class"] = "book-opened"
        for summary in details.find_all("summary", recursive=False):
            summary.name = "p"
            summary["class"] = "book-opened-title"


def shift(page: Page) -> None:
    """A page's headings stand below that of its chapter, and look as they did."""
    for heading in list(pages.headings(page.body)):
        level = int(heading.name[1])
        heading["class"] = f"level-{level}"
        heading.name = f"h{min(6, level + page.depth)}"


def contents(listed: list[Page], sheets: dict[str, int]) -> str:
    """The list of pages with their numbers."""
    rows = "\n".join(
        f'<li class="depth-{page.depth}"><a href="#{key(page.address)}"><span>{escape(page.title)}</span>'
        f"<i></i><b>{sheets.get(key(page.address), 0)}</b></a></li>"
        for page in listed
        if page.depth <= DEPTH
    )
    return f"<ul>{rows}</ul>"


def title_of(listed: list[Page]) -> str:
    """What a part is called: as its first page, if that is about all of it."""
    first = listed[0]
    return first.title if first.depth == 0 else first.part.capitalize()


def document(site: Path, listed: list[Page], articles: str, sheets: dict[str, int]) -> str:
    """All of a part, as one page for the browser to print."""
    base = pages.published()
    articles = _SHEET.sub(lambda place: f"{place[1]}{sheets.get(place[2], 0)}</b>", articles)
    colors = _COLORS.search((site / "index.html").read_text(encoding="utf-8"))
    return DOCUMENT.format(
        title=escape(title_of(listed)),
        styles="\n".join(f'<link rel="stylesheet" href="{(site / "_static" / name).as_uri()}">' for name in STYLES),
        colors=colors[0] if colors else "",
        book=BOOK.read_text(encoding="utf-8"),
        logo=(site / "_static/logo.svg").as_uri(),
        origin=f'<a href="{escape(base)}">{escape(base)}</a><br>' if base else "",
        contents=contents(listed, sheets),
        articles=articles,
    )


def sheets_of(pdf: Path) -> dict[str, int]:
    """On which sheet each place begins that a link of the document leads to."""
    reader = PdfReader(pdf)
    found = {}
    for name, destination in reader.named_destinations.items():
        number = reader.get_destination_page_number(destination)
        if number is not None:
            found[name.removeprefix("/")] = number + 1
    return found


def outline(reader: PdfReader) -> list[str]:
    """The titles of a PDF's outline."""

    def titles(items: list[Any]) -> list[str]:
        found: list[str] = []
        for item in items:
            found += titles(item) if isinstance(item, list) else [" ".join(item.title.split())]
        return found

    return titles(reader.outline)


def faults(pdf: Path, titles: list[str]) -> list[str]:
    """What a PDF lacks that is to hold pages of these titles: an entry in its outline, a number, links within it."""
    reader = PdfReader(pdf)
    named = outline(reader)
    found = [f"the outline lacks {title}" for title in titles if " ".join(title.split()) not in named]
    for number, sheet in enumerate(reader.pages, 1):
        if number > 1 and str(number) not in sheet.extract_text().split("\n"):
            found.append(f"sheet {number} does not bear its number")
    links = [link.get_object() for sheet in reader.pages for link in sheet.get("/Annots", [])]
    targets = [str(link["/Dest"]).removeprefix("/") for link in links if "/Dest" in link]
    known = {name.removeprefix("/") for name in reader.named_destinations}
    if not targets:
        found.append("no link leads to another place in it")
    return found + [f"a link leads to {target}, which is nowhere" for target in targets if target not in known]


def make(browser: Browser, site: Path, part: str, target: Path) -> int:
    """Writes the PDF of a part; returns how many sheets it has."""
    pages.require_site(site)
    addresses = pages.of_part(site, part)
    listed = [pages.read(site, address) for address in addresses]
    for page in listed:
        fit_in(page, set(addresses))
        for image, address in pages.pictures(page):
            image["src"] = (site / address).as_uri()
    listed = move_solutions(listed)
    articles = "\n".join(map(article, listed))
    sheets: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder, whole(target) as part_file:
        printed = Path(folder) / "part.html"
        context = browser.new_context(color_scheme="light")
        window = context.new_page()
        window.set_default_timeout(PRINTING_MS)
        window.set_viewport_size({"width": SHEET_PX, "height": 900})
        for _ in range(2):
            printed.write_text(document(site, listed, articles, sheets), encoding="utf-8")
            window.goto(printed.as_uri())
            window.emulate_media(media="print")
            if cut := window.evaluate(CUT):
                raise LockstepError(f"{part}: wider than the sheet: {cut[0]}, and {len(cut) - 1} more")
            window.pdf(path=str(part_file), prefer_css_page_size=True, outline=True, tagged=True, print_background=True)
            sheets = sheets_of(part_file)
            if lost := [page.title for page in listed if key(page.address) not in sheets]:
                raise LockstepError(f"{part}: the contents do not lead to {lost[0]}")
        context.close()
        return len(PdfReader(part_file).pages)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="takeaway pdf", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--part", action="append", choices=site_parts.ALL, help="this part only")
    parser.add_argument("folder", nargs="?", default=str(ROOT / "build/html"))
    options = parser.parse_args(argv)
    with chromium() as browser:
        for part in options.part or site_parts.ALL:
            target = pages.MADE / site_parts.pdf(part)
            target.parent.mkdir(parents=True, exist_ok=True)
            count = make(browser, Path(options.folder).resolve(), part, target)
            print(f"{pages.told(target)}, {count} pages", flush=True)
    return 0
