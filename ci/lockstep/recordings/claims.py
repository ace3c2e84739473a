"""Numbers and claims of a page, computed from what its programs printed and measured.

A page `docs/x/y.rst` keeps them in `docs/x/y.claims`, in TOML:

    [measured]
    speedup = 'value("fast", "time") / value("slow", "time")'

    [measured.longest]
    is = 'max(column("latency.csv", "~ns"))'
    format = "{:.0f} ns"
    factor = 10
    because = "the slowest of a million reads"

    [claims]
    "padding removes the conflicts" = 'cell("banks.csv", "~ns", stride=33) < 1.1 * cell("banks.csv", "~ns", stride=1)'

A `factor` says how far a number may be from the page's when everything runs again, where that is further than usual.
Each claim and each number must depend on what it reads: see `inert_part`.
"""

import ast
import operator
import re
import statistics
import string
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations, islice
from pathlib import Path
from typing import Annotated, Any, Literal

from lockstep import data
from lockstep.errors import LockstepError
from lockstep.programs import declarations
from lockstep.programs.declarations import Program
from lockstep.recordings import keys, numbers, series, transcripts
from lockstep.recordings.transcripts import Transcript, TranscriptError

_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip


class ClaimError(LockstepError):
    """A number or claim that cannot be computed; the text says which and why."""


class NotRunError(ClaimError):
    """A number or claim that a re-run cannot compute, since it did not run the program; `program` is its path."""

    def __init__(self, program: str, what: str = ""):
        super().__init__(f"{program} was not run")
        self.program = program
        self.what = what


# `program: label` or `program [command]: label`
PRINTED = re.compile(r"(?P<program>[\w/]+)(?:\s*\[(?P<command>[^\]]*)\])?\s*:\s+(?P<label>.+)", re.S)
_ROLE = re.compile(r"(?<!`):measured:`((?:[^`\\]|\\.)+)`", re.S)

Reading = tuple[tuple[object, ...], float]
"""The place where a recorded number stands, and the number."""


class Recordings:
    """What the programs printed and measured, as recorded. `measured` says whether a measured number was read."""

    measured = False

    def __init__(self, root: Path):
        self.root = root
        self.programs = declarations.load(root)

    def transcript(self, program: str) -> Transcript:
        return keys.load(declarations.find(self.programs, program))

    def data(self, program: Program, name: str) -> Path:
        """Where a data file of a program stands."""
        return program.directory / name

    def _printed(self, program: str, label: str, command: str | None) -> tuple[tuple[object, ...], str]:
        """Where the value after a label stands, and that value as printed."""
        for i, run in enumerate(self.transcript(program).commands):
            if command is not None and run.text != command:
                continue
            for j, line in enumerate(run.output):
                text = line.strip()
                rest = text[len(label) :]
                if text.startswith(label) and rest.strip() and rest[0] in ":~ ":
                    value = rest.lstrip(": ")
                    self.measured = self.measured or numbers.found(value)
                    if rest.startswith("  ") or rest[0] in ":~" or numbers.value(value) is not None:
                        return (declarations.find(self.programs, program).path, i, j), value
        where = f" under $ {command}" if command else ""
        raise ClaimError(f'{program} printed no line that begins with "{label}"{where}')

    def printed(self, program: str, label: str, command: str | None = None) -> str:
        """The value after a label, as printed, in the first command (or in `command`) that has it."""
        return self._printed(program, label, command)[1]

    def value(self, program: str, label: str, command: str | None = None) -> float:
        """The number after a label, without its unit."""
        return self.readings("value", program, label, command)[0][1]

    def readings(self, function: str, /, *arguments: Any, **where: Any) -> list[Reading]:
        """What one of the functions `value`, `column` and `cell` reads."""
        if function != "value":
            found = self._column(*arguments, **where)
            if function == "cell" and len(found) != 1:
                raise ClaimError(f"{arguments[0]}: {where} picks {len(found)} rows, not one")
            return found
        place, text = self._printed(*(*arguments, None)[:3], **where)
        if (number := numbers.value(text)) is None:
            raise ClaimError(f'{arguments[0]} printed no number after "{arguments[1]}", but {text}')
        return [(place, number)]

    def rows(self, file: str) -> list[series.Row]:
        """The rows of a data file, by its bare name."""
        for program in self.programs.values():
            if Path(file).name in program.data:
                path = self.data(program, Path(file).name)
                if not path.exists():
                    raise ClaimError(f"{file} was never recorded")
                return series.read(path)
        raise ClaimError(f"no program declares {file} under DATA")

    def _column(self, file: str, column: str, **where: Any) -> list[Reading]:
        rows = self.rows(file)
        where = {name if rows and name in rows[0] else name.replace("_", " "): value for name, value in where.items()}
        for name in (column, *where):
            if rows and name not in rows[0]:
                raise ClaimError(f"{file} has no column {name}; it has {', '.join(rows[0])}")
        self.measured = self.measured or any(map(numbers.is_measured, (column, *where)))
        return [
            ((Path(file).name, i, column), float(row[column]))
            for i, row in enumerate(rows)
            if all(_equal(row[name], value) for name, value in where.items())
        ]

    def column(self, file: str, column: str, **where: Any) -> list[float]:
        """The numbers of a column, in the rows where other columns have the values given; `_` stands for a blank."""
        return [number for _, number in self.readings("column", file, column, **where)]

    def cell(self, file: str, column: str, **where: Any) -> float:
        """The one number of a column in the row that `where` picks."""
        return self.readings("cell", file, column, **where)[0][1]


class Rerun(Recordings):
    """What a re-run printed and measured, and never what was recorded.

    `printed` holds what each program printed, by path; `folder` the data files.
    """

    def __init__(self, root: Path, printed: dict[str, Transcript], folder: Path):
        super().__init__(root)
        self._transcripts = printed
        self._folder = folder

    def transcript(self, program: str) -> Transcript:
        path = declarations.find(self.programs, program).path
        if path not in self._transcripts:
            raise NotRunError(path)
        return self._transcripts[path]

    def data(self, program: Program, name: str) -> Path:
        if program.path not in self._transcripts or not (self._folder / name).exists():
            raise NotRunError(program.path)
        return self._folder / name


def rerun(root: Path, folder: Path) -> Rerun:
    """What `rerun --keep` left in a folder."""
    printed = {}
    for console in folder.rglob("*.console"):
        if not console.name.endswith(".small.console"):
            path = str(console.relative_to(folder).with_suffix(""))
            printed[path] = transcripts.parse(console.read_text(encoding="utf-8"))
    return Rerun(root, printed, folder)


def _equal(text: str, wanted: Any) -> bool:
    try:
        return float(text) == float(wanted)
    except ValueError:
        return text == str(wanted)


_READS = ("value", "column", "cell")
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min, "max": max, "abs": abs, "round": round, "sum": sum, "len": len,
    "median": statistics.median, "sorted": sorted,
}  # fmt: skip


class Inputs:
    """What expressions read, each call once; some readings may be moved to see whether a result follows them."""

    def __init__(self, recordings: Recordings):
        self._recordings = recordings
        self._calls: dict[object, list[Reading]] = {}
        self.moved: Mapping[object, float] = {}

    @property
    def read(self) -> dict[object, float]:
        """All that was read, by place."""
        return {place: number for readings in self._calls.values() for place, number in readings}

    def get(self, function: str, arguments: list[Any], where: dict[str, Any]) -> Any:
        call = (function, *arguments, *sorted(where.items()))
        if call not in self._calls:
            self._calls[call] = self._recordings.readings(function, *arguments, **where)
        found = [self.moved.get(place, number) for place, number in self._calls[call]]
        return found if function == "column" else found[0]


def _parsed(expression: str) -> ast.expr:
    try:
        return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ClaimError(f"cannot read {expression!r}: {getattr(error, 'msg', error)}") from None


def evaluate(expression: str, recordings: Recordings) -> Any:
    """Computes an expression of numbers, comparisons and the functions above; nothing else runs."""
    return _computed(_parsed(expression), Inputs(recordings))


def _computed(expression: ast.expr, inputs: Inputs) -> Any:
    def visit(node: ast.AST) -> Any:
        match node:
            case ast.Constant(value=int() | float() | str() | None as constant):
                return constant
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](visit(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](visit(left), visit(right))
            case ast.BoolOp(op=ast.And(), values=values):
                return all(visit(value) for value in values)
            case ast.BoolOp(op=ast.Or(), values=values):
                return any(visit(value) for value in values)
            case ast.Compare(left=left, ops=ops, comparators=comparators) if all(type(op) in _OPERATORS for op in ops):
                sides = [visit(side) for side in (left, *comparators)]
                return all(_OPERATORS[type(op)](a, b) for op, a, b in zip(ops, sides, sides[1:], strict=False))
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [visit(item) for item in items]
            case ast.Subscript(value=value, slice=index):
                return visit(value)[visit(index)]
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in (*_FUNCTIONS, *_READS):
                given, named = [visit(arg) for arg in args], {k.arg: visit(k.value) for k in keywords if k.arg}
                return inputs.get(name, given, named) if name in _READS else _FUNCTIONS[name](*given, **named)
        raise ClaimError(f"{ast.unparse(node)} is not allowed in a claim")

    try:
        return visit(expression)
    except (ArithmeticError, AttributeError, LookupError, MemoryError, TypeError, ValueError) as error:
        raise ClaimError(f"cannot compute {ast.unparse(expression)!r}: {error}") from None
    except (declarations.DeclarationError, TranscriptError) as error:
        raise ClaimError(str(error)) from None


def reads(expression: str) -> set[str]:
    """The programs and data files that an expression reads, by bare name."""
    try:
        tree = _parsed(expression)
    except ClaimError:
        return set()  # evaluating it says so
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) in _READS)
    named = (call.args[0].value for call in calls if call.args and isinstance(call.args[0], ast.Constant))
    return {str(name).rsplit("/", 1)[-1] for name in named}


def inert_part(expression: str, recordings: Recordings, shown: Callable[[Any], object]) -> str:
    """The part of an expression that does not depend on what it reads; empty if there is none.

    Each part is computed again with all readings times ten and divided by ten, with each of them so alone, and with any
    two swapped; a reading of 0 becomes 1 and -1. A part that gives the same each time says nothing.

    :param shown: what counts of a result: the truth of a claim, the text of a number
    """
    inputs = Inputs(recordings)

    def result(part: ast.expr, moved: Mapping[object, float]) -> object:
        inputs.moved = moved
        try:
            return shown(_computed(part, inputs))
        except ClaimError:
            return None  # no result is another one, too

    for part in _parts(_parsed(expression)):
        inputs = Inputs(recordings)
        usual = result(part, {})
        if all(result(part, moved) == usual for moved in _moves(inputs.read)):
            return ast.unparse(part)
    return ""


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """The comparisons of two sides that an expression joins by `and`, `or` and `not`, or in a chain."""
    match node:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _parts(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _parts(operand)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            for a, op, b in zip((left, *comparators), ops, comparators, strict=False):
                yield ast.Compare(a, [op], [b])
        case _:
            yield node


_SWAPS = 10_000
"""So many pairs are swapped at most: a column has thousands of rows."""


def _moves(read: Mapping[object, float]) -> Iterator[dict[object, float]]:
    alone = [{place: moved} for place, number in read.items() for moved in (number * 10 or 1, number / 10 or -1)]
    yield from (
        {place: by(number, 10) for place, number in read.items()} for by in (operator.mul, operator.truediv) if read
    )
    yield from alone
    for (a, first), (b, second) in islice(combinations(read.items(), 2), _SWAPS):
        yield {a: second, b: first}


def _is_format(text: str) -> bool:
    """Whether a format holds one placeholder, such as {:.1f}, and no digit outside of it."""
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        return False
    fields = [spec for _, name, spec, conversion in parts if name == "" and conversion is None]
    return (
        len(fields) == sum(name is not None for _, name, _, _ in parts) == 1
        and re.fullmatch(r",?(?:\.\d)?[fg]", fields[0] or "") is not None
        and not any(character.isdigit() for literal, *_ in parts for character in literal)
    )


FORMAT = data.Rule('one placeholder such as {:.1f} and no digit outside of it, as in "{:.1f} µs"', _is_format)


@dataclass(frozen=True)
class Number:
    """A number of a page: how it is computed and written, and by what factor a re-run may be away from it, and why."""

    is_: data.Text
    format: Annotated[str, FORMAT] | None = None
    factor: Literal["any"] | Annotated[float, data.Rule("a number of at least 1", lambda n: n >= 1)] | None = None
    because: data.Text | None = None

    def contradictions(self) -> data.Problems:
        if (self.factor is None) != (self.because is None):
            key = "because" if self.factor is None else "factor"
            yield key, 'a factor needs a reason, and the reason a factor; write factor = N and because = "..."'

    def text(self, result: Any) -> str:
        """The number as it is written."""
        if type(result) not in (int, float) or not abs(result) <= sys.float_info.max:
            raise ClaimError(f"{self.is_} is no number")
        return self.format.format(result) if self.format else three_digits(result)


@dataclass(frozen=True)
class Content:
    """What a claims file holds."""

    measured: dict[str, data.Text | Number] = field(default_factory=dict)
    claims: dict[str, data.Text] = field(default_factory=dict)


def three_digits(number: float) -> str:
    """A number with three significant digits and no exponent."""
    size = abs(number)
    decimals = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3
    return f"{number:.{decimals}f}"


@dataclass(frozen=True)
class PageClaims:
    """The numbers and claims of one page."""

    path: Path
    recordings: Recordings
    file: data.Document[Content]

    @property
    def claims(self) -> dict[str, str]:
        return self.file.value.claims

    @cached_property
    def numbers(self) -> dict[str, Number]:
        return {name: one if isinstance(one, Number) else Number(one) for name, one in self.file.value.measured.items()}

    def rendered(self, text: str) -> str:
        """What the page shows in the place of :measured:`text`; a number that a program printed keeps its mark."""
        if match := PRINTED.fullmatch(text):
            label = " ".join(match["label"].split())
            return self.recordings.printed(match["program"], label, match["command"])
        return self.measured(text)

    def measured(self, name: str) -> str:
        """A number of the page, formatted."""
        if name not in self.numbers:
            raise ClaimError(f"{self.path.name} has no number {name} under [measured]")
        number = self.numbers[name]
        return number.text(evaluate(number.is_, self.recordings))

    def check(self, not_run: list[NotRunError] | None = None) -> list[str]:
        """One message for each claim that does not hold, number that cannot be computed, and one that says nothing.

        With `not_run`, what a re-run cannot compute since it did not run the program goes there, named.
        """
        found = []

        def look(what: str, at: str, problem: Callable[[], str]) -> None:
            try:
                said = problem()
            except NotRunError as error:
                if not_run is not None:
                    not_run.append(NotRunError(error.program, f"{at}: {what}"))
                    return
                said = f"{what}: {error}"
            except ClaimError as error:
                said = f"{what}: {error}"
            if said:
                found.append(f"{at}: {said}")

        for sentence in self.claims:
            look(f'"{sentence}"', self.file.at("claims", sentence), partial(self._claim, sentence))
        shown = {text for _, text in roles(self.path.with_suffix(".rst"))} if self.numbers else set()
        for name in self.numbers:
            look(name, self.file.at("measured", name), partial(self._number, name, shown))
        return found

    def _claim(self, sentence: str) -> str:
        """What is wrong with a claim; empty if it holds."""
        expression = self.claims[sentence]
        if not evaluate(expression, self.recordings):
            return f'does not hold: "{sentence}": {expression}; change the page or the program'
        if part := self._inert(expression, bool):
            cure = "compare what value, column or cell gives with a limit that it may cross"
            return f'"{sentence}": {part} does not depend on what it reads; {cure}'
        return ""

    def _number(self, name: str, shown: set[str]) -> str:
        """What is wrong with a number; empty if nothing is."""
        self.measured(name)
        if self._inert(self.numbers[name].is_, self.numbers[name].text):
            return f"{name}: does not depend on what it reads; compute it from value, column or cell, or write :spec:"
        if name not in shown:
            return f"{name}: the page does not show it; write :measured:`{name}` there, or remove it"
        return ""

    def _inert(self, expression: str, shown: Callable[[Any], object]) -> str:
        return "" if isinstance(self.recordings, Rerun) else inert_part(expression, self.recordings, shown)


def roles(page: Path) -> list[tuple[int, str]]:
    """The measured numbers of a page's source: line, and the role's text."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return [
        (text.count("\n", 0, match.start()) + 1, " ".join(re.sub(r"\\(.)", r"\1", match[1]).split()))
        for match in _ROLE.finditer(text)
    ]


def load(path: Path, root: Path, recordings: Recordings | None = None) -> PageClaims:
    """Reads a page's claims file; a page without one has no numbers and no claims.

    :raises data.DataError: where the file is not as it must be
    """
    recordings = recordings or Recordings(root)
    if not path.exists():
        return PageClaims(path, recordings, data.Document(path.name, "", Content()))
    return PageClaims(path, recordings, data.document(path, Content, root))
