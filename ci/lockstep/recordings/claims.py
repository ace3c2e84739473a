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
"""

import ast
import operator
import re
import statistics
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

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

    def printed(self, program: str, label: str, command: str | None = None) -> str:
        """The value after a label, as printed, in the first command (or in `command`) that has it."""
        for run in self.transcript(program).commands:
            if command is not None and run.text != command:
                continue
            for line in run.output:
                text = line.strip()
                rest = text[len(label) :]
                if text.startswith(label) and rest.strip() and rest[0] in ":~ ":
                    value = rest.lstrip(": ")
                    self.measured = self.measured or numbers.found(value)
                    if rest.startswith("  ") or rest[0] in ":~" or numbers.value(value) is not None:
                        return value
        where = f" under $ {command}" if command else ""
        raise ClaimError(f'{program} printed no line that begins with "{label}"{where}')

    def value(self, program: str, label: str, command: str | None = None) -> float:
        """The number after a label, without its unit."""
        text = self.printed(program, label, command)
        number = numbers.value(text)
        if number is None:
            raise ClaimError(f'{program} printed no number after "{label}", but {text}')
        return number

    def rows(self, file: str) -> list[series.Row]:
        """The rows of a data file, by its bare name."""
        for program in self.programs.values():
            if Path(file).name in program.data:
                path = self.data(program, Path(file).name)
                if not path.exists():
                    raise ClaimError(f"{file} was never recorded")
                return series.read(path)
        raise ClaimError(f"no program declares {file} under DATA")

    def column(self, file: str, column: str, **where: Any) -> list[float]:
        """The numbers of a column, in the rows where other columns have the values given; `_` stands for a blank."""
        rows = self.rows(file)
        where = {name if rows and name in rows[0] else name.replace("_", " "): value for name, value in where.items()}
        for name in (column, *where):
            if rows and name not in rows[0]:
                raise ClaimError(f"{file} has no column {name}; it has {', '.join(rows[0])}")
        self.measured = self.measured or any(map(numbers.is_measured, (column, *where)))
        return [float(row[column]) for row in rows if all(_equal(row[k], v) for k, v in where.items())]

    def cell(self, file: str, column: str, **where: Any) -> float:
        """The one number of a column in the row that `where` picks."""
        found = self.column(file, column, **where)
        if len(found) != 1:
            raise ClaimError(f"{file}: {where} picks {len(found)} rows, not one")
        return found[0]


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


def evaluate(expression: str, recordings: Recordings) -> Any:
    """Computes an expression of numbers, comparisons and the functions above; nothing else runs."""
    functions: dict[str, Callable[..., Any]] = {
        "value": recordings.value, "column": recordings.column, "cell": recordings.cell,
        "min": min, "max": max, "abs": abs, "round": round, "sum": sum, "len": len,
        "median": statistics.median, "sorted": sorted,
    }  # fmt: skip

    def visit(node: ast.AST) -> Any:
        match node:
            case ast.Expression(body=body):
                return visit(body)
            case ast.Constant(value=int() | float() | str() | None as constant):
                return constant
            case ast.UnaryOp(op=op, operand=operand):
                return _OPERATORS[type(op)](visit(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return _OPERATORS[type(op)](visit(left), visit(right))
            case ast.BoolOp(op=ast.And(), values=values):
                return all(visit(value) for value in values)
            case ast.BoolOp(op=ast.Or(), values=values):
                return any(visit(value) for value in values)
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                sides = [visit(side) for side in (left, *comparators)]
                return all(_OPERATORS[type(op)](a, b) for op, a, b in zip(ops, sides, sides[1:], strict=False))
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [visit(item) for item in items]
            case ast.Subscript(value=value, slice=index):
                return visit(value)[visit(index)]
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in functions:
                return functions[name](*map(visit, args), **{k.arg: visit(k.value) for k in keywords if k.arg})
        raise ClaimError(f"{ast.unparse(node)} is not allowed in a claim")

    try:
        return visit(ast.parse(expression.strip(), mode="eval"))
    except SyntaxError as error:
        raise ClaimError(f"cannot read {expression!r}: {error.msg}") from None
    except (KeyError, TypeError, ValueError, ZeroDivisionError, IndexError, OverflowError) as error:
        raise ClaimError(f"cannot compute {expression!r}: {error}") from None
    except (declarations.DeclarationError, TranscriptError) as error:
        raise ClaimError(str(error)) from None


_READS = ("value", "column", "cell")


def reads(expression: str) -> set[str]:
    """The programs and data files that an expression reads, by bare name."""
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except SyntaxError:
        return set()  # evaluating it says so
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) in _READS)
    named = (call.args[0].value for call in calls if call.args and isinstance(call.args[0], ast.Constant))
    return {str(name).rsplit("/", 1)[-1] for name in named}


def empty_part(expression: str) -> str:
    """The part of an expression that is true or false whatever was recorded; nothing if there is none."""
    try:
        parts: list[ast.expr] = [ast.parse(expression.strip(), mode="eval").body]
    except SyntaxError:
        return ""  # evaluating it says so
    while parts:
        part = parts.pop()
        if isinstance(part, ast.BoolOp):
            parts += part.values
        elif isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
            parts.append(part.operand)
        elif not reads(ast.unparse(part)):
            return ast.unparse(part)
        elif isinstance(part, ast.Compare):
            sides = [ast.dump(side) for side in (part.left, *part.comparators)]
            if any(a == b for a, b in zip(sides, sides[1:], strict=False)):
                return ast.unparse(part)
    return ""


@dataclass(frozen=True)
class PageClaims:
    """The numbers and claims of one page."""

    path: Path
    recordings: Recordings
    numbers: dict[str, tuple[str, str]]
    claims: dict[str, str]
    factors: dict[str, float] = field(default_factory=dict)

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
        expression, form = self.numbers[name]
        result = evaluate(expression, self.recordings)
        return form.format(result) if form else three_digits(result)

    def check(self, not_run: list[NotRunError] | None = None) -> list[str]:
        """One message for each claim that does not hold or number that cannot be computed.

        With `not_run`, what a re-run cannot compute since it did not run the program goes there, named.
        """
        where = keys.relative(self.path, self.recordings.root)
        found = []

        def look(what: str, expression: str, compute: Callable[[], object], cure: str) -> bool:
            """Whether it can be computed and reads recorded data; notes it if not."""
            try:
                computed = compute()
                if part := empty_part(expression):
                    found.append(f"{where}: {what}: {part} reads no recorded data; {cure}")
            except NotRunError as error:
                if not_run is None:
                    found.append(f"{where}: {what}: {error}")
                else:
                    not_run.append(NotRunError(error.program, f"{where}: {what}"))
            except ClaimError as error:
                found.append(f"{where}: {what}: {error}")
            else:
                return bool(computed)
            return True

        for sentence, expression in self.claims.items():
            holds = partial(evaluate, expression, self.recordings)
            if not look(f'"{sentence}"', expression, holds, "compare what value, column or cell gives"):
                found.append(f'{where}: does not hold: "{sentence}": {expression}; change the page or the program')
        for name, (expression, _) in self.numbers.items():
            look(name, expression, partial(self.measured, name), "use value, column or cell, or :spec:")
        return found


def three_digits(number: float) -> str:
    """A number with three significant digits and no exponent."""
    size = abs(number)
    decimals = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3
    return f"{number:.{decimals}f}"


def load(path: Path, root: Path, recordings: Recordings | None = None) -> PageClaims:
    """Reads a page's claims file; a page without one has no numbers and no claims."""
    recordings = recordings or Recordings(root)
    if not path.exists():
        return PageClaims(path, recordings, {}, {})
    where = keys.relative(path, root)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ClaimError(f"{where}: {error}") from None
    if unknown := set(content) - {"measured", "claims"}:
        raise ClaimError(f"{where}: unknown table {', '.join(sorted(unknown))}; there are [measured] and [claims]")
    expressions = {
        name: (entry["is"], entry.get("format", "")) if isinstance(entry, dict) else (entry, "")
        for name, entry in content.get("measured", {}).items()
    }
    return PageClaims(
        path, recordings, expressions, content.get("claims", {}), _factors(content.get("measured", {}), where)
    )


def _factors(entries: dict[str, Any], where: str) -> dict[str, float]:
    """How far numbers may be from the page's in a re-run, by name."""
    found = {}
    for name, entry in entries.items():
        if not isinstance(entry, dict) or "factor" not in entry:
            continue
        if not str(entry.get("because", "")).strip():
            raise ClaimError(f'{where}: {name}: a factor needs a reason; add because = "..."')
        factor = entry["factor"]
        if factor != "any" and not (isinstance(factor, int | float) and factor >= 1):
            raise ClaimError(f'{where}: {name}: factor is a number of at least 1, or "any"')
        found[name] = numbers.ANY if factor == "any" else float(factor)
    return found
