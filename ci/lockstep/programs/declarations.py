"""The programs as `lockstep_program()` declares them in the programs' CMake lists.

CMake alone reads the lists: `lockstep.programs.cmake_lists` has it write what they declare to build/declarations.json,
which is read here. Nothing here runs another program, since Sphinx imports it.
"""

import hashlib
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from lockstep import data
from lockstep.errors import LockstepError, nearest
from lockstep.exercises import requirements
from lockstep.files import ROOT

WRITTEN = Path("build/declarations.json")
KEYWORDS = ROOT / "programs/ProgramKeywords.cmake"
SCRIPT = ROOT / "programs/declarations.cmake"


unwritten: dict[Path, "Written"] = {}
"""What the lists of a checkout say where build/declarations.json cannot be written."""


class DeclarationError(LockstepError):
    """A declaration that cannot be read; the text names file, line and what to do."""


class UnknownProgramError(DeclarationError):
    """A name that no declared program has."""

    status = 2


@dataclass(frozen=True)
class Program:
    """One declared program; all paths are absolute."""

    name: str
    folder: str
    root: Path
    line: int
    min_cc: int | None = None
    max_cc: int | None = None  # in the checks; not in the key of a recording, which one architecture made
    min_gpus: int = 1
    newer_toolkit: str = ""
    standard: int = 17
    archs: tuple[str, ...] = ()
    arch_specific: bool = False
    separable: bool = False
    must_not_compile: bool = False
    plain: bool = False
    sources: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    libs: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    small: tuple[str, ...] = ()
    expect_sanitizer: tuple[str, ...] = ()
    skip_sanitizer: tuple[str, ...] = ()
    exercise: bool = False
    tools: tuple[str, ...] = ()
    timeout: int = 60
    skip_reason: str = ""
    unrecorded: str = ""
    no_emulation: str = ""
    no_browser: str = ""
    emulator_finds: str = ""
    steps: bool = False
    small_run: bool = False  # this is the run with SMALL's arguments, recorded in a file of its own

    @property
    def path(self) -> str:
        """Site-wide path without suffix, such as `foundations/introduction/many_slow_threads`."""
        return f"{self.folder}/{self.name}"

    @cached_property
    def directory(self) -> Path:
        return self.root / "programs" / self.folder

    @cached_property
    def source(self) -> Path:
        return self.directory / f"{self.name}.cu"

    @cached_property
    def console(self) -> Path:
        return self.directory / f"{self.name}{'.small' if self.small_run else ''}.console"

    @property
    def label(self) -> str:
        """What to call it in a report."""
        return f"{self.path} (small)" if self.small_run else self.path

    @property
    def recorded_files(self) -> tuple[str, ...]:
        """The files beside the transcript that its commands write: series, and pictures as they are kept."""
        return (*self.data, *map(recorded_picture, self.pictures))

    @property
    def planted(self) -> tuple[str, str]:
        """What the emulator must find: with which arguments, none if it is the first run, and what it says."""
        at, _, text = self.emulator_finds.rpartition(": ") if self.emulator_finds[:1] == "-" else ("", "", "")
        return at, text or self.emulator_finds

    @property
    def small_variant(self) -> "Program":
        """The run with SMALL's arguments, which keeps no files."""
        return replace(self, small_run=True, data=(), pictures=())

    @cached_property
    def declared_build(self) -> str:
        """What the declaration says about the build, as one line."""
        parts = [f"c++{self.standard}", *(f"arch={a}" for a in self.archs)]
        parts += ["arch-specific"] if self.arch_specific else []
        parts += ["separable"] if self.separable else []
        parts += [f"toolkit={self.newer_toolkit}"] if self.newer_toolkit else []
        parts += [*self.options, *self.sources, *self.libs, *(f"data={d}" for d in self.data)]
        parts += [f"picture={picture}" for picture in self.pictures]
        parts += [f"min-cc={self.min_cc}", f"min-gpus={self.min_gpus}"]
        return " ".join(parts)


def recorded_picture(name: str) -> str:
    """The file that is kept of a picture: rotated.png of rotated.ppm."""
    return Path(name).with_suffix(".png").name


def key(root: Path) -> str:
    """The content of all CMake lists of the programs, and of what reads them, as one short text."""
    hashed = hashlib.sha256()
    for path in (KEYWORDS, SCRIPT, *sorted((root / "programs").rglob("CMakeLists.txt"))):
        name = path.relative_to(root) if path.is_relative_to(root) else path.name
        hashed.update(f"{name}\0".encode() + path.read_bytes() + b"\0")
    return hashed.hexdigest()[:16]


def up_to_date(root: Path) -> bool:
    """Whether build/declarations.json says what the CMake lists say now."""
    written = _written(root)
    return written is not None and written.key == key(root)


def load(root: Path) -> dict[str, Program]:
    """All declared programs by path, in the order of their folders.

    :raises DeclarationError: where build/declarations.json is not of these CMake lists, or something in it is wrong
    """
    written = _written(root)
    if written is None or written.key != key(root):
        raise DeclarationError(
            f"{WRITTEN}: not made from these CMake lists; run: make html, or python3 ci program list"
        )
    return parse(written, root)


@dataclass(frozen=True)
class Declared:
    """A declaration as CMake read it; `mistake` is what is wrong with it."""

    folder: str
    name: str
    mistake: str
    keywords: dict[str, Any]
    line: int


@dataclass(frozen=True)
class Written:
    """What build/declarations.json holds."""

    key: str
    standard: int
    programs: list[Declared]


def _written(root: Path) -> Written | None:
    return unwritten.get(root) or data.remembered(root / WRITTEN, Written, root)


def parse(written: Written, root: Path) -> dict[str, Program]:
    """The programs of build/declarations.json; raises DeclarationError at the first mistake in a declaration."""
    known = {field.name for field in fields(Program)}
    declared: dict[str, Program] = {}
    names: dict[str, str] = {}
    files: dict[str, str] = {}
    for one in written.programs:
        where = f"programs/{one.folder}/CMakeLists.txt:{one.line}"
        name, folder = one.name, one.folder
        if one.mistake:
            raise DeclarationError(f"{where}: {one.mistake}")
        given: dict[str, Any] = {
            keyword.lower(): tuple(value) if isinstance(value, list) else value
            for keyword, value in one.keywords.items()
        }
        if unknown := sorted(given.keys() - known):
            raise DeclarationError(f"{where}: {unknown[0].upper()}: add it to Program in declarations.py")
        if given.get("min_gpus", 1) > 1:
            given.setdefault("no_emulation", "the emulator has one GPU")
        program = Program(name=name, folder=folder, root=root, line=one.line, standard=written.standard, **given)
        for tool in program.tools:
            if not requirements.known(tool):
                raise DeclarationError(
                    f"{where}: TOOLS {tool}: no such tool; ci/lockstep/exercises/requirements.py lists them"
                )
        if name in names:
            raise DeclarationError(f"{where}: {name} is also declared in {names[name]}; names are unique")
        for file in (f"{name}.cu", *program.sources):
            if not (program.directory / file).exists():
                raise DeclarationError(f"{where}: programs/{folder}/{file} does not exist; write it, or name another")
        for file in program.recorded_files:
            kind = "DATA" if file in program.data else "PICTURES"
            if file in files:
                raise DeclarationError(
                    f"{where}: {kind} {file} is also declared in {files[file]}; names of recorded files are unique"
                )
            files[file] = where
        names[name] = where
        declared[program.path] = program
    return declared


def small_runs(programs: list[Program]) -> list[Program]:
    """The runs with SMALL's arguments, of those programs that run without a GPU, too: they are recorded for comparison."""
    return [
        program.small_variant
        for program in programs
        if program.small and emulated(program) and not program.emulator_finds
    ]


def emulated(program: Program) -> bool:
    """Whether the emulator runs the program."""
    return not (program.no_emulation or program.must_not_compile)


def find(programs: dict[str, Program], wanted: str) -> Program:
    """The program with that path or bare name; raises UnknownProgramError, with the names nearest to it, if there is none."""
    path = wanted.removeprefix("programs/").removesuffix(".cu").removesuffix(".console")
    for program in programs.values():
        if path in (program.path, program.name):
            return program
    if not wanted:
        raise UnknownProgramError("name a program, as in: make program PROGRAM=block_sum_shared")
    near = nearest(path.rpartition("/")[2], (program.name for program in programs.values()))
    where = near or "; programs/<part>/<page>/CMakeLists.txt declares them"
    raise UnknownProgramError(f"no program is called {wanted}{where}")
