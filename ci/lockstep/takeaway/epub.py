"""Makes one EPUB 3 of a built site: all its pages in reading order, for e-readers.

    python3 ci takeaway epub [FOLDER]      (default: build/html; the book is build/takeaway/lockstep.epub)

An e-reader runs no scripts and knows few styles: buttons, forms and links to files stay out, colors are written out, and
what a term means stands at the end of its page as a note, which most e-readers show where the term is. `make check` puts
the book before epubcheck.
"""

import argparse
import mimetypes
import os
import posixpath
import uuid
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from urllib.parse import quote

from bs4 import BeautifulSoup

from lockstep import site_parts
from lockstep.files import ROOT, whole
from lockstep.takeaway import pages
from lockstep.takeaway.pages import Page

HERE = Path(__file__).parent
EPOCH = (1980, 1, 1, 0, 0, 0)
TITLE = "Lockstep: CUDA C++, taught with programs that really run"
AUTHOR = "the Lockstep contributors"
DEPTH = 2  # of the pages that the contents list
NAMED_IN_CAPITALS = ("viewBox", "refX", "refY", "markerWidth", "markerHeight")  # XML, unlike HTML, tells them apart

XHTML = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">
<head><title>{title}</title><link rel="stylesheet" type="text/css" href="{root}book.css"/></head>
<body{kind}>
{body}
</body>
</html>
"""
CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">{identifier}</dc:identifier>
<dc:title>{title}</dc:title>
<dc:language>en</dc:language>
<dc:creator>{author}</dc:creator>
<dc:rights>Pages: CC BY 4.0. Programs: BSD 3-Clause.</dc:rights>
<meta property="dcterms:modified">{modified}</meta>
<meta property="schema:accessMode">textual</meta>
<meta property="schema:accessMode">visual</meta>
<meta property="schema:accessModeSufficient">textual</meta>
<meta property="schema:accessibilityFeature">structuralNavigation</meta>
<meta property="schema:accessibilityFeature">tableOfContents</meta>
<meta property="schema:accessibilityFeature">alternativeText</meta>
<meta property="schema:accessibilityHazard">none</meta>
<meta property="schema:accessibilitySummary">Every figure has a text that says what it shows.</meta>
</metadata>
<manifest>
<item id="css" href="book.css" media-type="text/css"/>
<item id="logo" href="logo.svg" media-type="image/svg+xml" properties="cover-image"/>
<item id="nav" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>
{items}
</manifest>
<spine>
<itemref idref="title"/>
<itemref idref="nav"/>
{spine}
</spine>
</package>
"""
COVER = """<section class="cover" epub:type="titlepage"><img src="logo.svg" alt=""/><h1>Lockstep</h1>
<p>CUDA C++, taught with programs that really run.</p>
<p class="small">{origin}Pages: CC BY 4.0. Programs: BSD 3-Clause.</p></section>"""


def file_of(address: str) -> str:
    return f"{address.removesuffix('.html')}.xhtml"


def chapter(page: Page, ids: dict[str, set[str]]) -> str:
    """A page as a file of the book; `ids` are those of each page."""
    folder = posixpath.dirname(page.address)

    def where(address: str, anchor: str) -> str | None:
        if address in ids:
            known = f"#{anchor}" if anchor in ids[address] else ""
            return posixpath.relpath(file_of(address), folder or ".") + known
        base = pages.published()
        return f"{base}{address}{'#' if anchor else ''}{anchor}" if base else None

    pages.resolve(page, where)
    notes(page)
    for element in page.body.find_all(True):
        for name in [name for name in element.attrs if name.startswith("data-")]:
            del element[name]
        for name in NAMED_IN_CAPITALS:
            if name.lower() in element.attrs:
                element[name] = element.attrs.pop(name.lower())
    for drawing in page.body.find_all("svg"):
        drawing["xmlns"] = "http://www.w3.org/2000/svg"
    page.body.name = "section"
    page.body.attrs = {}
    root = "../" * page.address.count("/")
    return XHTML.format(title=escape(page.title), root=root, kind="", body=page.body.decode(formatter="minimal"))


def notes(page: Page) -> None:
    """Puts what the page's terms mean at its end, each with a link to the glossary."""
    soup = BeautifulSoup("", "html.parser")
    told: dict[str, str] = {}
    for link in page.body.select("[aria-describedby]"):
        name = str(link.attrs.pop("aria-describedby"))
        if name not in page.definitions:
            continue
        told.setdefault(name, str(link["href"]))
        link.attrs |= {"href": f"#{name}", "epub:type": "noteref", "role": "doc-noteref"}
    for name, glossary in told.items():
        note = soup.new_tag("aside", attrs={"id": name, "epub:type": "footnote", "role": "doc-footnote"})
        line = soup.new_tag("p")
        more = soup.new_tag("a", attrs={"href": glossary})
        more.string = "Glossary"
        term = soup.new_tag("b")
        term.string = name.removeprefix("defined-term-").replace("-", " ")
        for link in page.definitions[name].find_all("a"):
            link.unwrap()  # seen from another place
        line.extend([term, ": ", *list(page.definitions[name].contents), " ", more])
        note.append(line)
        page.body.append(note)


def contents(listed: list[Page]) -> str:
    """The book's contents, in parts, chapters and their pages."""
    rows, depth = ["<ol>"], 0
    parts: list[str] = []
    for page in listed:
        if page.depth > DEPTH:
            continue
        level = page.depth
        if page.part in site_parts.ALL and page.part not in parts and page.depth > 0:
            rows += [*(["</li></ol>"] * depth), "</li>" if parts else "", f"<li><span>{page.part.capitalize()}</span>"]
            depth = 0
        parts.append(page.part)
        if level > depth:
            rows += ["<ol>"] * (level - depth)
        elif len(rows) > 1:
            rows += ["</li></ol>"] * (depth - level) + ["</li>"]
        depth = level
        rows.append(f'<li><a href="{file_of(page.address)}">{escape(page.title)}</a>')
    return "\n".join([*rows, *(["</li></ol>"] * depth), "</li></ol>"])


def modified(site: Path) -> str:
    """When the site was made."""
    made = os.environ.get("SOURCE_DATE_EPOCH") or (site / "index.html").stat().st_mtime
    return datetime.fromtimestamp(int(float(made)), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def files(site: Path) -> Iterator[tuple[str, str | bytes]]:
    """Name and content of each file of the book; pictures stand where they stand in the site, seen from the pages."""
    addresses = [address for address in pages.order(site) if address != "index.html"]
    listed = [pages.read(site, address) for address in addresses]
    ids = {page.address: {str(e["id"]) for e in page.body.find_all(id=True)} for page in listed}
    base = pages.published()
    origin = f'<a href="{escape(base)}">{escape(base)}</a><br/>' if base else ""
    highlighting = (site / "_static/pygments.css").read_text(encoding="utf-8").partition("@media")[0]
    texts = [(file_of(page.address), chapter(page, ids)) for page in listed]
    shown = sorted({address for page in listed for _, address in pages.pictures(page)})
    items = [
        f'<item id="p{n}" href="{name}" media-type="application/xhtml+xml"{drawn(text)}/>'
        for n, (name, text) in enumerate(texts)
    ]
    items += [
        f'<item id="i{n}" href="{quote(address)}" media-type="{mimetypes.guess_type(address)[0]}"/>'
        for n, address in enumerate(shown)
    ]
    yield "META-INF/container.xml", CONTAINER
    yield (
        "book/package.opf",
        PACKAGE.format(
            identifier=uuid.uuid5(uuid.NAMESPACE_URL, base or "lockstep").urn,
            title=escape(TITLE),
            author=AUTHOR,
            modified=modified(site),
            items="\n".join(items),
            spine="\n".join(f'<itemref idref="p{n}"/>' for n in range(len(texts))),
        ),
    )
    yield "book/book.css", highlighting + (HERE / "epub.css").read_text(encoding="utf-8")
    yield "book/logo.svg", (site / "_static/logo.svg").read_text(encoding="utf-8")
    yield "book/title.xhtml", XHTML.format(title=escape(TITLE), root="", kind="", body=COVER.format(origin=origin))
    toc = f'<nav epub:type="toc" id="toc" role="doc-toc"><h1>Contents</h1>\n{contents(listed)}\n</nav>'
    yield "book/contents.xhtml", XHTML.format(title="Contents", root="", kind=' class="contents"', body=toc)
    yield from ((f"book/{name}", text) for name, text in texts)
    yield from ((f"book/{address}", (site / address).read_bytes()) for address in shown)


def drawn(text: str) -> str:
    """What the package must say of a page that holds drawings."""
    return ' properties="svg"' if "<svg" in text else ""


def make(site: Path, target: Path) -> None:
    """Writes the book."""
    pages.require_site(site)
    with whole(target) as part, zipfile.ZipFile(part, "w") as archive:
        archive.writestr(zipfile.ZipInfo("mimetype", EPOCH), "application/epub+zip")  # first, and as it is
        for name, held in files(site):
            info = zipfile.ZipInfo(name, EPOCH)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, held)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="takeaway epub", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", nargs="?", default=str(ROOT / "build/html"))
    options = parser.parse_args(argv)
    target = pages.MADE / "lockstep.epub"
    target.parent.mkdir(parents=True, exist_ok=True)
    make(Path(options.folder).resolve(), target)
    print(pages.told(target))
    return 0
