"""Digests of content: what is the same has the same key, wherever it stands and however old it is."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

NOT_READ = (".pyc", ".part")


def digest(parts: Iterable[str | bytes]) -> str:
    """A short digest of texts; where one ends counts."""
    hashed = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        hashed.update(f"{len(content)} ".encode() + content)
    return hashed.hexdigest()[:16]


def content(root: Path, paths: Iterable[str]) -> str:
    """A digest of files, and of all that folders hold, names included."""
    found: list[Path] = []
    for path in paths:
        place = root / path
        found += [place] if place.is_file() else place.rglob("*")
    kept = sorted({p for p in found if p.is_file() and p.suffix not in NOT_READ})
    return digest(part for p in kept for part in (str(p.relative_to(root)), p.read_bytes()))
