"""The project's programs, transcripts and claims, each read once a build; no Sphinx imports."""

import re
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path

from lockstep.emulator import module_keys
from lockstep.programs import architectures, declarations, downloads, sources
from lockstep.programs.declarations import Program
from lockstep.recordings import claims, filters, keys, series
from lockstep.recordings.transcripts import Transcript

_SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z`\"'(])")
_IDENTIFIER = re.compile(r"\w+")


class Recordings(claims.Recordings):
    """Recordings that share one reading of all declarations and remember what was looked at."""

    def __init__(self, project: "Project") -> None:
        self.root = project.root
        self.programs = project.programs
        self.used: set[Path] = set()
        self._project = project

    def transcript(self, program: str) -> Transcript:
        found = declarations.find(self.programs, program)
        self.used.update(self._project.files_of(found))
        return self._project.transcript(found)

    def rows(self, file: str) -> list[series.Row]:
        self.used.update(p.directory / Path(file).name for p in self.programs.values() if Path(file).name in p.data)
        return super().rows(file)


class Project:
    """Everything the directives ask about programs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.transcript = cache(keys.load)
        self.problems = cache(lambda program: keys.problems(program, root))
        self.downloads = cache(downloads.files)
        self.module_key = cache(module_keys.key)

    @cached_property
    def programs(self) -> dict[str, Program]:
        return declarations.load(self.root)

    @cached_property
    def by_name(self) -> dict[str, Program]:
        """The programs by their bare names, of which each has one."""
        return {program.name: program for program in self.programs.values()}

    def find(self, path: str) -> Program | None:
        """The program with that site-wide path."""
        return self.programs.get(path)

    def files_of(self, program: Program) -> list[Path]:
        """The files that decide what a page shows of a program."""
        headers = sources.included_headers(program.source, self.root / sources.INCLUDE)
        return [
            program.source,
            program.console,
            program.directory / "CMakeLists.txt",
            *(program.directory / name for name in (*program.sources, *program.recorded_files)),
            filters.whole_file(program.console),
            *sources.beside(program.source),
            *headers,
        ]

    def unrecorded(self, program: Program) -> str:
        """Why nothing may be shown of a recorded run yet; empty where there is something."""
        if not program.console.exists() or not self.transcript(program).recorded:
            return (self.problems(program) or [f"{program.name} was never recorded"])[0]
        return ""

    def apis(self, program: Program, known: Iterable[str]) -> list[str]:
        """The names from `known` that a program's own sources use, comments aside."""
        texts = [sources.strip_comments(file.read_text(encoding="utf-8")) for file in own_sources(program)]
        return sorted({name for text in texts for name in _IDENTIFIER.findall(text)} & set(known))


def own_sources(program: Program) -> list[Path]:
    """The source of a program, and the further ones of a program of several."""
    return [program.source, *(program.directory / name for name in program.sources)]


def leading_comment(text: str) -> str:
    """The comment at the top of a source, as one paragraph."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").strip())
    return " ".join(filter(None, lines))


def summary(text: str) -> str:
    """The first sentence of a source's leading comment; with its answer, where it is a question."""
    sentences = _SENTENCE.split(leading_comment(text))
    return " ".join(sentences[: 2 if sentences[0].endswith("?") else 1])


def needs(program: Program) -> list[str]:
    """What a program needs beyond the toolkit and any GPU, one phrase each."""
    found = []
    if program.min_cc and program.min_cc > architectures.OLDEST:
        only = " only" if program.arch_specific else " or newer"
        found.append(f"compute capability {architectures.capability(program.min_cc)}{only}")
    if program.min_gpus > 1:
        found.append(f"{program.min_gpus} GPUs")
    found += [name.removeprefix("CUDA::").partition("::")[0] for name in program.libs]
    if program.must_not_compile:
        found.append("must not compile")
    return found or ["any CUDA GPU"]


def cmake_command(program: Program) -> str:
    """Builds one program from a checkout of the project."""
    return f"cmake --preset default && cmake --build --preset default --target {program.name}"
