"""Looks at what frames the pages of a built site: the way to each, its neighbors, what search engines and previews read.

    python3 ci site frames [FOLDER]      (default: build/html)

Each page has one viewport, a description of at most 160 characters, breadcrumbs, and a name for what stands beside its
text. Programs follow each other in both directions. A site with an address names it on every page, and lists all pages
in its sitemap; a site without one names none.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from lockstep.files import ROOT
from lockstep.site.links import pages

LONGEST = 160  # of a description
UNLISTED = ("404.html", "search.html")  # they have no place in an index
WITHOUT_TRAIL = ("index.html", "404.html")

_TRAIL = re.compile(r'<nav class="[^"]*" aria-label="breadcrumbs">(.*?)</nav>', re.S)
_ASIDE = re.compile(r"<aside\b[^>]*>")
_NEIGHBOR = re.compile(r'<a class="(next|prev)-page" href="([^"]*)"')
_SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


@dataclass(frozen=True)
class Frame:
    """What a page's HTML says beside its text."""

    viewports: int
    descriptions: list[str]
    trail: str
    unnamed: int  # asides that have no name
    neighbors: dict[str, str]
    canonical: list[str]
    shown_at: list[str]  # the addresses that previews name
    images: list[str]

    @staticmethod
    def read(html: str) -> "Frame":
        head = html.partition("<body")[0]
        trail = _TRAIL.search(html)
        return Frame(
            len(re.findall('name="viewport"', head)),
            _contents(head, "name", "description"),
            trail[1] if trail else "",
            sum("aria-label" not in tag for tag in _ASIDE.findall(html)),
            dict(_NEIGHBOR.findall(html)),
            re.findall('<link rel="canonical" href="([^"]*)"', head),
            _contents(head, "property", "og:url"),
            _contents(head, "property", "og:image"),
        )


def _contents(head: str, key: str, name: str) -> list[str]:
    return [unescape(text) for text in re.findall(f'<meta {key}="{name}" content="([^"]*)"', head)]


def findings(folder: Path) -> list[str]:
    """One line for each fault."""
    frames = {
        path.relative_to(folder).as_posix(): Frame.read(path.read_text(encoding="utf-8")) for path in pages(folder)
    }
    found = [f"{name}: {text}" for name, frame in frames.items() for text in _of_page(name, frame)]
    return found + _neighbors(frames) + _addresses(folder, frames)


def _of_page(name: str, frame: Frame) -> list[str]:
    found = []
    if frame.viewports != 1:
        found.append(f"{frame.viewports} viewport tags; leave one")
    if frame.unnamed:
        found.append(f"{frame.unnamed} aside without a name; give it an aria-label")
    if name not in UNLISTED:
        if len(frame.descriptions) != 1 or not frame.descriptions[0]:
            found.append("no description, or more than one; begin the page with a paragraph")
        elif len(frame.descriptions[0]) > LONGEST:
            found.append(f"its description has {len(frame.descriptions[0])} characters, over {LONGEST}; shorten it")
    if name not in WITHOUT_TRAIL:
        links = frame.trail.count("<a ")
        if not links or 'aria-current="page"' not in frame.trail:
            found.append("no breadcrumbs that end in this page; name it in a toctree")
        elif name.startswith("programs/") and links < 2:
            found.append("its breadcrumbs name no chapter; show the program on a page")
    return found


def _neighbors(frames: dict[str, Frame]) -> list[str]:
    """Programs that follow each other in one direction alone, or are in no line with the others."""
    programs = [name for name in sorted(frames) if name.startswith("programs/")]
    found = [
        f"{name}: its page has no previous program, as only the first of all may; docs/_ext/lockstep_sphinx/frame/trail.py"
        for name in [name for name in programs if "prev" not in frames[name].neighbors][1:]
    ]
    for name, frame in frames.items():
        for here, back in (("next", "prev"), ("prev", "next")):
            other = _target(name, frame.neighbors.get(here, ""))
            if name.startswith("programs/") and other:
                behind = frames[other].neighbors.get(back, "") if other in frames else ""
                if _target(other, behind) != name:
                    found.append(f"{name}: its {here} program is {other}, which does not name it in turn")
    return found


def _target(name: str, link: str) -> str:
    """The page that a link leads to; both are in one folder, or above each other."""
    if not link:
        return ""
    parts = name.split("/")[:-1]
    for step in link.split("/"):
        if step == "..":
            parts = parts[:-1]
        else:
            parts.append(step)
    return "/".join(parts)


def _addresses(folder: Path, frames: dict[str, Frame]) -> list[str]:
    """Whether all pages name their address, or none does, and the sitemap holds the same ones."""
    named = {name: frame.canonical[0] for name, frame in frames.items() if frame.canonical}
    sitemap = folder / "sitemap.xml"
    if not named:
        found = [
            f"{name}: names an address, but no canonical one" for name, f in frames.items() if f.shown_at or f.images
        ]
        return found + (["sitemap.xml: the site has no address; build it again"] if sitemap.exists() else [])
    found = []
    for name, frame in frames.items():
        if name in UNLISTED:
            continue
        address = named.get(name, "")
        if not address.endswith(f"/{name}") or frame.canonical != [address] or frame.shown_at != [address]:
            found.append(f"{name}: its canonical address and og:url must be one, and end in its name")
        if len(frame.images) != 1 or not frame.images[0].startswith(address.removesuffix(name) or "?"):
            found.append(f"{name}: its og:image must be an address of this site")
    if not sitemap.exists():
        return [*found, "sitemap.xml: is missing, though pages name their address"]
    listed = {url.text for url in ElementTree.parse(sitemap).iter(_SITEMAP)}
    found += [f"sitemap.xml: lacks {address}" for address in sorted(set(named.values()) - listed)]
    return found + [f"sitemap.xml: {address} is no page" for address in sorted(map(str, listed - set(named.values())))]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site frames", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build/html")
    options = parser.parse_args(argv)
    if not pages(options.folder):
        print(f"frames: no pages in {options.folder}; run `make html` first", file=sys.stderr)
        return 2
    found = findings(options.folder)
    print("\n".join(found) or f"{len(pages(options.folder))} pages are framed")
    return 1 if found else 0
