"""The one strict reader of the project's TOML and JSON: what a file may hold is said by dataclasses.

    @dataclass(frozen=True)
    class Question:
        ask: data.Text                              # needed, since it has no default
        kind: Literal["term", "error"]
        pages: tuple[data.Text, ...] = ()
        pending: data.Text | None = None

        def contradictions(self) -> data.Problems:        # optional: what holds between the fields
            if bool(self.pages) == bool(self.pending):
                yield "pages", "name either pages or what is pending"

    data.read(path, dict[str, list[Question]], root)

An unknown key, another type, a value out of its range or a file that cannot be read is one finding each, with file and
line, what was expected and what to do. A key is its field's name; `is_` stands for the key `is`.
"""

import datetime
import difflib
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, cached_property
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from lockstep.errors import LockstepError

T = TypeVar("T")
Place = tuple[str | int, ...]
"""Where a value stands: the keys and indices that lead to it."""
Problems = Iterator[tuple[str, str]]
"""What is wrong between the fields of a table: the key that it stands at, and the words."""


class DataError(LockstepError):
    """A file that does not hold what it must; one finding each in `findings`."""

    def __init__(self, findings: list[str]):
        super().__init__("\n".join(findings))
        self.findings = findings


@dataclass(frozen=True)
class Rule:
    """What a value must be beyond its type, in words that follow "expected"."""

    expected: str
    holds: Callable[[Any], bool]


def _is_day(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text) <= datetime.date.today() + datetime.timedelta(days=1)  # elsewhere
    except ValueError:
        return False


Text = Annotated[str, Rule("a text that is not empty", lambda text: bool(text.strip()))]
Count = Annotated[int, Rule("a whole number of at least 0", lambda number: number >= 0)]
Amount = Annotated[float, Rule("a number of at least 0", lambda number: number >= 0)]
Day = Annotated[str, Rule("a day such as 2026-11-23 that is not in the future", _is_day)]


@dataclass(frozen=True)
class Document(Generic[T]):
    """What a file holds, and where in it each value stands."""

    name: str
    text: str
    value: T
    is_json: bool = False

    def at(self, *place: str | int) -> str:
        """File and line of the value at this place; of the nearest around it, where it is not there."""
        return f"{self.name}:{self._lines[_nearest(place, self._lines)]}"

    @cached_property
    def _lines(self) -> dict[Place, int]:
        return {(): 1} | (_json_lines if self.is_json else _toml_lines)(self.text)


def _nearest(place: Place, known: dict[Place, int]) -> Place:
    return next(place[:end] for end in range(len(place), -1, -1) if place[:end] in known)


def document(path: Path, model: type[T], root: Path, cure: str = "correct it") -> Document[T]:
    """Reads a file, TOML or JSON by its ending being .json.

    :param model: a dataclass, or a type such as dict[str, list[str]]
    :param root:  the folder that findings name the file from
    :param cure:  what to do about a file that is not as it must be
    :raises DataError: where it is not what the model says
    """
    name = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError([f"{name}: cannot be read ({error.strerror}); {cure}"]) from None
    return parse(content, model, name, path.suffix == ".json", cure)


def read(path: Path, model: type[T], root: Path, cure: str = "correct it") -> T:
    """What a file holds; see `document`."""
    return document(path, model, root, cure).value


def remembered(path: Path, model: type[T], root: Path) -> T | None:
    """What an earlier run wrote down; None where nothing is there, or not what the model says: it is made again."""
    try:
        return read(path, model, root)
    except DataError:
        return None


def parse(content: bytes, model: type[T], name: str, is_json: bool, cure: str = "correct it") -> Document[T]:
    """Reads the content of a file that findings call by this name."""
    if content.startswith(b"\xef\xbb\xbf"):
        raise DataError([f"{name}:1: begins with a byte order mark; save it as UTF-8 without one"])
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(
            [f"{name}:{line}: the byte 0x{content[error.start]:02x} is not UTF-8; save it as UTF-8"]
        ) from None
    try:
        value = _json(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError([f"{name}:{_line_of(error, text)}: {_said(error)}; {cure}"]) from None
    found: list[tuple[Place, str]] = []
    made = _made(model, value, (), found)
    shown: Document[T] = Document(name, text, made, is_json)
    if found:
        raise DataError([f"{shown.at(*place)}: {_dotted(place)}{words}; {cure}" for place, words in found])
    return shown


def _json(text: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) < len(pairs):
            names = [name for name, _ in pairs]
            raise ValueError(f'"{next(n for n in names if names.count(n) > 1)}" stands twice in one table')
        return table

    return json.loads(text, object_pairs_hook=once)


def _line_of(error: Exception, text: str) -> int:
    if isinstance(error, json.JSONDecodeError):
        return error.lineno
    if match := re.search(r"at line (\d+)", str(error)):
        return int(match[1])
    return text.rstrip("\n").count("\n") + 1 if "end of document" in str(error) else 1


def _said(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "tables within tables, too deep to be read"
    text = error.msg if isinstance(error, json.JSONDecodeError) else re.sub(r" \(at .*\)", "", str(error))
    return f"cannot be read: {text}"


def _dotted(place: Place) -> str:
    """How a finding names a place: `measured.rate: `; the first of a list is 1."""
    return ".".join(str(part + 1 if isinstance(part, int) else part) for part in place) + ": " if place else ""


# ---- values


@cache
def _fields(model: type) -> dict[str, tuple[str, Any, bool]]:
    """For each key of a table the field's name, its type, and whether it is needed."""
    hints = get_type_hints(model, include_extras=True)
    return {
        one.name.rstrip("_"): (one.name, hints[one.name], one.default is MISSING and one.default_factory is MISSING)
        for one in fields(model)
        if one.init
    }


def _shape(kind: Any) -> tuple[type, ...]:
    """What a value of a type is, as the parsers give it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _shape(inner[0])
    if origin in (Union, UnionType):
        return tuple(shape for one in inner for shape in _shape(one))
    if origin is Literal:
        return tuple(type(one) for one in inner)
    if origin in (list, tuple):
        return (list,)
    if origin is dict or is_dataclass(kind):
        return (dict,)
    return (int, float) if kind is float else (kind,)


def _made(kind: Any, value: Any, place: Place, found: list[tuple[Place, str]]) -> Any:
    """The value as a type has it; notes what is wrong with it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        before = len(found)
        made = _made(inner[0], value, place, found)
        if len(found) == before and not inner[1].holds(made):
            found.append((place, f"is {_shown(value)}; expected {inner[1].expected}"))
        return made
    wrong = kind is not Any and type(value) not in _shape(kind)
    if wrong or (origin is Literal and value not in inner) or (kind is float and not abs(value) <= sys.float_info.max):
        found.append((place, f"is {_shown(value)}; expected {_words(kind)}"))
        return None
    if origin in (Union, UnionType):
        return _made(next(one for one in inner if type(value) in _shape(one)), value, place, found)
    if is_dataclass(kind):
        return _table(kind, value, place, found)
    if origin is dict:
        known = get_args(inner[0]) if get_origin(inner[0]) is Literal else value
        found += [((*place, key), _unknown(key, known)) for key in value if key not in known]
        return {key: _made(inner[1], one, (*place, key), found) for key, one in value.items() if key in known}
    if origin in (list, tuple):
        kinds = inner if origin is tuple and inner[-1] is not ... else (inner[0],) * len(value)
        if len(kinds) != len(value):
            found.append((place, f"has {len(value)} entries; expected {len(kinds)}"))
            return None
        return origin(
            _made(one, part, (*place, i), found) for i, (one, part) in enumerate(zip(kinds, value, strict=True))
        )
    return float(value) if kind is float else value


def _unknown(key: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(key, known, 1)
    meant = f'; did you mean "{near[0]}"?' if near else ""
    return f"unknown key{meant}; there are {', '.join(known)}"


def _table(kind: Any, value: dict[str, Any], place: Place, found: list[tuple[Place, str]]) -> Any:
    known, before, given = _fields(kind), len(found), {}
    for key, one in value.items():
        if key not in known:
            found.append(((*place, key), _unknown(key, known)))
            continue
        name, inner, _ = known[key]
        given[name] = _made(inner, one, (*place, key), found)
    for key, (_, inner, needed) in known.items():
        if needed and key not in value:
            found.append((place, f'lacks "{key}", {_words(inner)}'))
    if len(found) > before:
        return None
    made = kind(**given)
    if hasattr(made, "contradictions"):
        found += [((*place, key), words) for key, words in made.contradictions()]
    return made


_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}


def _words(kind: Any) -> str:
    """What a type takes, in words."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return str(inner[1].expected)
    if origin in (Union, UnionType):
        return " or ".join(map(_words, inner))
    if origin is Literal:
        return " or ".join(json.dumps(one) for one in inner)
    if origin in (list, tuple):
        return "a list"
    if is_dataclass(kind):
        return f"a table with {', '.join(_fields(kind))}"  # type: ignore[arg-type]
    return _NAMES.get(kind, "a table")


def _shown(value: Any) -> str:
    """A value in a finding: itself where it is short, else what it is."""
    if isinstance(value, dict | list):
        return f"{'a' if value else 'an empty'} {'table' if isinstance(value, dict) else 'list'}"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


# ---- lines, looked up only where there is something to say


def _toml_lines(text: str) -> dict[Place, int]:
    """The line on which each table and each value begins; the text is read a statement at a time."""
    lines: dict[Place, int] = {}
    counts: dict[Place, int] = {}
    table: Place = ()
    statement, begun = "", 1

    def note(place: Place, value: Any) -> None:
        lines.setdefault(place, begun)
        for key, one in (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        ):
            note((*place, key), one)

    for number, line in enumerate(text.split("\n"), 1):
        statement, begun = (statement + "\n" + line, begun) if statement else (line, number)
        try:
            value: Any = tomllib.loads(statement)
        except ValueError:
            continue
        if statement.lstrip().startswith("["):
            table = ()
            while isinstance(value, dict) and value:
                ((key, value),) = value.items()
                table = (*table, key)
                if isinstance(value, list):
                    counts[table] = counts.get(table, -1) + 1
                    value = {}
                if table in counts:
                    table = (*table, counts[table])
            lines.setdefault(table, begun)
        else:
            for key, one in value.items():
                note((*table, key), one)
        statement = ""
    return lines


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def _json_lines(text: str) -> dict[Place, int]:
    """The line on which each value begins, for a key its own."""
    lines: dict[Place, int] = {}
    place: list[str | int] = []
    tables: list[bool] = []  # of what is open, whether it is a table
    key = ""
    counted, line = 0, 1
    for token in _TOKEN.finditer(text):
        line, counted = line + text.count("\n", counted, token.start()), token.start()
        word = token[0]
        if word in "}]":
            tables.pop()
            place.pop()
        elif word == ",":
            place[-1] = place[-1] + 1 if isinstance(place[-1], int) else ""
        elif word == ":":
            place[-1] = json.loads(key)
            lines.setdefault(tuple(place), line)
        else:
            key = word
            if not (tables and tables[-1] and place[-1] == ""):
                lines.setdefault(tuple(place), line)
            if word in "{[":
                tables.append(word == "{")
                place.append("" if word == "{" else 0)
    return lines
