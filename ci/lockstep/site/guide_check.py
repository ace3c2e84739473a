"""Compares the guide's map with the built site: whatever it names must exist.

    python3 ci site guide-map [FOLDER]      (default: build/html)

docs/reference/guide_map says which page and heading covers which section of the CUDA Programming Guide, and which program
shows a fact. Each target must be a page of the site with that anchor, and each program be recorded. A section that names
a page needs a fact that some page states, its own or one of a section below it; a section with such a fact names a page.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from lockstep import guide_map
from lockstep.files import ROOT
from lockstep.guide_map import GuideMap, Section
from lockstep.programs import declarations
from lockstep.programs.declarations import Program
from lockstep.site.links import Page


class Targets:
    """The pages of a site, each read when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._anchors: dict[str, set[str] | None] = {}

    def anchors(self, page: str) -> set[str] | None:
        """The anchors of a page; None if there is no such page."""
        if page not in self._anchors:
            path = self.folder / f"{page}.html"
            self._anchors[page] = Page(path.read_text(encoding="utf-8")).anchors if path.is_file() else None
        return self._anchors[page]

    def fault(self, target: str) -> str:
        """What is wrong with a target such as `part/page#anchor`; empty if it is there."""
        page, mark, anchor = target.partition("#")
        anchors = self.anchors(page)
        if anchors is None:
            return f"{page} is no page of the site; name one that is"
        if mark and anchor not in anchors:
            return f"{page} has no anchor {anchor!r}; name a heading that it has"
        return ""


def findings(found: GuideMap, folder: Path, programs: dict[str, Program]) -> list[str]:
    """One line for each thing that the map says and that is not so."""
    targets = Targets(folder)
    by_name = {program.name: program for program in programs.values()}
    if found.problems:
        return found.problems
    lines: list[str] = []
    for section in found.sections.values():
        lines += _of_section(section, found, targets)
        for fact in section.facts:
            if fact.at and (fault := targets.fault(fact.at)):
                lines.append(f"{fact.where}: {fault}")
            if fact.at and "#" not in fact.at:
                lines.append(f"{fact.where}: {fact.at} names no anchor; add the heading that states the fact")
            if fact.program and fact.program not in by_name:
                lines.append(f"{fact.where}: no program is called {fact.program}; correct the name")
            elif fact.program and not by_name[fact.program].console.exists():
                lines.append(f"{fact.where}: {fact.program} has no recording; name one that has")
    return lines


def _of_section(section: Section, found: GuideMap, targets: Targets) -> Iterator[str]:
    where = f"{section.where}: {section.number}"
    for target in (*section.at, *section.begun):
        if fault := targets.fault(target):
            yield f"{where}: {fault}"
    below = [other for other in found.sections.values() if other.number.startswith(f"{section.number}.")]
    if section.at and not any(other.mapped for other in (section, *below)):
        yield f"{where} names {section.at[0]}, but no fact of it is on any page; write one, or take the page back"
    if section.mapped and not section.at:
        yield f"{where} has facts on {section.pages[0]}, but names no page; add it as 'at'"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site guide-map", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("build", nargs="?", type=Path, default=ROOT / "build/html", metavar="BUILD_DIR")
    folder: Path = parser.parse_args(argv).build
    if not (folder / "index.html").exists():
        print(f"guide-map: no pages in {folder}; run `make html` first", file=sys.stderr)
        return 2
    found = guide_map.load(ROOT / "docs")
    lines = findings(found, folder, declarations.load(ROOT))
    sections = list(found.sections.values())
    facts = [fact for section in sections for fact in section.facts]
    covered = sum(bool(section.at) for section in sections)
    print(
        "\n".join(lines)
        or f"{covered} of {len(sections)} sections are covered; {sum(bool(fact.at) for fact in facts)} of {len(facts)} facts "
        f"are on pages, {sum(bool(fact.program) for fact in facts)} with a program"
    )
    return 1 if lines else 0
