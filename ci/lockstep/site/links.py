"""Finds links of a built site that lead nowhere within it, and last words of a page that name the next one.

    python3 ci site links [FOLDER]      (default: build/html)

Links to other hosts are left alone. An address that begins with a slash counts from the folder.
The footer leads to the page that follows. A page may end with "Next:" and the first page of another chapter.
"""

import argparse
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lockstep.files import ROOT

IGNORED = {"_static", "_search"}


class Page(HTMLParser):
    """The anchors that a page has, and the addresses that it uses with their lines."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[int, str]] = []
        self.named_next: tuple[int, str] | None = None  # in its text
        self.next = ""  # in its footer
        self._naming = False
        self.feed(text)

    def handle_data(self, data: str) -> None:
        self._naming = self._naming or data.lstrip().startswith("Next: ")

    def handle_endtag(self, tag: str) -> None:
        self._naming = self._naming and tag != "p"

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag == "a" and self._naming:
            self.named_next, self._naming = (self.getpos()[0], given.get("href") or ""), False
        if tag == "a" and given.get("class") == "next-page":
            self.next = given.get("href") or ""
        for name, value in attributes:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src", "action") and value:
                self.links.append((self.getpos()[0], value))


def pages(folder: Path) -> list[Path]:
    """The pages of a site, less what tools put beside them."""
    return sorted(p for p in folder.rglob("*.html") if p.relative_to(folder).parts[0] not in IGNORED)


def findings(folder: Path) -> list[str]:
    """One line for each link that leads nowhere."""
    parsed = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in pages(folder)}
    found = []
    for path, page in parsed.items():
        for line, link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            where = f"{path.relative_to(folder.resolve())}:{line}"
            base = folder if parts.path.startswith("/") else path.parent
            target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            if target.is_dir():
                target = target / "index.html"
            if not target.exists():
                found.append(f"{where}: {link} leads to no file; fix the link or the name of its target")
            elif parts.fragment and target in parsed and unquote(parts.fragment) not in parsed[target].anchors:
                found.append(f"{where}: {link} names an anchor that its page lacks; fix the link or its target")
        if page.named_next and page.next:
            line, link = page.named_next
            where = f"{path.relative_to(folder.resolve())}:{line}"
            if link == page.next:
                found.append(f'{where}: the footer leads to {link} already; take out "Next:"')
            elif not link.endswith("index.html"):
                found.append(f'{where}: {link} is named as the next page, but {page.next} follows; take out "Next:"')
    return found


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site links", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("build", nargs="?", type=Path, default=ROOT / "build/html", metavar="BUILD_DIR")
    folder: Path = parser.parse_args(argv).build
    if not pages(folder):
        print(f"links: no pages in {folder}; run `make html` first", file=sys.stderr)
        return 2
    found = findings(folder)
    print("\n".join(found) or f"links and anchors of {len(pages(folder))} pages lead somewhere")
    return 1 if found else 0
