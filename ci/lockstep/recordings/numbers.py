"""Measured numbers: what `~` marks in outputs and data files moves from run to run, and nothing else does."""

import re
from re import Match

NUMBER = r"[-+]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?"
"""How a program prints a number."""

MARK = "~"
"""Stands before each number that a run measured, and before the name of a column of such numbers."""

_MEASURED = re.compile(rf"{MARK}{NUMBER}")
_VALUE = re.compile(rf"{MARK}?({NUMBER})(.*)")


def masked(line: str) -> str:
    """The line with a bare mark in the place of each measured number."""
    return _MEASURED.sub(f" {MARK}", line)


def highlighted(text: str, form: str) -> str:
    """The text with each measured number put into `form`, where `\\g<0>` stands for it."""
    return _MEASURED.sub(form, text)


def found(line: str) -> bool:
    """Whether a line holds a measured number."""
    return bool(_MEASURED.search(line))


def value(text: str) -> float | None:
    """The number that a text begins with, measured or not; what follows it is its unit."""
    match: Match[str] | None = _VALUE.fullmatch(text)
    return float(match[1]) if match else None


def is_measured(column: str) -> bool:
    """Whether a column of a data file holds measured numbers."""
    return column.startswith(MARK)


def bare(text: str) -> str:
    """A printed number, or the name of a column, without the mark."""
    return text.removeprefix(MARK)
