"""How far the measured numbers of a new run are from the recorded ones.

A transcript's header may widen what is allowed, for the lines, or columns of data files, that a pattern matches:

    # factor: ^first launch 20 -- compiles on one thread of the host
    # factor: ^clock any -- a clock begins anywhere
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from lockstep.programs.declarations import Program
from lockstep.recordings import keys, numbers, series, transcripts
from lockstep.recordings.numbers import ANY, Limit
from lockstep.recordings.transcripts import Transcript

_SHOWN = 8
"""So many findings of one program are named."""


@dataclass(frozen=True)
class Deviation:
    """A measured number, recorded and found again: the factor between the two, and the one that is allowed."""

    program: str
    label: str
    recorded: float
    found: float
    unit: str
    factor: float
    allowed: float

    @property
    def too_far(self) -> bool:
        return self.factor > self.allowed

    def __str__(self) -> str:
        return (
            f"{self.label}: was ~{self.recorded:g}, is ~{self.found:g} {self.unit}".rstrip()
            + f": {factor_text(self.factor)} apart, allowed is {factor_text(self.allowed)}"
        )


def factor_text(factor: float) -> str:
    """A factor in words."""
    if factor == ANY:
        return "any factor"
    return "no factor" if factor >= numbers.OPPOSITE else f"a factor of {factor:.3g}"


def declared(text: str, rules: Transcript) -> float:
    """The widest factor that the header allows for a line; 0 if it says nothing of it."""
    return max((factor for pattern, factor, _ in rules.factors if re.search(pattern, text)), default=0.0)


def limited(text: str, limit: Limit, rules: Transcript) -> Limit:
    """What the header allows for a line, or else `limit`."""
    wider = declared(text, rules)
    return Limit(wider, limit.floor) if wider else limit


def _label(line: str, count: int, position: int) -> str:
    """What a number of a line is called in a report: the text before the first, and which it is."""
    name = re.sub(r"\s+", " ", line.partition(numbers.MARK)[0]).strip(" :=|") or "(no label)"
    return f"{name} [{position}]" if count > 1 else name


def of_transcript(program: Program, recorded: Transcript, found: Transcript) -> Iterator[Deviation]:
    """The measured numbers of two runs of the same commands, where they printed the same lines."""
    for before, after in zip(recorded.commands, found.commands, strict=True):
        old, new = (transcripts.aligned(command.output, recorded) for command in (before, after))
        if [masked for masked, _ in old] != [masked for masked, _ in new]:
            continue  # a difference of the text, which is reported as such
        for (_, was), (_, now) in zip(old, new, strict=True):
            pairs = list(zip(numbers.readings(was), numbers.readings(now), strict=True))
            for position, (first, second) in enumerate(pairs, 1):
                limit = limited(was, numbers.limit(first, program.small_run, was), recorded)
                factor = numbers.apart(first.value, second.value, limit.floor)
                label = _label(was, len(pairs), position)
                yield Deviation(program.label, label, first.value, second.value, first.unit, factor, limit.factor)


def of_data(program: Program, recorded: Transcript, before: Path, after: Path) -> Iterator[Deviation]:
    """The measured numbers of two data files with the same rows."""
    old, new = series.read(before), series.read(after)
    if len(old) != len(new):
        return
    for number, (was, now) in enumerate(zip(old, new, strict=True), 1):
        for column in filter(numbers.is_measured, was):
            try:
                first, second = float(was[column]), float(now[column])
            except (KeyError, TypeError, ValueError):
                continue  # an empty cell, or a column that is gone: a difference, reported as such
            where = f"{before.name} {column}"
            limit = limited(where, numbers.column_limit(column), recorded)
            factor = numbers.apart(first, second, limit.floor)
            label = f"{where} row {number}"
            yield Deviation(program.label, label, first, second, numbers.unit_of(column), factor, limit.factor)


def of_run(program: Program, recorded: Transcript, found: Transcript, data: Path) -> list[Deviation]:
    """All measured numbers of a run: those that it printed, and those in the data files that it left in `data`."""
    if program.small_run:  # what is arbitrary in a program's own run is so in the small one
        own = keys.load(replace(program, small_run=False))
        recorded = replace(recorded, factors=[*recorded.factors, *own.factors])
    all_of_them = list(of_transcript(program, recorded, found))
    for name in program.data:
        if (program.directory / name).exists() and (data / name).exists():
            all_of_them += of_data(program, recorded, program.directory / name, data / name)
    return all_of_them


def findings(compared: Iterable[Deviation]) -> list[str]:
    """One message for each number that is too far off, the furthest first."""
    wrong = sorted((one for one in compared if one.too_far), key=lambda one: -one.factor / one.allowed)
    advice = "record again, or declare a wider one: # factor: PATTERN N -- REASON"
    return [f"{one}; {advice}" for one in wrong[:_SHOWN]]
