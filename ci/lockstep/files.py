"""Files: the project's root, texts in UTF-8, and files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The project's root: the tools stand two folders below it."""


def write(path: Path, text: str) -> None:
    """Writes a text so that it is never seen half-written."""
    write_whole(path, text.encode())


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that it is never seen half-written."""
    with whole(path) as part:
        part.write_bytes(content)


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Where to write what becomes this file when all of it is written."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")  # two processes may write it at once
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
