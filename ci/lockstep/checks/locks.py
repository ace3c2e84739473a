"""Compares each list of packages, ci/requirements*.in, with its lock: what is asked for is locked, and with its hashes."""

import re
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

_CURE = "run make lock"
_LOCKED = re.compile(r"([\w.-]+)==([\w.!+-]+)((?:\s+--hash=\S+)*)\s*")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def problems(root: Path) -> list[str]:
    """What is wrong with the locks, each with file and line."""
    return [
        f"{path.relative_to(root)}:{line}: {text}; {_CURE}"
        for asked in sorted((root / "ci").glob("requirements*.in"))
        for path, line, text in _of(asked, asked.with_suffix(".txt"))
    ]


def _of(asked: Path, lock: Path) -> Iterator[tuple[Path, int, str]]:
    locked: dict[str, str] = {}
    wanted_by: list[tuple[int, str, str]] = []
    for line, text in _statements(lock):
        if via := re.fullmatch(r"# (?:via )?(?:-r )?([\w./-]+)", re.sub(r"\s+", " ", text)):
            if locked and via[1] != "via":
                wanted_by.append((line, list(locked)[-1], via[1]))
        elif text.startswith("#"):
            continue
        elif not (match := _LOCKED.fullmatch(text)):
            yield lock, line, f'"{text.split()[0]}" is no package with its version, as in name==1.0, and hashes'
        else:
            locked[canonicalize_name(match[1])] = match[2]
            digests = match[3].replace("--hash=", "").split()
            if not digests:
                yield lock, line, f"{match[1]} has no hash"
            for digest in digests:
                if not _DIGEST.fullmatch(digest):
                    yield lock, line, f"{digest} of {match[1]} is no sha256: of 64 hexadecimal digits"
    asks: set[str] = set()
    for line, text in _statements(asked):
        text = text.partition("#")[0].strip()
        if not text:
            continue
        try:
            need = Requirement(text)
        except InvalidRequirement:
            yield asked, line, f'"{text}" is no requirement, as in name<2'
            continue
        name: str = canonicalize_name(need.name)
        asks.add(name)
        if name not in locked:
            yield asked, line, f"{need.name} is not in {lock.name}"
        elif not need.specifier.contains(locked[name], prereleases=True):
            yield asked, line, f"{lock.name} has {name}=={locked[name]}, which is not {text}"
    for line, name, owner in wanted_by:
        there = name in asks if owner.endswith(".in") else canonicalize_name(owner) in locked
        if not there:
            yield lock, line, f"{owner}, for which {name} is locked, no longer asks for it or is gone"


def _statements(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file, each with those that a backslash at its end continues it with, and its number."""
    begun, text = 0, ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path.exists() else [], 1):
        begun, text = begun or number, text + line.removesuffix("\\")
        if not line.endswith("\\"):
            if text.strip():
                yield begun, text.strip()
            begun, text = 0, ""
