"""What was found or made before, by the content of all that decides it: in ~/.cache/lockstep, or $XDG_CACHE_HOME/lockstep.

It saves time and changes nothing else: a key is a digest of everything that is read, tools included, and only what passed
stands under one. LOCKSTEP_CACHE=no looks nothing up, as `make check ALL=1` does. What was not asked for within thirty days
goes.
"""

import os
import subprocess
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from lockstep import files

DAYS = 30


def folder() -> Path:
    """Where results are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lockstep"


def _file(kind: str, key: str) -> Path:
    return folder() / kind / key[:2] / key


def get(kind: str, key: str) -> bytes | None:
    """What is kept under a key, or None."""
    if os.environ.get("LOCKSTEP_CACHE") == "no":
        return None
    file = _file(kind, key)
    try:
        found = file.read_bytes()
        os.utime(file)
    except OSError:
        return None
    return found


def put(kind: str, key: str, result: bytes = b"") -> None:
    """Keeps a result; where nothing can be written, nothing is kept."""
    file = _file(kind, key)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(file, result)
    except OSError:
        return


def due(kind: str, keys: Mapping[str, str]) -> list[str]:
    """The names under whose key nothing is kept."""
    return [name for name, key in keys.items() if get(kind, key) is None]


def prune(now: float | None = None) -> int:
    """Removes what was not asked for lately; returns how many results."""
    oldest = (time.time() if now is None else now) - DAYS * 86_400
    old = [p for p in folder().glob("*/??/*") if p.is_file() and p.stat().st_mtime < oldest]
    for file in old:
        file.unlink(missing_ok=True)
    return len(old)


@cache
def version(command: str) -> str:
    """What a tool says that it is; nothing if it is missing."""
    try:
        run = subprocess.run([command, "--version"], capture_output=True, text=True, encoding="utf-8", check=False)
    except FileNotFoundError:
        return ""
    return run.stdout


def versions(*commands: str) -> str:
    """What tools say that they are, for a key of what they decide."""
    return "\n".join(map(version, commands))
