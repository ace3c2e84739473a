"""The pages of a built site, in reading order, for books: without what only a browser can do.

A book is made of the finished pages, since they hold what a reader sees: numbers, charts and lists that were filled in.
"""

import os
import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

from bs4 import BeautifulSoup, Tag

from lockstep.errors import LockstepError
from lockstep.files import ROOT

TAKEAWAY = "_takeaway"  # where the site keeps the files that it offers
MADE = ROOT / "build/takeaway"  # where they are made

Where = Callable[[str, str], str | None]  # from a page's address and an anchor to where a link leads; None: nowhere

_NEXT = re.compile(r'<link rel="next"[^>]* href="([^"]+)"')
_HEADING = re.compile(r"h[1-6]")
# Buttons, forms, fields of predictions, links to what is not in a book, drawings for a phone, data that a chart or calculator shows, what the rung
# before shows itself, and on paper the addresses of links, which work in a book.
_LEFT_OUT = (
    "script, style, form, button, a.headerlink, .lockstep-narrow, .lockstep-links, .lockstep-behind, .toctree-wrapper, "
    ".lockstep-cmake, .lockstep-more > summary, .lockstep-explore > [hidden], .lockstep-cases, .sd-summary-state-marker, .lockstep-definitions, .lockstep-notes, "
    ".lockstep-before, .lockstep-predict :is(input, [role=status])"
)


@dataclass
class Page:
    """What a page says."""

    address: str
    title: str
    body: Tag
    definitions: dict[str, Tag]  # of the terms that it links, by the id of their box

    @property
    def part(self) -> str:
        return self.address.split("/")[0]

    @property
    def depth(self) -> int:
        """0: a part's first page, 1: a chapter, 2: a page of a chapter."""
        folders = self.address.count("/")
        return folders - 1 if self.address.endswith("/index.html") else folders


def require_site(site: Path) -> None:
    """Refuses a folder that holds no site, or one that already offers what is to be made of it."""
    if not (site / "index.html").exists() or not (site / "_static/site.js").exists():
        raise LockstepError(f"{site} holds no built site; run make html")
    if (site / TAKEAWAY).exists():
        raise LockstepError(
            f"the site in {site} offers files to take away already; build it without them: LOCKSTEP_TAKEAWAY=no make html"
        )


def told(made: Path) -> str:
    """A line about a file that was made."""
    return f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB"


def published() -> str:
    """Where the site stands on the network, with a slash at its end; empty if that is not said, as in conf.py."""
    return os.environ.get("LOCKSTEP_URL", "")


def order(site: Path) -> list[str]:
    """The addresses of all pages that belong to the book, as a reader turns them."""
    found = ["index.html"]
    while True:
        here = found[-1]
        head = (site / here).read_text(encoding="utf-8").partition("<body")[0]
        if not (match := _NEXT.search(head)):
            return found
        following = posixpath.normpath(posixpath.join(posixpath.dirname(here), match[1]))
        if following in found or not (site / following).exists():
            raise LockstepError(f"{here} names {following} as the next page, which does not follow it")
        found.append(following)


def of_part(site: Path, part: str) -> list[str]:
    """The addresses of a part's pages."""
    found = [address for address in order(site) if address.startswith(f"{part}/")]
    if not found:
        raise LockstepError(f"the site in {site} has no part {part}")
    return found


def read(site: Path, address: str) -> Page:
    """A page, cleaned."""
    html = (site / address).read_text(encoding="utf-8")
    start = html.find("<article")
    soup = BeautifulSoup(html[start : html.rfind("</article>")], "html.parser")
    body = soup.article
    if start < 0 or body is None or body.h1 is None:
        raise LockstepError(f"{address} is no page of the site: it has no article with a title")
    definitions = {str(box["id"]): box.extract() for box in body.select(".lockstep-definitions > [id]")}
    clean(body)
    return Page(address, body.h1.get_text(), body, definitions)


def clean(body: Tag) -> None:
    """Takes away what a book has no use for."""
    for element in body.select(_LEFT_OUT):
        element.decompose()
    for more in body.select("details.lockstep-more"):
        more.name = "div"
    for summary in body.select("details.lockstep-provenance > summary"):
        details = summary.parent
        summary.name = "p"
        summary["class"] = "lockstep-caption"
        if details:
            details.replace_with(summary)
    for name in ("tabindex", "data-note", "loading"):
        for element in body.select(f"[{name}]"):
            del element[name]


def headings(body: Tag) -> Iterator[Tag]:
    yield from body.find_all(_HEADING)


def pictures(page: Page) -> Iterator[tuple[Tag, str]]:
    """The pictures of a page that are files of the site, each with its address there."""
    for image in page.body.find_all("img", src=True):
        parts = urlsplit(str(image["src"]))
        if not parts.scheme:
            yield image, posixpath.normpath(posixpath.join(posixpath.dirname(page.address), unquote(parts.path)))


def resolve(page: Page, where: Where) -> None:
    """Has each link lead where `where` says, and unlinks what leads nowhere; links to elsewhere stay."""
    for link in page.body.find_all("a", href=True):
        link.attrs.pop("download", None)
        href = str(link["href"])
        if scheme := urlsplit(href).scheme:
            if scheme not in (
                "https",
                "http",
                "mailto",
            ):  # a text such as file:line, which docutils takes for an address
                link.unwrap()
            continue
        path, anchor = urldefrag(href)
        folder = posixpath.dirname(page.address)
        address = posixpath.normpath(posixpath.join(folder, path)) if path else page.address
        target = where(address, anchor)
        if target is None:
            link.unwrap()
        else:
            link["href"] = target
