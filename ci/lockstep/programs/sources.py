"""Reads program sources: what the compiler sees of them, and the project headers that they include."""

import os
import re
from functools import cache
from pathlib import Path

from lockstep.errors import LockstepError

INCLUDE = Path("programs/include")
SHORT = Path("programs/download_headers")
"""Short forms of some headers, which stand in for them in downloads."""

_LEXEME = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|[0-9][0-9a-zA-Z_.\']*|\w+|.',
    re.S,
)
_QUOTED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.M)
HEADER = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"](lockstep/[\w./]+)[>"].*$', re.M)


class SourceError(LockstepError):
    """Something wrong in a source; the text names file, line and what to do."""


def strip_comments(text: str, *, keep_lines: bool = False) -> str:
    """The text as the compiler sees it: without comments, trailing blanks and empty lines.

    With `keep_lines` every line stays where it is, for runs whose output names line numbers.
    """

    def visible(match: re.Match[str]) -> str:
        lexeme = match[0]
        if not lexeme.startswith(("//", "/*")):
            return lexeme
        return "\n" * lexeme.count("\n") if keep_lines or "\n" in lexeme else " "

    lines = [line.rstrip() for line in _LEXEME.sub(visible, text).split("\n")]
    return "\n".join(lines if keep_lines else [line for line in lines if line.strip()])


def project_includes(text: str) -> list[str]:
    """The project headers that a text includes, such as `lockstep/check.hpp`."""
    return HEADER.findall(text)


@cache
def read_header(path: Path) -> str:
    """The text of a project header."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SourceError(f"{path}: no such header; look at programs/include") from None


def beside(source: Path) -> list[Path]:
    """The files near a source that it includes in quotes, and that these include so, each once."""
    found: list[Path] = []

    def visit(file: Path) -> None:
        for name in _QUOTED.findall(file.read_text(encoding="utf-8")):
            near = Path(os.path.normpath(file.parent / name))
            if near.is_file() and near not in (source, *found):
                found.append(near)
                visit(near)

    visit(source)
    return found


def included_headers(source: Path, include_dir: Path) -> list[Path]:
    """Every project header that reaches the source, each once, in the order of inclusion."""
    return list(headers_of(source.read_text(encoding="utf-8"), include_dir).values())


def headers_of(text: str, *folders: Path) -> dict[str, Path]:
    """Every project header that reaches a text, by its name, in the order of inclusion; the first folder that has it counts."""
    seen: dict[str, Path] = {}

    def visit(text: str) -> None:
        for name in project_includes(text):
            if name not in seen:
                places = [folder / name for folder in folders]
                seen[name] = next((place for place in places if place.exists()), places[-1])
                visit(read_header(seen[name]))

    visit(text)
    return seen
