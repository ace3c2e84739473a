"""Measured series: CSV files that programs write and charts are drawn from."""

import csv
import hashlib
import io
from pathlib import Path

from lockstep.recordings import numbers

Row = dict[str, str]


def digest(path: Path) -> str:
    """Digest that shows whether a data file was changed since it was recorded."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def read(path: Path) -> list[Row]:
    """The rows of a data file, each by column name."""
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def text(path: Path) -> str:
    """The file as it stands; nothing if there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def faults(path: Path) -> list[str]:
    """Rows that have more or fewer columns than the header names, one message a row."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = [*csv.reader(file)] or [[]]
    return [
        f"{path.name}: row {i} has {len(row)} columns, the header {len(header)}; quote text that holds a comma"
        for i, row in enumerate(rows, 1)
        if len(row) != len(header)
    ]


def differences(recorded: Path, found: Path) -> list[str]:
    """Where two data files differ outside the measured columns (those named with a leading ~)."""
    before, after = read(recorded), read(found)
    name = recorded.name
    if not before or not after or list(before[0]) != list(after[0]):
        return [f"{name}: the columns changed, or there are no rows"]
    if len(before) != len(after):
        return [f"{name}: had {len(before)} rows, has {len(after)}"]
    return [
        f"{name}: row {i} column {column}: was {old[column]}, is {new[column]}"
        for i, (old, new) in enumerate(zip(before, after, strict=True), 1)
        for column in old
        if not numbers.is_measured(column) and old[column] != new[column]
    ][:8]
