"""When files were added and last changed, by the history that git keeps; no Sphinx imports.

Without git, or with a part of the history only, nothing is known: a date that is not told is better than a wrong one.
"""

import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path


@dataclass(frozen=True)
class Dates:
    """Days, such as 2026-11-23."""

    added: str
    changed: str


def head(root: Path) -> str:
    """What names the state of the history; empty if not all of it is there."""
    if _git(root, "rev-parse", "--is-shallow-repository").strip() != "false":
        return ""
    return _git(root, "rev-parse", "HEAD").strip()


def dates(root: Path, *folders: str) -> dict[str, Dates]:
    """The dates of all files of these folders, by their paths below the root; one call of git, however many they are."""
    times: dict[str, list[int]] = {}
    said = _git(root, "log", "--format=%x00%ct", "--name-only", "--no-renames", "--relative", "--", *folders)
    for commit in said.split("\0")[1:]:
        time, *paths = commit.split("\n")
        for path in filter(None, paths):
            times.setdefault(path, []).append(int(time))
    return {path: Dates(_day(min(all_times)), _day(max(all_times))) for path, all_times in times.items()}


def _day(time: int) -> str:
    return datetime.fromtimestamp(time, UTC).date().isoformat()


def _git(root: Path, *arguments: str) -> str:
    """What git says; nothing where it is missing or fails. A container may build files that another user owns."""
    command = ["git", "-C", str(root), "-c", "core.quotePath=off", "-c", f"safe.directory={root}", *arguments]
    try:
        said = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return said.stdout if said.returncode == 0 else ""
