"""Measured numbers: what `~` marks in outputs and data files moves from run to run, and nothing else does."""

import re
from re import Match
from typing import NamedTuple

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


class Reading(NamedTuple):
    """A measured number in a line: its value, its unit, and what one step of its last digit is worth."""

    value: float
    unit: str = ""
    step: float = 0.0
    counted: bool = False


class Limit(NamedTuple):
    """How far apart two readings of one number may be: by this factor, or by this much."""

    factor: float
    floor: float


ANY = float("inf")
"""The factor of a number that is arbitrary, such as the value of a clock."""

OPPOSITE = 1e6
"""The factor between numbers that none leads from one to the other: zero and another, or two signs."""

# What honest runs on several machines of one kind need, seen over all recordings, and as much again. Rates differ by up
# to 1.3; times hold single calls, which differ by up to 2; small runs are over before the GPU's clock is up.
RATE, TIME, COUNT, SMALL = 2.0, 3.0, 10.0, 10.0
_FLOORS = {"ns": 20.0, "us": 2.0, "ms": 0.05, "s": 0.02, "%": 8.0}
_TIMES = ("ns", "us", "ms", "s", "cycles", "times", "")
_ON_A_TIMELINE = 500.0  # microseconds: where a bar begins depends on when the host was ready
_FEW = 30.0  # of what the schedule decides: fewer say nothing

_NOISE = "spread"  # begins the label of how far runs of one measurement lay apart: that is the machine's noise
_CONFIGURATION = "launch__"  # what ncu says of a launch, registers for example, follows from the program alone

_READING = re.compile(rf"{MARK}({NUMBER})(?:\s*([A-Za-z%][A-Za-z%/]*))?")
_UNIT = re.compile(r"%|[num]?s|cycles|times|million|\w*Hz|\w*B|\w+/\w+")  # else it is the next column's word


def readings(line: str) -> list[Reading]:
    """The measured numbers of a line."""
    found = []
    for match in _READING.finditer(line):
        word = match[2] or ""
        found.append(reading(match[1], word if _UNIT.fullmatch(word) else ""))
    return found


def reading(number: str, unit: str) -> Reading:
    """A printed number; one without a point and without a unit was counted."""
    mantissa, _, exponent = number.partition("e")
    decimals = len(mantissa.partition(".")[2])
    step = 10.0 ** (int(exponent or 0) - decimals)
    return Reading(float(number), unit, step, counted=not unit and "." not in number and not exponent)


def unit_of(column: str) -> str:
    """The unit that the name of a column ends in or holds: ~low_us, ~us for a copy, ~percent_of_cub, ~GB/s."""
    words = re.split(r"[_ ]", bare(column))
    if "percent" in words:
        return "%"
    named = [word for word in words if word in _FLOORS]
    return named[-1] if named else "/".join(words[-3:])


def limit(reading: Reading, small: bool = False, line: str = "") -> Limit:
    """How far a number may be from another reading of it, where its transcript says nothing."""
    if line.lstrip().startswith(_CONFIGURATION):
        return Limit(1.0, 0.0)
    if line.lstrip().startswith(_NOISE):
        return Limit(ANY, 0.0)
    if reading.counted:
        return Limit(COUNT, _FEW)
    factor = SMALL if small else TIME if reading.unit in _TIMES else RATE
    return Limit(factor, max(_FLOORS.get(reading.unit, 0.0), 1.5 * reading.step))


def column_limit(column: str) -> Limit:
    """The same for a column of a data file."""
    unit = unit_of(column)
    floor = _ON_A_TIMELINE if bare(column) in ("start_us", "end_us", "enqueue_us") else _FLOORS.get(unit, 0.0)
    return Limit(TIME if unit in _TIMES else RATE, floor)


def apart(recorded: float, found: float, floor: float = 0.0) -> float:
    """The factor between two readings, at least 1; 1 if they are no further apart than `floor`."""
    if abs(recorded - found) <= floor or recorded == found:
        return 1.0
    if recorded * found <= 0:
        return OPPOSITE
    return max(recorded / found, found / recorded)
