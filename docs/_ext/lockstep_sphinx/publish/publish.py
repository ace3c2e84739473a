"""What only a site with an address has: `sitemap.xml`, `robots.txt`, and a feed of new pages and recordings."""

import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from sphinx.application import Sphinx

from lockstep.files import write
from lockstep.recordings.transcripts import TranscriptError
from lockstep_sphinx import addresses
from lockstep_sphinx.frame import frame

FILES = ("sitemap.xml", "robots.txt", frame.FEED)
ENTRIES = 40  # of the feed, the newest

_ATOM = "http://www.w3.org/2005/Atom"
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)"')


@dataclass(frozen=True)
class Entry:
    """A page in the feed."""

    address: str
    title: str
    added: str  # days, each may be empty
    recorded: str
    gpu: str
    said: str  # its description

    @property
    def updated(self) -> str:
        return max(self.added, self.recorded)


def publish(app: Sphinx, exception: Exception | None) -> None:
    """Writes the files, or takes away what an earlier build left."""
    if exception or app.builder.name not in ("html", "dirhtml"):
        return
    out = Path(app.outdir)
    made = files(app) if app.config.html_baseurl else {}
    for name in FILES:
        if name in made:
            write(out / name, made[name])
        else:
            (out / name).unlink(missing_ok=True)


def files(app: Sphinx) -> dict[str, str]:
    """The files by name."""
    base, builder, frames = app.config.html_baseurl, app.builder, frame.frames_of(app)
    pages = {docname: frames.changed(docname) for docname in app.env.found_docs}
    for program in frames.project.programs.values():
        pages[addresses.page_of_source(program.path)] = frames.changed_program(program)
    made = {
        "sitemap.xml": sitemap({base + builder.get_target_uri(page): changed for page, changed in pages.items()}),
        "robots.txt": f"User-agent: *\nDisallow:\n\nSitemap: {base}sitemap.xml\n",
    }
    if found := entries(app):
        made[frame.FEED] = feed(base, app.config.project, app.config.author, found)
    return made


def sitemap(pages: dict[str, str]) -> str:
    """The addresses of all pages, with the day of their last change where it is known."""
    root = ElementTree.Element("urlset", xmlns=_SITEMAP)
    for address, changed in sorted(pages.items()):
        url = ElementTree.SubElement(root, "url")
        ElementTree.SubElement(url, "loc").text = address
        if changed:
            ElementTree.SubElement(url, "lastmod").text = changed
    return _document(root)


def entries(app: Sphinx) -> list[Entry]:
    """The pages that are new or show a new recording, the newest first."""
    frames, found = frame.frames_of(app), []
    for docname in app.env.found_docs:
        dates = frames.dates.get(frames.source(docname))
        recorded, gpu = _recorded(frames, docname)
        html = Path(addresses.html_builder(app).get_outfilename(docname)).read_text(encoding="utf-8")
        said = _DESCRIPTION.search(html)
        address = app.config.html_baseurl + app.builder.get_target_uri(docname)
        added = dates.added if dates else ""
        found.append(Entry(address, frames.title(docname), added, recorded, gpu, unescape(said[1]) if said else ""))
    known = sorted((entry for entry in found if entry.updated), key=lambda entry: entry.address)
    return sorted(known, key=lambda entry: (entry.updated, entry.added), reverse=True)[:ENTRIES]


def _recorded(frames: frame.Frames, docname: str) -> tuple[str, str]:
    """When and on which GPU the newest output on a page was recorded."""
    newest = ("", "")
    for path in frames.trails.shown(docname):
        try:
            known = frames.project.transcript(frames.project.programs[path]).provenance
        except TranscriptError:
            continue  # its page says so
        newest = max(newest, (known.get("date", ""), known.get("gpu", "").partition(" (")[0]))
    return newest


def feed(base: str, title: str, author: str, found: list[Entry]) -> str:
    """A feed in the format Atom (RFC 4287)."""
    root = ElementTree.Element("feed", xmlns=_ATOM)
    _text(root, "title", f"{title}: new pages and recordings")
    _text(root, "id", base)
    ElementTree.SubElement(root, "link", rel="self", href=base + frame.FEED)
    ElementTree.SubElement(root, "link", href=base)
    _text(ElementTree.SubElement(root, "author"), "name", author)
    _text(root, "updated", _time(found[0].updated))
    for entry in found:
        made = ElementTree.SubElement(root, "entry")
        _text(made, "title", entry.title)
        _text(made, "id", entry.address)
        ElementTree.SubElement(made, "link", href=entry.address)
        if entry.added:
            _text(made, "published", _time(entry.added))
        _text(made, "updated", _time(entry.updated))
        news = f"Recorded on {entry.recorded} ({entry.gpu}). " if entry.recorded else ""
        _text(made, "summary", news + entry.said)
    return _document(root)


def _text(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, name).text = text


def _time(day: str) -> str:
    return f"{day}T00:00:00Z"


def _document(root: ElementTree.Element) -> str:
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def setup(app: Sphinx) -> None:
    app.connect("build-finished", publish, priority=600)  # when the pages of programs are written
