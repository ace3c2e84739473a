"""When files were added and last changed, as `python3 ci site history` wrote it down."""

from dataclasses import dataclass
from pathlib import Path

from lockstep import data


@dataclass(frozen=True)
class Dates:
    """Days, such as 2026-11-23."""

    added: str
    changed: str


@dataclass(frozen=True)
class Known:
    """What is written down: of which commit, and for each file when it was added and last changed."""

    head: str
    files: dict[str, tuple[data.Day, data.Day]]


def dates(root: Path) -> dict[str, Dates]:
    """The dates of all files whose history is known, by their paths below the root."""
    known = data.remembered(root / "build/history.json", Known, root)
    return {name: Dates(added, changed) for name, (added, changed) in known.files.items()} if known else {}
