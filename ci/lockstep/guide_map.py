"""The guide's map: which page and heading here covers which section of the CUDA Programming Guide, and which facts.

docs/reference/guide_map/ holds it. `sections.toml` lists the sections, in groups of which each is a page of the map:

    [[group]]
    name = "programming"                            # the page docs/reference/guide/programming.rst
    title = "2 Programming GPUs in CUDA"
    source = "CUDA Programming Guide 13.1"
    address = "https://docs.nvidia.com/..."         # what the addresses of its sections begin with
    [[group.section]]
    number = "2.2.4"
    title = "Memory Performance"
    address = "02-basics/writing-cuda-kernels.html#memory-performance"
    at = ["programming/simt_kernels/coalescing"]    # what covers it here, the best first; left out: not covered yet
    begun = ["advanced/tour"]                       # in place of `at`: what says something of it, but does not cover it

Each other file there holds facts that a covered section must teach:

    [[fact]]
    section = "2.2.4.1"                             # a section of the list, or one below it
    text = "A warp's accesses are combined into as few 32-byte sectors as hold the addresses."
    at = "programming/simt_kernels/coalescing#sectors-and-transactions"
    program = "sectors"                             # optional: the recorded program that shows it

A fact that no page states yet has `missing = "why"` in place of `at`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lockstep import data

FOLDER = "reference/guide_map"  # below docs
SECTIONS = "sections.toml"


@dataclass
class Fact:
    """What a section teaches, and where this site does."""

    section: data.Text  # as the file says
    text: data.Text
    at: data.Text = ""  # empty: no page states it yet
    program: data.Text = ""
    missing: data.Text = ""
    where: str = field(default="", init=False, repr=False, compare=False)  # file and line

    def contradictions(self) -> data.Problems:
        if bool(self.at) == bool(self.missing):
            yield "section", "needs either 'at' or 'missing'"


@dataclass
class Section:
    """A section of a guide, or a module of a training series."""

    number: data.Text
    title: data.Text
    address: str  # of the vendor's page; in the file, what follows the group's
    at: tuple[data.Text, ...] = ()
    begun: tuple[data.Text, ...] = ()
    source: str = field(default="", init=False)  # what it is a section of
    group: str = field(default="", init=False)
    facts: list[Fact] = field(default_factory=list, init=False)
    where: str = field(default="", init=False, repr=False, compare=False)  # file and line

    def contradictions(self) -> data.Problems:
        if self.at and self.begun:
            yield "begun", f"{self.number} is covered, so it has no 'begun'; remove that"
        for key, targets in (("at", self.at), ("begun", self.begun)):
            if len(set(targets)) < len(targets):
                yield key, "names a target twice"

    @property
    def anchor(self) -> str:
        """Its place on its page of the map."""
        return "section-" + re.sub(r"[^a-z0-9]+", "-", self.number.lower())

    @property
    def mapped(self) -> list[Fact]:
        """The facts that some page states."""
        return [fact for fact in self.facts if fact.at]

    @property
    def pages(self) -> list[str]:
        """The pages that cover it or state one of its facts, the best first."""
        return list(dict.fromkeys(page_of(target) for target in (*self.at, *(fact.at for fact in self.mapped))))


@dataclass
class Group:
    """Sections that stand on one page of the map."""

    name: data.Text
    title: data.Text
    source: data.Text
    address: data.Text
    section: list[Section] = field(default_factory=list)

    @property
    def sections(self) -> list[Section]:
        return self.section


@dataclass
class _Groups:
    """What the list of sections holds."""

    group: list[Group]


@dataclass
class _Facts:
    """What every other file holds."""

    fact: list[Fact]


@dataclass
class GuideMap:
    """All that the files say, and what is wrong with them: a line each."""

    groups: list[Group] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def sections(self) -> dict[str, Section]:
        return {section.number: section for group in self.groups for section in group.sections}

    def covering(self) -> dict[str, list[tuple[Section, bool]]]:
        """For each page, the sections that it covers; True where it is the section's first page."""
        found: dict[str, list[tuple[Section, bool]]] = {}
        for section in self.sections.values():
            for page in section.pages:
                found.setdefault(page, []).append((section, bool(section.at) and page == page_of(section.at[0])))
        return found


def page_of(target: str) -> str:
    """The page of a target such as `part/page#anchor`."""
    return target.partition("#")[0]


def above(number: str) -> str:
    """The number of the section that a section lies in; empty if none does."""
    return number.rpartition(".")[0] if re.fullmatch(r"\d+(\.\d+)+", number) else ""


def files(docs: Path) -> list[Path]:
    """The files of a map, the list of sections first."""
    folder = docs / FOLDER
    return sorted(folder.glob("*.toml"), key=lambda path: (path.name != SECTIONS, path.name))


def load(docs: Path) -> GuideMap:
    """Reads the map that stands below a folder of pages."""
    made = GuideMap()
    for path in files(docs):
        try:
            if path.name == SECTIONS:
                made.problems += _add_groups(made, data.document(path, _Groups, docs.parent))
            else:
                made.problems += _add_facts(made, data.document(path, _Facts, docs.parent))
        except data.DataError as error:
            made.problems += error.findings
    return made


def _add_groups(made: GuideMap, listed: data.Document[_Groups]) -> Iterator[str]:
    known: dict[str, str] = {}
    for i, group in enumerate(listed.value.group):
        made.groups.append(group)
        for j, section in enumerate(group.section):
            section.where = listed.at("group", i, "section", j)
            section.address, section.source, section.group = group.address + section.address, group.source, group.name
            if section.number in known:
                yield f"{section.where}: {section.number} is listed at {known[section.number]} already; remove one"
            known[section.number] = section.where


def _add_facts(made: GuideMap, listed: data.Document[_Facts]) -> Iterator[str]:
    sections = made.sections
    known = {(fact.section, fact.text): fact.where for section in sections.values() for fact in section.facts}
    for i, fact in enumerate(listed.value.fact):
        fact.where = listed.at("fact", i)
        number = fact.section
        while number and number not in sections:
            number = above(number)
        key = fact.section, fact.text
        if not number:
            yield f"{fact.where}: is of {fact.section!r}, which {SECTIONS} does not list; correct the number"
        elif key in known:
            yield f"{fact.where}: says the same as {known[key]}; remove one"
        else:
            known[key] = fact.where
            sections[number].facts.append(fact)
