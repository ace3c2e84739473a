"""Results of the emulator that survive a clean clone, as a compiler cache does: in ~/.cache/lockstep, or LOCKSTEP_CACHE.

A result stands under a key of all that it depends on: the program, its headers, the recordings, the emulator, the tools.
`make check ALL=1` does not look at them. What was not asked for within thirty days goes.
"""

import os
import time
from pathlib import Path

from lockstep import files

DAYS = 30


def folder() -> Path:
    """Where results are kept."""
    if place := os.environ.get("LOCKSTEP_CACHE"):
        return Path(place)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lockstep"


def _file(kind: str, key: str) -> Path:
    return folder() / kind / key[:2] / key


def get(kind: str, key: str) -> bytes | None:
    """What is kept under a key, or None."""
    file = _file(kind, key)
    try:
        found = file.read_bytes()
        os.utime(file)
    except OSError:
        return None
    return found


def put(kind: str, key: str, result: bytes) -> None:
    """Keeps a result; where nothing can be written, nothing is kept."""
    file = _file(kind, key)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(file, result)
    except OSError:
        return


def prune(now: float | None = None) -> int:
    """Removes what was not asked for lately; returns how many results."""
    oldest = (time.time() if now is None else now) - DAYS * 86_400
    old = [p for p in folder().glob("*/??/*") if p.is_file() and p.stat().st_mtime < oldest]
    for file in old:
        file.unlink(missing_ok=True)
    return len(old)
