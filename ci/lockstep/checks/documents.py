"""Resolves what README, CONTRIBUTING and pages tell a reader to type: commands, options, paths, names of programs.

A literal or a line of a shell block is split into words; `RESOLVERS` names who knows whether its command exists. A count of
programs or pages is never typed: `:count:` computes it.
"""

import argparse
import contextlib
import io
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from lockstep import cli, data
from lockstep.checks.kinds import Checkout, fits

PRESETS = "CMakePresets.json"

DOCUMENTS = ("*.md", "docs/**/*.rst")
ABOUT = ("README.md", "CONTRIBUTING.md", "docs/about.rst")  # what speaks of the project itself
PLACEHOLDERS = {"name", "NAME", "program", "x", "a"}  # they stand for any program
OWN_FOLDERS = ("docs/", "programs/", "ci/")
OWN_SUFFIXES = (".py", ".sh", ".toml", ".cmake", ".md")

_LITERAL = re.compile(r"(?<!`)(``?)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
_BLOCK = re.compile(r"^( *)\.\. code-block:: (?:bash|sh|shell)\n((?:\1 +.*\n|\s*\n)*)", re.M)
_PLACEHOLDER = re.compile(r"[<>…{}]|\.\.\.")
_COUNT = re.compile(
    r"(?<![\w.:`])(\d[\d,]*) (programs|pages|exercises|transcripts|chapters|downloads|figures|claims)\b"
)


@dataclass(frozen=True, eq=False)
class Known:
    """What exists."""

    project: Checkout

    @cached_property
    def targets(self) -> dict[str, str]:
        """The Makefile's targets, each with its line of help and its commands."""
        rules = re.finditer(r"^([a-z][\w-]*):(?!=)(.*\n(?:\t.*\n)*)", self.project.text("Makefile") + "\n", re.M)
        return {rule[1]: rule[2] for rule in rules}

    @cached_property
    def presets(self) -> set[str]:
        """The names of CMake's presets."""
        kinds = data.parse(self.project.text(PRESETS).encode(), dict[str, Any], PRESETS, is_json=True).value
        return {preset["name"] for kind in kinds.values() if isinstance(kind, list) for preset in kind}

    @cached_property
    def programs(self) -> dict[str, str]:
        """The declared programs by name, each with the text of its sources."""
        return {
            program.name: "".join(
                (program.directory / name).read_text(encoding="utf-8")
                for name in (f"{program.name}.cu", *program.sources)
            )
            for program in self.project.programs.values()
        }

    @cached_property
    def names(self) -> set[str]:
        """The names of files, without their folders."""
        return {PurePosixPath(name).name for name in self.project.files}

    def path(self, name: str) -> bool:
        """Whether a path, which may hold stars, leads to a file or folder."""
        name = name.rstrip("/")
        return any(file.startswith(f"{name}/") or fits(name, file) for file in self.project.files)


@dataclass(frozen=True)
class Literal:
    """A piece of a document that a reader may type."""

    line: int
    text: str
    made: frozenset[str]  # the names that the document has its reader make


def literals(name: str, text: str) -> Iterator[Literal]:
    """The literals and the lines of shell blocks of a document."""
    made = frozenset(re.findall(r"\blockstep_program\((\w+)|(?:^|\s)-o (\w+)", text))
    names = frozenset(one for pair in made for one in pair if one)
    found = [(match.start(), match[2]) for match in _LITERAL.finditer(text)]
    if name.endswith(".md"):
        found += [(match.start(1), match[1]) for match in re.finditer(r"(?<=\n\n) {4,}(\S.*(?:\n {4,}.*)*)", text)]
    else:
        found += [(match.start(1), match[1]) for match in re.finditer(r"^ +\$ (.+)", text, re.M)]
        found += [(match.start(2), match[2]) for match in _BLOCK.finditer(text)]
    for start, literal in found:
        first = text.count("\n", 0, start) + 1
        is_inline = text[start] == "`"
        for number, line in [(0, " ".join(literal.split()))] if is_inline else enumerate(literal.splitlines()):
            yield Literal(first + number, line.strip().removeprefix("$ "), names)


def commands(text: str) -> list[list[str]]:
    """The words of each command of a line; none of a line that is no command."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    found: list[list[str]] = [[]]
    try:
        for word in lexer:
            if set(word) <= set("|&;()"):
                found.append([])
            elif found[-1] or not re.match(r"[A-Z_]+=", word):
                found[-1].append(word)
    except ValueError:
        return []
    return [words for words in found if words]


# -- resolvers: what is wrong with a command, empty if nothing is --------------------------------------------------------


class _Understood(BaseException):
    """A command's arguments are understood, and it is not run."""


def _make(words: list[str], literal: Literal, known: Known) -> str:
    targets = [word for word in words[1:] if re.fullmatch(r"[a-z][\w-]*", word)]
    for target in targets:
        if target not in known.targets:
            return f"no target of the Makefile is called {target}; make lists them"
    rules = "".join(known.targets[target] for target in targets)
    for word in words[1:]:
        variable, given, value = word.partition("=")
        if not given:
            continue
        if targets and not re.search(rf"\$\({variable}\b|\b{variable}=", rules):
            return f"make {targets[0]} takes no {variable}; its line in the Makefile names what it takes"
        names = known.programs.keys() | literal.made | PLACEHOLDERS
        if variable in ("PROGRAM", "EXERCISE") and re.fullmatch(r"\w+", value) and value not in names:
            return f"no program is called {value}; name one that is declared"
    return ""


def _tools(words: list[str], literal: Literal, known: Known) -> str:
    """A command of the project's tools: its own parser says whether it takes these arguments."""
    parse = argparse.ArgumentParser.parse_args

    def understand(self: argparse.ArgumentParser, *given: object, **named: object) -> None:
        for action in self._actions:
            action.required = False  # a sentence may name a command alone
        parse(self, *given, **named)
        raise _Understood

    said = io.StringIO()
    try:
        argparse.ArgumentParser.parse_args = understand  # type: ignore[assignment,method-assign]
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            status = cli.main([word for word in words[2:] if not _PLACEHOLDER.search(word)])
    except _Understood:
        return ""
    except ImportError as error:
        return f"its module does not load: {error}"
    except SystemExit as end:
        status = int(end.code or 0)
    finally:
        argparse.ArgumentParser.parse_args = parse  # type: ignore[method-assign]
    return said.getvalue().strip().splitlines()[-1].partition("rror: ")[2] or said.getvalue().strip() if status else ""


def _cmake(words: list[str], literal: Literal, known: Known) -> str:
    for option, value in zip(words, words[1:], strict=False):
        if option == "--preset" and value not in known.presets:
            return f"no preset is called {value}; CMakePresets.json names them"
        if option == "--target" and "--preset" in words and value not in known.programs:
            return f"no program is called {value}; name one that is declared"
    return ""


def _program(words: list[str], literal: Literal, known: Known) -> str:
    name = words[0].removeprefix("./")
    if name in literal.made | PLACEHOLDERS or "/" in name:
        return ""
    if name not in known.programs:
        return f"no program is called {name}; name one that is declared"
    for word in words[1:]:
        option = re.fullmatch(r"--([\w-]+)", word)
        if option and f'"{option[1]}"' not in known.programs[name] and f'"{word}"' not in known.programs[name]:
            return f"{name} takes no {word}; its source names what it takes"
    return ""


def _built(words: list[str], literal: Literal, known: Known) -> str:
    """A program where the build puts it."""
    _, preset, _, path = words[0].split("/", 3)
    if preset not in known.presets:
        return f"no preset is called {preset}; CMakePresets.json names them"
    if path not in known.project.programs:
        return f"no program is called {path}; name one that is declared"
    return ""


def _nvcc(words: list[str], literal: Literal, known: Known) -> str:
    for word in words[1:]:
        path = PurePosixPath(word.removeprefix("exercises/"))  # where a reader's copies stand
        if path.suffix == ".cu" and path.stem not in {*literal.made, *PLACEHOLDERS, *known.programs}:
            return f"no program is called {word}; name one that is declared"
    return ""


Resolver = Callable[[list[str], Literal, Known], str]
RESOLVERS: dict[str, Resolver] = {
    r"make": _make,
    r"(?:\S*/)?python3? ci": _tools,
    r"cmake": _cmake,
    r"nvcc": _nvcc,
    r"\./\w+": _program,
    r"build/\w+/programs/\S+": _built,
}
"""Who knows a command, by how it begins."""


def _path(word: str, document: str, known: Known) -> str:
    """What is wrong with a word, if it is the path of a file of the project."""
    word = word.strip("`'\",.:;()")
    if _PLACEHOLDER.search(word):
        return ""
    own = word.startswith(OWN_FOLDERS) and re.fullmatch(r"[\w./*-]+", word)
    if own and not known.path(word):
        return f"{word} is not there; name a file or folder of the project"
    bare = document in ABOUT and re.fullmatch(r"[\w-]+(\.\w+)+", word) and word.endswith(OWN_SUFFIXES)
    if bare and word not in known.names:
        return f"no file is called {word}; name one of the project"
    return ""


def findings(project: Checkout) -> Iterator[str]:
    """All that the documents name and that is not there."""
    known = Known(project)
    for document in (name for name in project.files if any(fits(place, name) for place in DOCUMENTS)):
        text = project.text(document)
        for literal in literals(document, text):
            for problem in _problems(literal, document, known):
                yield f"{document}:{literal.line}: `{literal.text}`: {problem}"
        if document in ABOUT:
            for match in _COUNT.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield f'{document}:{line}: the count "{match[0]}" is typed; write :count:`{match[2]}`, or say it without'
        for match in re.finditer(r"\]\(([^)#:]+)\)", text) if document.endswith(".md") else ():
            target = str(PurePosixPath(document).parent / match[1])
            if not known.path(target):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{document}:{line}: {match[1]} is not there; name a file of the project"


def _problems(literal: Literal, document: str, known: Known) -> Iterator[str]:
    for words in commands(literal.text):
        begin = " ".join(words[:2])
        for pattern, resolver in RESOLVERS.items():
            if re.match(rf"{pattern}(?!\S)", begin) and (problem := resolver(words, literal, known)):
                yield problem
    for word in literal.text.split():
        stem = PurePosixPath(word).name.partition(".")[0]
        if stem not in literal.made and (problem := _path(word, document, known)):
            yield problem
