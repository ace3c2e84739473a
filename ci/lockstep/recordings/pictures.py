"""Recorded pictures: a program writes a portable pixmap, and the recorder keeps the same pixels as a PNG.

A browser shows no pixmap. The PNG loses nothing, so two runs compare pixel by pixel; it is written and read here alone,
with zlib, so that a machine with a GPU needs no library for it. How it is packed is no part of the comparison: another zlib
makes other bytes of the same pixels.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from lockstep.errors import LockstepError

MOST_PIXELS = 1 << 20
MOST_APART = 32  # of 255: what a transcript may allow two runs; more would hide that a picture shows something else

_SPACE = rb"(?:[ \t\r\n]|#[^\n]*\n)+"
_PIXMAP = re.compile(rb"P([56])" + _SPACE + _SPACE.join([rb"(\d{1,9})"] * 3) + rb"[ \t\r\n]")
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_NONE, _LEFT, _ABOVE = range(3)  # what a byte of a PNG counts from; the recorder uses one of them for all rows
_COLOR_TYPES = {1: 0, 3: 2}  # of PNG, by the number of channels


class PictureError(LockstepError):
    """A picture that cannot be read; the text says what is wrong with it, and what to do."""


@dataclass(frozen=True)
class Picture:
    """Rows of pixels from the top, each pixel one byte of gray or three of red, green and blue."""

    width: int
    height: int
    channels: int
    pixels: bytes

    @property
    def stride(self) -> int:
        """Bytes of a row."""
        return self.width * self.channels

    @property
    def rows(self) -> Iterator[bytes]:
        return (self.pixels[at : at + self.stride] for at in range(0, len(self.pixels), self.stride))

    def __str__(self) -> str:
        return f"{self.width} × {self.height} pixels of {'gray' if self.channels == 1 else 'color'}"


def parse(content: bytes) -> Picture:
    """Reads a pixmap; raises PictureError where it is none that can be recorded."""
    if not (match := _PIXMAP.match(content)):
        raise PictureError("is no pixmap; begin it with P6 for color or P5 for gray, then width, height and 255")
    channels = 1 if match[1] == b"5" else 3
    width, height, most = int(match[2]), int(match[3]), int(match[4])
    if most != 255:
        raise PictureError(f"its channels go up to {most}; write one byte for each, up to 255")
    if width * height == 0:
        raise PictureError(f"has {width} × {height} pixels; write at least one")
    if width * height > MOST_PIXELS:
        raise PictureError(f"has {width} × {height} pixels, over 1 megapixel ({MOST_PIXELS}); write a smaller one")
    found = Picture(width, height, channels, content[match.end() :])
    if len(found.pixels) != found.stride * height:
        raise PictureError(f"{found} take {found.stride * height} bytes, and {len(found.pixels)} follow its header")
    return found


def png(picture: Picture) -> bytes:
    """The picture as PNG, in the smallest of three packings."""
    head = struct.pack(">IIBBBBB", picture.width, picture.height, 8, _COLOR_TYPES[picture.channels], 0, 0, 0)
    packed = min((zlib.compress(_filtered(picture, kind), 9) for kind in (_NONE, _LEFT, _ABOVE)), key=len)
    return _SIGNATURE + b"".join(_chunk(*one) for one in ((b"IHDR", head), (b"IDAT", packed), (b"IEND", b"")))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _filtered(picture: Picture, kind: int) -> bytes:
    """Each row after a byte that names its filter."""
    above, parts = bytes(picture.stride), []
    for row in picture.rows:
        base = {_NONE: b"", _LEFT: bytes(picture.channels) + row, _ABOVE: above}[kind]
        parts.append(bytes([kind]) + (_sum(row, base, -1) if base else row))
        above = row
    return b"".join(parts)


def _sum(row: bytes, base: bytes, sign: int) -> bytes:
    """A row with another one added or taken away, byte by byte, as far as the row goes."""
    return bytes((a + sign * b) & 255 for a, b in zip(row, base, strict=False))


def size(content: bytes) -> tuple[int, int]:
    """Width and height of a PNG that the recorder wrote."""
    width, height, *_ = _head(content)
    return width, height


def _head(content: bytes) -> tuple[int, int, int]:
    """Width, height and the number of channels."""
    if len(content) < 33 or not content.startswith(_SIGNATURE) or content[12:16] != b"IHDR":
        raise PictureError("is no PNG that the recorder wrote; restore it, or record it again")
    width, height, *rest = struct.unpack(">IIBBBBB", content[16:29])
    channels = {(8, color, 0, 0, 0): channels for channels, color in _COLOR_TYPES.items()}.get(tuple(rest), 0)
    if not channels or not 0 < width * height <= MOST_PIXELS:
        raise PictureError("is no PNG that the recorder wrote; restore it, or record it again")
    return width, height, channels


def read(content: bytes) -> Picture:
    """Reads a PNG that the recorder wrote; raises PictureError for any other."""
    width, height, channels = _head(content)
    line = width * channels + 1
    try:
        packed = b"".join(body for kind, body in _chunks(content) if kind == b"IDAT")
        plain = zlib.decompressobj().decompress(packed, line * height + 1)
    except (zlib.error, struct.error) as error:
        raise PictureError(f"cannot be read ({error}); restore it, or record it again") from None
    if len(plain) != line * height or max(plain[::line]) > _ABOVE:
        raise PictureError("is no PNG that the recorder wrote; restore it, or record it again")
    above, rows = bytes(line - 1), []
    for at in range(0, len(plain), line):
        above = _unfiltered(plain[at], plain[at + 1 : at + line], above, channels)
        rows.append(above)
    return Picture(width, height, channels, b"".join(rows))


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_SIGNATURE)
    while at < len(content):
        (length,) = struct.unpack_from(">I", content, at)
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        if struct.unpack_from(">I", content, at + 8 + length) != (zlib.crc32(kind + body),):
            raise zlib.error("a checksum is wrong")
        yield kind, body
        at += length + 12


def _unfiltered(kind: int, row: bytes, above: bytes, channels: int) -> bytes:
    if kind == _ABOVE:
        return _sum(row, above, 1)
    if kind == _NONE:
        return row
    found = bytearray(len(row))
    for channel in range(channels):
        values = list(accumulate(row[channel::channels], _add))
        found[channel::channels] = bytes(values)
    return bytes(found)


def _add(a: int, b: int) -> int:
    return (a + b) & 255


def differences(recorded: Path, found: Path, within: int = 0) -> list[str]:
    """Where two recorded pictures differ by more than `within` in a channel: one line, or none."""
    name = recorded.name
    try:
        before, after = read(recorded.read_bytes()), read(found.read_bytes())
    except PictureError as error:
        return [f"{name}: {error}"]
    if str(before) != str(after):
        return [f"{name}: was {before}, is {after}"]
    if before.pixels == after.pixels:
        return []
    n = before.channels
    apart = [abs(a - b) for a, b in zip(before.pixels, after.pixels, strict=True)]
    wrong = sorted({i // n for i, by in enumerate(apart) if by > within})
    if not wrong:
        return []
    y, x = divmod(wrong[0], before.width)
    was, now = (" ".join(map(str, one.pixels[wrong[0] * n : wrong[0] * n + n])) for one in (before, after))
    allowed = f", where {within} is allowed" if within else ""
    return [
        f"{name}: {len(wrong)} of {before.width * before.height} pixels differ, by up to {max(apart)} in a channel{allowed}; "
        f"the first in column {x + 1} of row {y + 1}: was {was}, is {now}"
    ]
