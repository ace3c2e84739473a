"""When files were added and last changed, as `python3 ci site history` wrote it down."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Dates:
    """Days, such as 2026-11-23."""

    added: str
    changed: str


def dates(root: Path) -> dict[str, Dates]:
    """The dates of all files whose history is known, by their paths below the root."""
    path = root / "build/history.json"
    known = json.loads(path.read_text(encoding="utf-8"))["files"] if path.exists() else {}
    return {name: Dates(added, changed) for name, (added, changed) in known.items()}
