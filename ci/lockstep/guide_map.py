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

Each other file there holds facts that a covered section must teach:

    [[fact]]
    section = "2.2.4.1"                             # a section of the list, or one below it
    text = "A warp's accesses are combined into as few 32-byte sectors as hold the addresses."
    at = "programming/simt_kernels/coalescing#sectors-and-transactions"
    program = "sectors"                             # optional: the recorded program that shows it

A fact that no page states yet has `missing = "why"` in place of `at`.
"""

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = "reference/guide_map"  # below docs
SECTIONS = "sections.toml"


@dataclass(frozen=True)
class Fact:
    """What a section teaches, and where this site does."""

    section: str  # as the file says
    text: str
    at: str = ""  # empty: no page states it yet
    program: str = ""
    missing: str = ""
    where: str = field(default="", compare=False)  # the file and the number of the fact in it


@dataclass
class Section:
    """A section of a guide, or a module of a training series."""

    number: str
    title: str
    address: str  # of the vendor's page
    source: str  # what it is a section of
    group: str
    at: tuple[str, ...] = ()
    facts: list[Fact] = field(default_factory=list)

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

    name: str
    title: str
    source: str
    sections: list[Section] = field(default_factory=list)


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
            content = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            made.problems.append(f"{path.name}: {error}; correct the file")
            continue
        if path.name == SECTIONS:
            _read_groups(made, content)
        else:
            _read_facts(made, path.name, content)
    return made


class _Wrong(ValueError):
    """What is wrong with one table of a file."""


def _strings(table: Any, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, str]:
    """The values of a table that may hold these keys and no other."""
    if not isinstance(table, dict):
        raise _Wrong("is no table")
    if unknown := table.keys() - {*required, *optional}:
        raise _Wrong(f"has a key {sorted(unknown)[0]!r} that means nothing here")
    for key in required:
        if key not in table:
            raise _Wrong(f"lacks {key!r}")
    for key, value in table.items():
        if not isinstance(value, str) or not value.strip():
            raise _Wrong(f"has no text as {key!r}")
    return table


def _tables(made: GuideMap, name: str, content: dict[str, Any], key: str) -> list[Any]:
    """The tables of a file, which may hold nothing else."""
    if unknown := sorted(content.keys() - {key}):
        made.problems.append(f"{name}: {unknown[0]!r} means nothing here; there are only [[{key}]]")
    found = content.get(key, [])
    if not isinstance(found, list):
        made.problems.append(f"{name}: write [[{key}]], with two brackets")
        return []
    return found


def _read_groups(made: GuideMap, content: dict[str, Any]) -> None:
    known: set[str] = set()
    for count, table in enumerate(_tables(made, SECTIONS, content, "group"), 1):
        try:
            listed = table.pop("section", []) if isinstance(table, dict) else []
            given = _strings(table, ("name", "title", "source", "address"))
        except _Wrong as error:
            made.problems.append(f"{SECTIONS}: group {count} {error}")
            continue
        group = Group(given["name"], given["title"], given["source"])
        made.groups.append(group)
        for row in listed:
            try:
                section = _section(group, given["address"], row)
            except _Wrong as error:
                made.problems.append(f"{SECTIONS}: a section of {group.name!r} {error}")
                continue
            if section.number in known:
                made.problems.append(f"{SECTIONS}: {section.number} is listed twice; remove one")
                continue
            known.add(section.number)
            group.sections.append(section)


def _section(group: Group, address: str, row: Any) -> Section:
    at = row.pop("at", []) if isinstance(row, dict) else []
    if not isinstance(at, list) or not all(isinstance(target, str) and target for target in at):
        raise _Wrong(f"({row.get('number', 'without a number')}) has an 'at' that is no list of pages")
    given = _strings(row, ("number", "title", "address"))
    if len(set(at)) < len(at):
        raise _Wrong(f"({given['number']}) names a target twice")
    return Section(given["number"], given["title"], address + given["address"], group.source, group.name, tuple(at))


def _read_facts(made: GuideMap, name: str, content: dict[str, Any]) -> None:
    sections = made.sections
    known: dict[tuple[str, str], str] = {
        (fact.section, fact.text): fact.where for section in sections.values() for fact in section.facts
    }
    for count, table in enumerate(_tables(made, name, content, "fact"), 1):
        where = f"{name}: fact {count}"
        try:
            given = _strings(table, ("section", "text"), ("at", "program", "missing"))
        except _Wrong as error:
            made.problems.append(f"{where} {error}")
            continue
        fact = Fact(**given, where=where)
        if bool(fact.at) == bool(fact.missing):
            made.problems.append(f"{where} needs either 'at' or 'missing'")
            continue
        number = fact.section
        while number and number not in sections:
            number = above(number)
        if not number:
            made.problems.append(f"{where} is of {fact.section!r}, which {SECTIONS} does not list; correct the number")
            continue
        key = fact.section, fact.text
        if key in known:
            made.problems.append(f"{where} says the same as {known[key]}; remove one")
            continue
        known[key] = where
        sections[number].facts.append(fact)
