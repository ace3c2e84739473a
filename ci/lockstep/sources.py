"""Reads program sources: comments, regions, included headers, single-file downloads."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lockstep import exercises, fold

INCLUDE = Path("programs/include")

_LEXEME = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|[0-9][0-9a-zA-Z_.\']*|\w+|.',
    re.S,
)
_HEADER = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"](lockstep/[\w./]+)[>"].*$', re.M)
_MARKER = re.compile(r"^\s*//\s*\[(/?)([^\]]*)\]\s*$")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class SourceError(Exception):
    """Something wrong in a source; the text names file, line and mend."""


@dataclass(frozen=True)
class Region:
    """A named excerpt: first and last line (from 1), markers left out."""

    name: str
    first: int
    last: int


def strip_comments(text: str, *, keep_lines: bool = False) -> str:
    """The text as the compiler sees it: without comments, trailing blanks and empty lines.

    With `keep_lines` every line stays where it is, for runs whose output names line numbers.
    """

    def visible(match: re.Match) -> str:
        lexeme = match[0]
        if not lexeme.startswith(("//", "/*")):
            return lexeme
        return "\n" * lexeme.count("\n") if keep_lines or "\n" in lexeme else " "

    lines = [line.rstrip() for line in _LEXEME.sub(visible, text).split("\n")]
    return "\n".join(lines if keep_lines else [line for line in lines if line.strip()])


def regions(text: str, path: str | Path = "source") -> dict[str, Region]:
    """The regions marked `// [name]` ... `// [/name]`, by name, in order."""
    found: dict[str, Region] = {}
    name, opened = None, 0
    label = Path(path).name
    for number, line in enumerate(text.splitlines(), 1):
        marker = _MARKER.match(line)
        if not marker:
            continue
        closes, this = marker[1], marker[2]
        if not _NAME.fullmatch(this):
            raise SourceError(f"{label}:{number}: [{this}] is no region name; use lower-case-with-dashes")
        if closes:
            if name != this:
                raise SourceError(f'{label}:{number}: [/{this}] closes nothing; add "// [{this}]" before it')
            found[this] = Region(this, opened + 1, number - 1)
            name = None
        elif name is not None:
            raise SourceError(f'{label}:{opened}: [{name}] is never closed; add "// [/{name}]"')
        elif this in found:
            raise SourceError(f"{label}:{number}: [{this}] is opened twice; give it another name")
        else:
            name, opened = this, number
    if name is not None:
        raise SourceError(f'{label}:{opened}: [{name}] is never closed; add "// [/{name}]"')
    return found


def project_includes(text: str) -> list[str]:
    """The project headers that a text includes, such as `lockstep/check.hpp`."""
    return _HEADER.findall(text)


@cache
def _read(path: Path) -> str:
    try:
        return path.read_text()
    except FileNotFoundError:
        raise SourceError(f"{path}: no such header; look at programs/include") from None


def included_headers(source: Path, include_dir: Path) -> list[Path]:
    """Every project header that reaches the source, each once, in the order of inclusion."""
    return headers_of(source.read_text(encoding="utf-8"), include_dir)


def headers_of(text: str, include_dir: Path) -> list[Path]:
    """Every project header that reaches a text, each once, in the order of inclusion."""
    seen: list[Path] = []

    def visit(text: str) -> None:
        for name in project_includes(text):
            header = include_dir / name
            if header not in seen:
                seen.append(header)
                visit(_read(header))

    visit(text)
    return seen


def own_text(text: str) -> str:
    """A program's own part of a download: without region markers, other variants of an exercise, project includes."""
    lines = [line for line in text.splitlines() if not _MARKER.match(line) and not exercises.hidden(line)]
    return re.sub(r"\n{3,}", "\n\n", _HEADER.sub("", "\n".join(lines) + "\n"))


def bundle(source: Path, root: Path, text: str | None = None, beside: Mapping[str, str] | None = None) -> str:
    """A source as a download: with the excerpt of the project's headers that it uses.

    For a program of one file, `nvcc name.cu` alone compiles it. Region markers are left out, and what belongs to other
    variants of an exercise. `text` stands for the source's own, as the starter of an exercise does; `beside` are the
    other files of the download, which the source may include.
    """
    shown = source.read_text(encoding="utf-8") if text is None else text
    lines = [line for line in shown.splitlines() if not _MARKER.match(line) and not exercises.hidden(line)]
    include_dir = root / INCLUDE
    headers = headers_of("\n".join([shown, *(beside or {}).values()]), include_dir)
    texts = {header.relative_to(include_dir).as_posix(): _read(header) for header in reversed(headers)}
    return fold.fold("\n".join(lines) + "\n", in_order(texts), beside)


def in_order(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers so that each comes after those that it includes."""
    found: dict[str, str] = {}

    def visit(name: str) -> None:
        if name not in found:
            for other in project_includes(headers[name]):
                visit(other)
            found[name] = headers[name]

    for name in sorted(headers):
        visit(name)
    return found
