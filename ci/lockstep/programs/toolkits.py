"""The oldest CUDA toolkit that has what a program uses.

toolkits.json lists the names that came, and the functions whose parameters changed, after the oldest toolkit that was
examined. `python3 ci setup toolkit-headers` makes it out of the headers of the toolkits themselves.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

from lockstep import data
from lockstep.files import ROOT
from lockstep.programs import sources

TABLE = Path(__file__).with_name("toolkits.json")

# The first toolkit whose nvcc compiles for an architecture (nvcc's release notes), of those that came after the oldest.
_ARCHITECTURES = {100: "12.8", 101: "12.8", 103: "12.9", 110: "13.0", 120: "12.8", 121: "12.9"}

# Names that these libraries bring are looked for only with a qualifier, since they are ordinary words.
_SCOPES = ("cuda", "ptx")
_PUBLIC = re.compile(r"(?:cuda|cu|CU|CUDA_|__nv|__NV|__cluster|__grid|__block_size|__maxnreg)[A-Z_a-z]\w*")
_PROTOTYPE = re.compile(r"\b(cuda[A-Z]\w*|cu[A-Z]\w*)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*;")
_ALIAS = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(?:__CUDA_API_PT\w+\()?(\w+_v\d+)\b", re.M)


_Version = Annotated[str, data.Rule("a version such as 13.0", lambda text: bool(re.fullmatch(r"\d+\.\d+", text)))]


@dataclass(frozen=True)
class Table:
    """Since when toolkits know a name, and since when a function has the parameters of the newest toolkit."""

    examined: tuple[str, ...]
    since: Mapping[str, str]
    changed: Mapping[str, str]
    qualified: Mapping[str, str]


@dataclass(frozen=True)
class _Written:
    """The table as its file has it: names by version."""

    examined: tuple[_Version, ...]
    since: dict[str, list[data.Text]]
    changed: dict[str, list[data.Text]]
    qualified: dict[str, list[data.Text]]

    def contradictions(self) -> data.Problems:
        for key, group in (("since", self.since), ("changed", self.changed), ("qualified", self.qualified)):
            if unknown := sorted(set(group) - set(self.examined)):
                yield key, f"names {unknown[0]}, which is no version under examined"


def number(version: str) -> tuple[int, ...]:
    """A version for comparison."""
    return tuple(int(part) for part in version.split("."))


@cache
def load(path: Path = TABLE) -> Table:
    """The table that is in the repository."""
    read = data.read(path, _Written, ROOT, "python3 ci setup toolkit-headers writes it")

    def flat(group: Mapping[str, list[str]]) -> dict[str, str]:
        return {name: version for version, names in group.items() for name in names}

    return Table(read.examined, flat(read.since), flat(read.changed), flat(read.qualified))


def needs_toolkit(text: str, min_cc: int | None = None, table: Table | None = None) -> str:
    """The oldest examined toolkit that has all that a program uses.

    :param text:   the program with the headers that it uses, such as its download
    :param min_cc: the lowest compute capability that it is compiled for
    """
    known = table or load()
    words = sources.significant(text)
    found = [known.examined[0], _ARCHITECTURES.get(min_cc or 0, known.examined[0])]
    for i, word in enumerate(words):
        if word.kind != "word":
            continue
        if i > 1 and words[i - 1].text == "::":
            if words[i - 2].text in _SCOPES and word.text in known.qualified:
                found.append(known.qualified[word.text])
            continue
        if word.text in known.since:
            found.append(known.since[word.text])
        if word.text in known.changed and i + 1 < len(words) and words[i + 1].text == "(":
            found.append(known.changed[word.text])
    return max(found, key=number)


# ---- making the table


def names(text: str) -> set[str]:
    """The identifiers of a header, comments aside."""
    found = set()
    for token in sources.tokens(text):
        if token.kind in ("word", "directive"):
            found |= set(re.findall(r"[A-Za-z_]\w*", token.text.partition("//")[0]))
    return found


def signatures(text: str) -> dict[str, str]:
    """The parameter types of the functions that a header declares; a name that a macro replaces, as its replacement."""
    code = "".join(" " if token.kind == "comment" else token.text for token in sources.tokens(text))
    plain = "\n".join(line for line in code.splitlines() if not line.lstrip().startswith("#"))
    found = {match[1]: _types(match[2]) for match in _PROTOTYPE.finditer(plain)}
    renamed = {name: found[new] for name, new in _ALIAS.findall(code) if new in found}
    return found | renamed


def _types(parameters: str) -> str:
    """Parameter types in one spelling, without names and default values."""
    kept = []
    for parameter in parameters.split(","):
        words = re.findall(r"\w+|\*|&", re.sub(r"=.*|__dv\([^)]*\)", "", parameter))
        words = [word for word in words if word not in ("const", "struct", "enum", "union")]
        kept.append(" ".join(words[:-1] if len(words) > 1 and words[-1] not in ("*", "&") else words))
    return ", ".join(kept)


def make(toolkits: Mapping[str, Iterable[tuple[str, str]]], library_since: str) -> dict[str, object]:
    """The table as JSON has it.

    :param toolkits:       for each version, in order, the path and text of every header
    :param library_since:  the oldest version whose wheels hold libcu++ whole: its names count from there on
    """
    public: dict[str, set[str]] = {}
    library: dict[str, set[str]] = {}
    declared: dict[str, dict[str, str]] = {}
    for version, headers in toolkits.items():
        public[version], library[version], declared[version] = set(), set(), {}
        for path, text in headers:
            if "/cccl/" in path or "/cuda/" in path or "/cub/" in path or "/thrust/" in path or "/nv/" in path:
                library[version] |= names(text) if "/cuda/" in path else set()
                continue
            public[version] |= {name for name in names(text) if _PUBLIC.fullmatch(name)}
            if path.endswith(("/cuda_runtime_api.h", "/cuda.h")):
                declared[version] |= signatures(text)
    order = sorted(toolkits, key=number)
    newest = order[-1]
    since = {name: _first(name in public[v] for v in order) for name in public[newest]}
    later = [v for v in order if number(v) >= number(library_since)]
    qualified = {
        name: _first(name in library[v] for v in later) for name in library[newest] if not name.startswith("_")
    }  # fmt: skip
    changed = {
        name: _first(declared[v].get(name) == types for v in order)
        for name, types in declared[newest].items()
        if name in declared[order[0]] or any(name in declared[v] for v in order[:-1])
    }
    return {
        "examined": order,
        "since": _grouped(since, order, order[0]),
        "changed": _grouped({n: i for n, i in changed.items() if i > since.get(n, 0)}, order, order[0]),
        "qualified": _grouped(qualified, later, later[0]),
    }


def _first(has: Iterable[bool]) -> int:
    """The first place from which on all are true."""
    values = list(has)
    return next(i for i in range(len(values)) if all(values[i:]))


def _grouped(found: Mapping[str, int], order: list[str], oldest: str) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in sorted(found):
        version = order[found[name]]
        if version != oldest:
            groups.setdefault(version, []).append(name)
    return {version: groups[version] for version in sorted(groups, key=number)}
