"""Reads the `lockstep_program()` declarations out of the programs' CMake lists.

CMake builds from the same lines; a test compares what both understood.
"""

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from lockstep.errors import LockstepError
from lockstep.exercises import requirements

FLAGS = {"PLAIN", "ARCH_SPECIFIC", "SEPARABLE", "MUST_NOT_COMPILE", "EXERCISE", "STEPS"}
SINGLE = {"MIN_CC", "MIN_GPUS", "TIMEOUT", "UNRECORDED", "NO_EMULATION", "NO_BROWSER", "EMULATOR_FINDS"}
REASONS = {"UNRECORDED", "NO_EMULATION", "NO_BROWSER", "EMULATOR_FINDS"}  # texts that readers or checks see
LISTS = {"ARCHS", "SOURCES", "OPTIONS", "LIBS", "DATA", "SMALL", "EXPECT_SANITIZER", "SKIP_SANITIZER", "TOOLS"}

_TOKEN = re.compile(r'#[^\n]*|"((?:[^"\\]|\\.)*)"|([()])|([^\s()"#]+)', re.S)


class DeclarationError(LockstepError):
    """A declaration that cannot be read; the text names file, line and what to do."""


@dataclass(frozen=True)
class Program:
    """One declared program; all paths are absolute."""

    name: str
    folder: str
    root: Path
    line: int
    min_cc: int | None = None
    min_gpus: int = 1
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
    small: tuple[str, ...] = ()
    expect_sanitizer: tuple[str, ...] = ()
    exercise: bool = False
    tools: tuple[str, ...] = ()
    timeout: int = 60
    unrecorded: str = ""
    no_emulation: str = ""
    no_browser: str = ""
    emulator_finds: str = ""
    steps: bool = False
    small_run: bool = False  # this is the run with SMALL's arguments, recorded in a file of its own
    code_options: tuple[str, ...] = field(default=(), compare=False)

    @property
    def path(self) -> str:
        """Site-wide path without suffix, such as `foundations/introduction/many_slow_threads`."""
        return f"{self.folder}/{self.name}"

    @property
    def directory(self) -> Path:
        return self.root / "programs" / self.folder

    @property
    def source(self) -> Path:
        return self.directory / f"{self.name}.cu"

    @property
    def console(self) -> Path:
        return self.directory / f"{self.name}{'.small' if self.small_run else ''}.console"

    @property
    def label(self) -> str:
        """What to call it in a report."""
        return f"{self.path} (small)" if self.small_run else self.path

    @cached_property
    def build_line(self) -> str:
        """Everything about the build that reaches the run, as one line."""
        parts = [f"c++{self.standard}", *self.code_options, *(f"arch={a}" for a in self.archs)]
        parts += ["arch-specific"] if self.arch_specific else []
        parts += ["separable"] if self.separable else []
        parts += [*self.options, *self.sources, *self.libs, *(f"data={d}" for d in self.data)]
        parts += [f"min-cc={self.min_cc}", f"min-gpus={self.min_gpus}"]
        return " ".join(parts)


def calls(text: str, wanted: str):
    """Yields (line, arguments) for each call of the CMake command `wanted`."""
    tokens = [t for t in _TOKEN.finditer(text) if not t[0].startswith("#")]
    for i, token in enumerate(tokens[:-1]):
        if token[3] != wanted or tokens[i + 1][2] != "(":
            continue
        arguments = []
        for argument in tokens[i + 2 :]:
            if argument[2] == ")":
                break
            arguments.append(argument[1] if argument[1] is not None else argument[0])
        yield text.count("\n", 0, token.start()) + 1, arguments


def _parse(arguments: list[str], where: str) -> tuple[str, dict]:
    if not arguments:
        raise DeclarationError(f"{where}: lockstep_program needs a name")
    values, keyword = {}, None
    for argument in arguments[1:]:
        if argument in FLAGS:
            values[argument], keyword = True, None
        elif argument in SINGLE | LISTS:
            keyword = argument
            values[keyword] = [] if keyword in LISTS else None
        elif keyword in LISTS:
            values[keyword].append(argument)
        elif keyword in SINGLE and values[keyword] is None:
            values[keyword] = argument
        else:
            raise DeclarationError(f"{where}: unknown argument {argument}; programs/LockstepProgram.cmake lists them")
    for keyword, value in values.items():
        if value in (None, []):
            raise DeclarationError(f"{where}: {keyword} needs a value")
        if keyword in REASONS and not value.strip():
            raise DeclarationError(f"{where}: {keyword} needs a reason; say why, in a few words")
    return arguments[0], values


def _number(values: dict, keyword: str, fallback, where: str):
    try:
        return int(values[keyword]) if keyword in values else fallback
    except ValueError:
        raise DeclarationError(f"{where}: {keyword} takes a whole number, not {values[keyword]}") from None


def load(root: Path) -> dict[str, Program]:
    """All declared programs by path, in the order of the site."""
    programs = root / "programs"
    settings = (programs / "LockstepProgram.cmake").read_text(encoding="utf-8")
    variables = {arguments[0]: arguments[1:] for _, arguments in calls(settings, "set") if arguments}
    standard = int(variables["LOCKSTEP_CUDA_STANDARD"][0])
    code_options = tuple(variables["LOCKSTEP_CODE_OPTIONS"])

    declared: dict[str, Program] = {}
    names: dict[str, str] = {}
    for _, (folder, *_) in calls((programs / "CMakeLists.txt").read_text(encoding="utf-8"), "add_subdirectory"):
        listing = programs / folder / "CMakeLists.txt"
        if not listing.exists():
            raise DeclarationError(f"programs/CMakeLists.txt: {folder} has no CMakeLists.txt")
        for line, arguments in calls(listing.read_text(encoding="utf-8"), "lockstep_program"):
            where = f"{listing.relative_to(root)}:{line}"
            name, values = _parse(arguments, where)
            program = Program(
                name=name,
                folder=folder,
                root=root,
                line=line,
                min_cc=_number(values, "MIN_CC", None, where),
                min_gpus=_number(values, "MIN_GPUS", 1, where),
                standard=standard,
                timeout=_number(values, "TIMEOUT", 60, where),
                archs=tuple(values.get("ARCHS", ())),
                arch_specific="ARCH_SPECIFIC" in values,
                separable="SEPARABLE" in values,
                must_not_compile="MUST_NOT_COMPILE" in values,
                plain="PLAIN" in values,
                exercise="EXERCISE" in values,
                tools=tuple(values.get("TOOLS", ())),
                sources=tuple(values.get("SOURCES", ())),
                options=tuple(values.get("OPTIONS", ())),
                libs=tuple(values.get("LIBS", ())),
                data=tuple(values.get("DATA", ())),
                small=tuple(values.get("SMALL", ())),
                expect_sanitizer=tuple(values.get("EXPECT_SANITIZER", ())),
                unrecorded=values.get("UNRECORDED", ""),
                no_emulation=values.get("NO_EMULATION", ""),
                no_browser=values.get("NO_BROWSER", ""),
                emulator_finds=values.get("EMULATOR_FINDS", ""),
                steps="STEPS" in values,
                code_options=code_options,
            )
            for tool in program.tools:
                if not requirements.known(tool):
                    raise DeclarationError(
                        f"{where}: TOOLS {tool}: no such tool; ci/lockstep/exercises/requirements.py lists them"
                    )
            if name in names:
                raise DeclarationError(f"{where}: {name} is also declared in {names[name]}; names are unique")
            if not program.source.exists():
                raise DeclarationError(f"{where}: {program.source.relative_to(root)} does not exist")
            names[name] = folder
            declared[program.path] = program
    return declared


def small_runs(programs: list[Program]) -> list[Program]:
    """The runs with SMALL's arguments, of those programs that run without a GPU, too: they are recorded for comparison."""
    return [
        replace(program, small_run=True, data=())
        for program in programs
        if program.small and emulated(program) and not program.emulator_finds
    ]


EMULATED_PARTS = ("foundations", "programming", "labs", "reference")


def emulated(program: Program) -> bool:
    """Whether the emulator runs the program."""
    return program.folder.startswith(EMULATED_PARTS) and not (program.no_emulation or program.must_not_compile)


def find(programs: dict[str, Program], wanted: str) -> Program:
    """The program with that path or bare name; raises DeclarationError if there is none."""
    path = wanted.removeprefix("programs/").removesuffix(".cu").removesuffix(".console")
    for program in programs.values():
        if path in (program.path, program.name):
            return program
    raise DeclarationError(f"no program is called {wanted}; programs/<part>/<page>/CMakeLists.txt declares them")
