"""Asks git when files were added and last changed, and writes it down for the pages.

    python3 ci site history [--recordings COMMIT]

Writes build/history.json. With --recordings it also fills build/committed with the recordings of that commit that are
not as they are here; `make serve` shows those of another GPU beside them. Without git, or with a part of the history
only, nothing is known: a date that is not told is better than a wrong one.
"""

import argparse
import json
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lockstep import data, files
from lockstep.files import ROOT

FILE = Path("build/history.json")
COMMITTED = Path("build/committed")
FOLDERS = ("docs", "programs")


def head(root: Path) -> str:
    """What names the state of the history; empty if not all of it is there."""
    if _git(root, "rev-parse", "--is-shallow-repository").strip() != "false":
        return ""
    return _git(root, "rev-parse", "HEAD").strip()


def dates(root: Path, *folders: str) -> dict[str, tuple[str, str]]:
    """The days on which all files of these folders were added and last changed, by their paths below the root."""
    times: dict[str, list[int]] = {}
    said = _git(root, "log", "--format=%x00%ct", "--name-only", "--no-renames", "--relative", "--", *folders)
    for commit in said.split("\0")[1:]:
        time, *paths = commit.split("\n")
        for path in filter(None, paths):
            times.setdefault(path, []).append(int(time))
    return {path: (_day(min(all_times)), _day(max(all_times))) for path, all_times in sorted(times.items())}


def note(root: Path) -> None:
    """Writes the dates down, unless they are written already."""
    now = head(root)
    path = root / FILE
    if (known := data.remembered(path, dict[str, Any], root)) and known.get("head") == now:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(path, json.dumps({"head": now, "files": dates(root, *FOLDERS) if now else {}}) + "\n")


def keep_recordings(root: Path, commit: str) -> None:
    """Fills a folder with the recordings of a commit that are not as they are here."""
    kept = root / COMMITTED
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    for name in _git(root, "diff", "--name-only", "--relative", commit, "--", "programs").splitlines():
        if name.endswith((".console", ".csv")) and (text := _git(root, "show", f"{commit}:./{name}")):
            (kept / name).parent.mkdir(parents=True, exist_ok=True)
            files.write(kept / name, text)


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


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site history")
    parser.add_argument("--recordings", metavar="COMMIT")
    options = parser.parse_args(argv)
    note(ROOT)
    if options.recordings:
        keep_recordings(ROOT, options.recordings)
    return 0
