r"""Declared filters: which lines of a command's output a transcript shows, and how it names them.

They stand above the command, in the order in which they apply, and the whole output stands beside the transcript:

# keep: REGEX                        the lines in which it is found, no others
# drop: REGEX                        the lines in which it is not found
# first: REGEX                       the first line in which it is found, no others
# first: REGEX -> REGEX              the lines from there to the next in which the second is found, or to the end
# show: REGEX                        of each line what matches, each match on a line
# show: REGEX -> TEXT                the same, written as TEXT, in which \1 stands for the first group
# name: REGEX -> TEXT                what matches is replaced
# repeats: once                      equal lines that follow each other are one line
# repeats: counted                   the same, with their number before them
# repeats: tallied                   the same, wherever they stand, and sorted
# metric: NAME -> LABEL, UNIT        a metric of ncu for each launch; ~LABEL if it is measured; NAME / 1e6 to divide it
# row: REGEX -> LABEL, LABEL         lines of the program that name the launches in turn: a label for each group
# launches: summed                   all launches as one
# csv: FILE                          the table of the launches as a data file

The output that a transcript shows follows from the whole by these rules alone, so a label may change without a GPU.
"""

import csv
import gzip
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from lockstep.errors import LockstepError
from lockstep.recordings import numbers, session
from lockstep.recordings.session import Command, Filter

SUFFIX = ".whole.gz"
"""Of the file beside a transcript that holds the whole output of its filtered commands."""

_ONE_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_LAUNCH = re.compile(r"  (?:void )?(?P<kernel>\S.*?)\(.*\) \(\d+, \d+, \d+\)x\(\d+, \d+, \d+\), Context ")
_METRIC = re.compile(r"    (?P<name>\w+__\S+) +(?:\S+ +)?(?P<value>\S+)")
_COLUMN = 27  # a label of one launch's metrics, as programs print theirs


class FilterError(LockstepError):
    """A filter that cannot be read, or that has nothing to show."""


@dataclass(frozen=True)
class Filtered:
    """What filters make of an output: lines, and data files by name."""

    lines: list[str]
    files: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Launch:
    kernel: str
    values: dict[str, float]


_LINES = ("keep", "drop", "first", "show", "name", "repeats")
_LAUNCHES = ("metric", "row", "launches", "csv")
KINDS = (*_LINES, *_LAUNCHES)


def read(kind: str, text: str) -> Filter:
    """A filter as an author wrote it; raises FilterError with what to write instead."""
    found = Filter(kind, text.strip())
    before, after = found.parts
    if kind in ("keep", "drop", "first", "show", "name", "row"):
        try:
            groups = re.compile(before).groups
            if kind == "first":
                re.compile(after)
            elif after and kind != "row":
                re.compile(before).sub(after, "")
        except re.error as error:
            raise FilterError(
                f"{found}: no regular expression, or a text with a group that it lacks: {error}"
            ) from None
        if kind in ("name", "row") and not after:
            raise FilterError(f"{found}: write {kind}: REGEX -> {'LABEL for each group' if kind == 'row' else 'TEXT'}")
        if kind == "row" and groups != len(after.split(",")):
            raise FilterError(f"{found}: has {groups} groups and {len(after.split(','))} labels; give each group one")
    elif kind == "metric":
        if not after or not re.fullmatch(r"\w+__\S+(?: / [\d.e]+)?", before):
            raise FilterError(f"{found}: write metric: NAME -> LABEL, UNIT, where NAME is one of ncu's metrics")
    elif kind == "repeats" and found.text not in ("once", "counted", "tallied"):
        raise FilterError(f"{found}: write repeats: once, repeats: counted, or repeats: tallied")
    elif kind == "launches" and found.text != "summed":
        raise FilterError(f"{found}: write launches: summed")
    elif kind == "csv" and not re.fullmatch(r"\w+\.csv", found.text):
        raise FilterError(f"{found}: write csv: NAME.csv, a file that the program declares under DATA")
    return found


def apply(declared: Iterable[Filter], output: list[str]) -> Filtered:
    """What the filters show of an output; raises FilterError where that is nothing."""
    wanted = list(declared)
    table = [one for one in wanted if one.kind in _LAUNCHES]
    made = _launches(table, output) if table else Filtered(output)
    lines = made.lines
    for one in wanted:
        if one.kind in _LINES:
            lines = _STEPS[one.kind](one, lines)
    if not lines:
        raise FilterError(f"nothing is left of {len(output)} lines after {', '.join(map(str, wanted))}")
    return replace(made, lines=lines)


def _keep(one: Filter, lines: list[str]) -> list[str]:
    return [line for line in lines if re.search(one.text, line)]


def _drop(one: Filter, lines: list[str]) -> list[str]:
    return [line for line in lines if not re.search(one.text, line)]


def _first(one: Filter, lines: list[str]) -> list[str]:
    begin, end = one.parts
    at = next((number for number, line in enumerate(lines) if re.search(begin, line)), len(lines))
    if not end:
        return lines[at : at + 1]
    last = next((number for number in range(at + 1, len(lines)) if re.search(end, lines[number])), len(lines))
    return lines[at : last + 1]


def _show(one: Filter, lines: list[str]) -> list[str]:
    pattern, text = one.parts
    return [match.expand(text) if text else match[0] for line in lines for match in re.finditer(pattern, line)]


def _name(one: Filter, lines: list[str]) -> list[str]:
    pattern, text = one.parts
    return [re.sub(pattern, text, line) for line in lines]


def _repeats(one: Filter, lines: list[str]) -> list[str]:
    if one.text == "tallied":
        counted = sorted(Counter(lines).items())
    else:
        counted = [(line, len(list(same))) for line, same in itertools.groupby(lines)]
    width = len(str(max((count for _, count in counted), default=0)))
    return [line if one.text == "once" else f"{count:{width}} {line}" for line, count in counted]


_STEPS = {"keep": _keep, "drop": _drop, "first": _first, "show": _show, "name": _name, "repeats": _repeats}


def _launches(wanted: list[Filter], output: list[str]) -> Filtered:
    """The metrics of ncu as lines of one launch, or as a table of several."""
    by_kind = {kind: [one for one in wanted if one.kind == kind] for kind in _LAUNCHES}
    launches = _profiled(output)
    if by_kind["launches"]:
        total = {name: sum(launch.values.get(name, 0) for launch in launches) for name in launches[0].values}
        launches = [_Launch("all", total)]
    columns = [_column(one, launches) for one in by_kind["metric"]]
    labels, named = _rows(by_kind["row"], launches, output)
    printed = list(zip(*(values for *_, values in columns), strict=True))
    if len(launches) == 1 and not by_kind["row"]:
        lines = [
            f"{numbers.bare(label):<{_COLUMN}} {value}{f' {unit}' if unit else ''}" for label, unit, [value] in columns
        ]
    else:
        heads = [", ".join(filter(None, (numbers.bare(label), unit))) for label, unit, _ in columns]
        lines = _table([*labels, *heads], [[*names, *row] for names, row in zip(named, printed, strict=True)])
    files = {}
    for one in by_kind["csv"]:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([*labels, *(label for label, *_ in columns)])
        writer.writerows([*names, *map(numbers.bare, row)] for names, row in zip(named, printed, strict=True))
        files[one.text] = text.getvalue()
    return Filtered(lines, files)


def _table(heads: list[str], rows: list[list[str]]) -> list[str]:
    """A table as programs print them: numbers to the right, names to the left."""
    lines: list[list[str]] = [heads, *rows]
    columns = []
    for cells in zip(*lines, strict=True):
        width = max(map(len, cells))
        number = all(numbers.value(cell) is not None for cell in cells[1:])
        columns.append([cell.rjust(width) if number else cell.ljust(width) for cell in cells])
    return ["  ".join(line).rstrip() for line in zip(*columns, strict=True)]


def _profiled(output: list[str]) -> list[_Launch]:
    """The launches that ncu profiled, each with its metrics."""
    found: list[_Launch] = []
    for line in output:
        if launch := _LAUNCH.match(line):
            found.append(_Launch(launch["kernel"], {}))
        elif found and (metric := _METRIC.match(line)) and _ONE_NUMBER.fullmatch(metric["value"]):
            found[-1].values[metric["name"]] = float(metric["value"].replace(",", ""))
    if not found:
        raise FilterError("ncu profiled no launch; its last lines:\n" + "\n".join(output[-5:]))
    return found


def _column(one: Filter, launches: list[_Launch]) -> tuple[str, str, list[str]]:
    """Label, unit and printed values of a metric."""
    name, _, divisor = one.parts[0].partition(" / ")
    label, _, unit = (part.strip() for part in one.parts[1].partition(","))
    if missing := [launch for launch in launches if name not in launch.values]:
        known = ", ".join(missing[0].values) or "none"
        raise FilterError(f"ncu printed no number for {name} of {missing[0].kernel}; it printed: {known}")
    values = [launch.values[name] / float(divisor or 1) for launch in launches]
    return label, unit, [_printed(value, numbers.is_measured(label)) for value in values]


def _printed(value: float, measured: bool) -> str:
    """A count with all its digits; a measured number with four that count, and without an exponent."""
    if not measured and value.is_integer():
        return str(int(value))
    short = float(f"{value:.4g}")
    return f"{numbers.MARK if measured else ''}{int(short) if short.is_integer() else short}"


def _rows(declared: list[Filter], launches: list[_Launch], output: list[str]) -> tuple[list[str], list[list[str]]]:
    """The labels of the columns that name a launch, and its names."""
    if not declared:
        return ["kernel"], [[launch.kernel] for launch in launches]
    pattern, labels = declared[0].parts
    found = [match for line in output if (match := re.search(pattern, line))]
    if len(found) != len(launches):
        raise FilterError(f"{declared[0]}: names {len(found)} launches, and ncu profiled {len(launches)}")
    return [label.strip() for label in labels.split(",")], [list(match.groups()) for match in found]


def whole_file(console: Path) -> Path:
    """Where the whole output of a transcript's filtered commands stands."""
    return console.with_name(console.name.removesuffix(".console") + SUFFIX)


def pack(commands: list[Command]) -> bytes:
    """Commands with their whole output as the content of such a file; the same content for the same output."""
    heads = [f"{len(one.output)} lines, exit status {one.status}\n{session.prompt(one)}" for one in commands]
    parts = ["\n".join([head, *one.output, ""]) for head, one in zip(heads, commands, strict=True)]
    return gzip.compress("".join(parts).encode(), mtime=0)


def whole_text(console: Path) -> str | None:
    """The whole output of a transcript's filtered commands, for a reader; None if nothing is filtered."""
    file = whole_file(console)
    return f"{session.plain(unpack(file.read_bytes()))}\n" if file.exists() else None


def unpack(content: bytes) -> list[Command]:
    """The commands of such a file, with their whole output; raises FilterError where it is none."""
    try:
        lines = gzip.decompress(content).decode().split("\n")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise FilterError(f"cannot be read: {error}; record it again") from None
    commands = []
    at = 0
    while at < len(lines) - 1:
        head = re.fullmatch(r"(\d+) lines, exit status (\d+)", lines[at])
        if not head or not lines[at + 1].startswith("$ "):
            raise FilterError(f"{at + 1}: no command stands here; record it again")
        end = at + 2 + int(head[1])
        commands.append(Command(lines[at + 1][2:], lines[at + 2 : end], int(head[2])))
        at = end
    return commands
