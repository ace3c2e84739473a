"""Reads program sources: what the compiler sees of them, and the project headers that they include."""

import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lockstep import files
from lockstep.errors import LockstepError

INCLUDE = Path("programs/include")

_TOKEN = re.compile(
    r"""
    (?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<string>(?:u8|[uUL])?R"(?P<fence>[^(\s"\\]*)\(.*?\)(?P=fence)"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|['\w.])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<space>\n|[ \t\r\f]+|\\\n)
  | (?P<sign><<=|>>=|<=>|\.\.\.|->\*|::|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^=!<>]=|.)
    """,
    re.X | re.S | re.M,
)
_STRING_OR_COMMENT = re.compile(r'("(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/', re.S)
_CONTINUED = "\\\n"
_QUOTED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.M)
HEADER = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"](lockstep/[\w./]+)[>"].*$', re.M)


class SourceError(LockstepError):
    """Something wrong in a source; the text names file, line and what to do."""


@dataclass(frozen=True)
class Token:
    """A part of a source that cannot be divided further: a directive, comment, string, number, word, space or sign."""

    kind: str
    text: str


def tokens(text: str) -> list[Token]:
    """A source as tokens; together they are the source."""
    return [Token(_kind(match), match[0]) for match in _TOKEN.finditer(text)]


def _kind(match: re.Match[str]) -> str:
    return next(kind for kind, found in match.groupdict().items() if found is not None and kind != "fence")


def significant(text: str) -> list[Token]:
    """The tokens of a source without spaces, comments and directives."""
    return [token for token in tokens(text) if token.kind not in ("space", "comment", "directive")]


def strip_comments(text: str, *, keep_lines: bool = False) -> str:
    """The text without comments, trailing blanks and empty lines.

    With `keep_lines` every line stays where it is, for runs whose output names line numbers.
    """

    def visible(token: Token) -> str:
        if token.kind == "directive":
            return _without_comments(token.text)
        if token.kind != "comment":
            return token.text
        return "\n" * token.text.count("\n") if keep_lines or "\n" in token.text else " "

    lines = [line.rstrip() for line in "".join(map(visible, tokens(text))).split("\n")]
    return "\n".join(lines if keep_lines else [line for line in lines if line.strip()])


def _without_comments(directive: str) -> str:
    return _STRING_OR_COMMENT.sub(lambda match: match[1] or " ", directive)


def canonical(text: str) -> str:
    """What a compiler sees of a text: its tokens with one blank between them, each directive on a line of its own.

    Neither comments nor layout show; a string that is broken into several literals is the whole string.
    """
    found: list[str] = []
    for token in tokens(text):
        if token.kind == "directive":
            found.append(f"\n{' '.join(_without_comments(token.text).replace(_CONTINUED, ' ').split())}\n")
        elif token.kind == "string" and token.text[0] == '"' and found and found[-1][0] == '"':
            found[-1] = found[-1][:-1] + token.text[1:]
        elif token.kind not in ("space", "comment"):
            found.append(token.text)
    return " ".join(found)


def is_script(name: str) -> bool:
    """Whether a further file of a program is Python, which calls what the program's commands build."""
    return name.endswith(".py")


def language(name: str) -> str:
    """What a file of a program is written in, as highlighters call it."""
    return "python" if is_script(name) else "cuda"


def project_includes(text: str) -> list[str]:
    """The project headers that a text includes, such as `lockstep/check.hpp`."""
    return HEADER.findall(text)


def read(path: Path) -> str:
    """The text of a source."""
    try:
        return files.read(path)
    except files.TextError as error:
        raise SourceError(f"{path}:{error}") from None


@cache
def read_header(path: Path) -> str:
    """The text of a project header."""
    try:
        return read(path)
    except FileNotFoundError:
        raise SourceError(f"{path}: no such header; look at programs/include") from None


def quoted(line: str) -> str:
    """The file that a line includes in quotes; empty if it includes none."""
    match = _QUOTED.match(line)
    return match[1] if match else ""


def beside(source: Path) -> list[Path]:
    """The files near a source that it includes in quotes, and that these include so, each once."""
    found: list[Path] = []

    def visit(file: Path) -> None:
        for name in _QUOTED.findall(read(file)):
            near = Path(os.path.normpath(file.parent / name))
            if near.is_file() and near not in (source, *found):
                found.append(near)
                visit(near)

    visit(source)
    return found


def included_headers(source: Path, include_dir: Path) -> list[Path]:
    """Every project header that reaches the source, each once, in the order of inclusion."""
    return list(headers_of(read(source), include_dir).values())


def headers_of(text: str, include_dir: Path) -> dict[str, Path]:
    """Every project header that reaches a text, by its name; each comes after those that it includes."""
    found: dict[str, Path] = {}
    seen: set[str] = set()

    def visit(text: str) -> None:
        for name in project_includes(text):
            if name not in seen:
                seen.add(name)
                visit(read_header(include_dir / name))
                found[name] = include_dir / name

    visit(text)
    return found
