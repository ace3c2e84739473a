"""Files: the project's root, texts in UTF-8, and files that are written whole or not at all.

What goes wrong names the file: the system says of a full disk only that it is full.
"""

import codecs
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lockstep.errors import LockstepError

ROOT = Path(__file__).resolve().parents[2]
"""The project's root: the tools stand two folders below it."""


class TextError(LockstepError):
    """A file that is no text in UTF-8; the text names the line and what to do."""


def read(path: Path) -> str:
    """The text of a file; raises TextError, without the file's name, where it is not UTF-8 or begins with a mark."""
    content = path.read_bytes()
    if content.startswith(codecs.BOM_UTF8):
        raise TextError("1: begins with a byte order mark; save it as UTF-8 without one")
    try:
        return content.decode().replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TextError(f"{line}: the byte 0x{content[error.start]:02x} is not UTF-8; save it as UTF-8") from None


def write(path: Path, text: str) -> None:
    """Writes a text so that it is never seen half-written."""
    write_whole(path, text.encode())


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that it is never seen half-written."""
    with whole(path) as part:
        part.write_bytes(content)


def append(path: Path, text: str) -> None:
    """Adds text to the end of a file, and sees to it that it is on the disk."""
    with _named(path), path.open("a", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Has an error of the system name this file."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Where to write what becomes this file when all of it is written."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")  # two processes may write it at once
    try:
        with _named(path):
            yield part
            os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
