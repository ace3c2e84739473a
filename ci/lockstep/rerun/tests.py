"""The tests that need a GPU, as CTest lists them, and what is missing among them."""

import hashlib
import json
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lockstep.errors import LockstepError
from lockstep.exercises import parts
from lockstep.programs.declarations import Program
from lockstep.programs.sources import SourceError
from lockstep.recordings import keys, lanes, rerun_record, shards
from lockstep.recordings.machine import Machine
from lockstep.recordings.rerun_record import Seconds
from lockstep.recordings.transcripts import TranscriptError

RECORDING, SANITIZE, EXERCISE = "recording", "sanitize", "exercise"
KINDS = (RECORDING, SANITIZE, EXERCISE)
SANITIZERS = ("memcheck", "racecheck", "initcheck", "synccheck")
_BUILD = ("CMakeLists.txt", "CMakePresets.json", "programs/LockstepProgram.cmake")
"""What says how everything is built."""
BUILDING = 0.2
"""Seconds that a program's part of the build takes, all cores at work."""


class ListError(LockstepError):
    """A build folder that CTest cannot list."""


@dataclass(frozen=True)
class Test:
    """One test: of which program, how it runs, on how many GPUs, and whether nothing else may run on these meanwhile.

    `first`: it runs before all others, alone. An H100 drew whole pictures for OpenGL while nothing else had run on it; after
    some hundred other programs a third of the points was missing, also with no other program running.
    """

    name: str
    kind: str
    program: str
    command: tuple[str, ...]
    folder: Path
    alone: bool = False
    cost: float = 0.0
    timeout: float = 600.0
    gpus: int = 1
    first: bool = False


def listing(build: Path) -> list[dict[str, Any]]:
    """All tests of a configured build folder, as CTest describes them."""
    command = ["ctest", "--test-dir", str(build), "--show-only=json-v1"]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    try:
        tests: list[dict[str, Any]] = json.loads(run.stdout)["tests"]
    except (ValueError, KeyError):
        raise ListError(f"$ {' '.join(command)}\n{run.stdout}{run.stderr}cannot list the tests of {build}") from None
    return tests


def parts_of(name: str, kind: str) -> tuple[str, str]:
    """Of a test's name what is its program's, and what tells it from the program's others.

    That is the kind, a sanitizer, or the variant of an exercise; `named` puts both together again.
    """
    first, _, rest = name.partition(".")
    if kind == SANITIZE:
        return rest, first
    if kind == EXERCISE:
        inner, _, variant = rest.rpartition(".")
        return inner, variant
    return name, kind


def named(path: str, short: str) -> tuple[str, str]:
    """The name and the kind of a test of a program, from what tells it from the others."""
    inner = path.replace("/", ".")
    if short == RECORDING:
        return inner, RECORDING
    if short in SANITIZERS:
        return f"{short}.{inner}", SANITIZE
    return f"{EXERCISE}.{inner}.{short}", EXERCISE


def _properties(entry: dict[str, Any]) -> dict[str, Any]:
    return {one["name"]: one["value"] for one in entry.get("properties", [])}


def read(entries: Iterable[dict[str, Any]], programs: dict[str, Program], build: Path) -> tuple[list[Test], list[str]]:
    """The tests that need a GPU, and what is wrong with them as declared."""
    paths = {path.replace("/", "."): path for path in programs}
    tests, problems = [], []
    for entry in entries:
        known = _properties(entry)
        labels = known.get("LABELS", [])
        if "gpu" not in labels:
            continue
        name = entry["name"]
        if known.get("DISABLED"):
            problems.append(f"{name}: has CTest's property DISABLED; remove it, or declare UNRECORDED with the reason")
            continue
        kind = next((kind for kind in KINDS if kind in labels), "")
        inner, _ = parts_of(name, kind)
        if inner not in paths:
            problems.append(f"{name}: needs a GPU, but is no test of a declared program; lockstep_program() adds those")
            continue
        of_it = programs[paths[inner]]
        tests.append(
            Test(
                name, kind, of_it.path, tuple(entry.get("command", ())),
                Path(known.get("WORKING_DIRECTORY", build)),
                alone=bool(known.get("RUN_SERIAL")) or "alone" in labels or (kind == RECORDING and lanes.asks_for_memory(of_it)),
                cost=float(known.get("COST", 0)),
                timeout=float(known.get("TIMEOUT", 600)),
                gpus=max(of_it.min_gpus, 1),
                first=kind == RECORDING and lanes.draws(of_it),
            )
        )  # fmt: skip
    return tests, problems


def left_out(tests: Iterable[Test], programs: dict[str, Program], machine: Machine, build: Path) -> list[Test]:
    """Tests of programs that CMake left out and that could not run here either: they skip, with that reason."""
    names = {test.name for test in tests}
    absent = {path.replace("/", "."): program for path, program in programs.items() if machine.lacks(program)}
    return [Test(name, RECORDING, program.path, (), build) for name, program in absent.items() if name not in names]


def missing(tests: list[Test], programs: dict[str, Program], sanitizers: bool) -> list[str]:
    """Tests that declared programs ought to have and have not; `left_out` are among `tests`."""
    names = {test.name for test in tests}
    built = {test.name for test in tests if test.command}
    found = []
    for path, program in programs.items():
        name = path.replace("/", ".")
        if name not in names:
            libraries = f" ({', '.join(program.libs)})" if program.libs else ""
            found.append(
                f"{path}: is declared, but has no test here; install the libraries that it links{libraries}, "
                "and configure again"
            )
            continue
        if name not in built:
            continue
        if sanitizers and not (program.must_not_compile or program.newer_toolkit):
            found += [
                f"{path}: has no {tool} test; declare SKIP_SANITIZER {tool} with SKIP_REASON, or let it run"
                for tool in SANITIZERS
                if tool not in program.skip_sanitizer and f"{tool}.{name}" not in names
            ]
        if program.exercise:
            variants = ["solution", parts.STARTER, *parts.parse(_text(program), program.source.name).mutants]
            found += [
                f"{path}: has no test of its {variant}; configure again"
                for variant in variants
                if f"exercise.{name}.{variant}" not in names
            ]
    return found


def _text(program: Program) -> str:
    return program.source.read_text(encoding="utf-8")


def shard_of(tests: list[Test], shard: shards.Shard, seconds: dict[str, Seconds], jobs: int) -> list[Test]:
    """The tests of one shard. Those of one program stay together, since they need the same parts of the build."""
    programs = list(dict.fromkeys(test.program for test in tests))
    alone = {test.program for test in tests if test.kind == RECORDING and test.alone}

    def weight(program: str) -> float | None:
        if program not in seconds:
            return None
        known = seconds[program]
        return BUILDING + (known.recording if program in alone else known.recording / jobs) + known.beside / jobs

    chosen = set(shards.select(programs, [weight(program) for program in programs], shard))
    return [test for test in tests if test.program in chosen]


def targets(tests: Iterable[Test], programs: dict[str, Program], build: Path) -> list[str]:
    """What the tests need built, by name: a target is called like the file that it makes."""
    found = set()
    for test in tests:
        program = programs[test.program]
        if test.kind == RECORDING and test.command and not (program.must_not_compile or program.newer_toolkit):
            found.add(program.name)
        if test.kind == RECORDING and "libtimeline" in _console_text(program):
            found.add("timeline")
        if test.kind != RECORDING:
            found |= {binary.name for binary in binaries(test, build)}
    return sorted(found)


def _console_text(program: Program) -> str:
    return program.console.read_text(encoding="utf-8") if program.console.exists() else ""


def binaries(test: Test, build: Path) -> list[Path]:
    """The built files that a test's command names."""
    inside = f"{build / 'programs'}/"
    return [Path(word) for word in test.command if word.startswith(inside) and not Path(word).is_dir()]


def key(test: Test, program: Program, build: Path, machine: Machine) -> str:
    """Key over all that decides a test's result: sources, build, command, transcripts, and the machine's kind.

    The same on every machine of one kind: what passed on one need not run again on another. Hashes of the built files would
    not do, since nvcc never makes the same file twice.
    """
    places = sorted((f"{build}/", f"{program.root}/"), key=len, reverse=True)
    words = [re.sub("|".join(map(re.escape, places)), "", word) for word in test.command[1:]]
    of_it = [test.name, str(machine), *words]
    of_it += [(program.root / name).read_text(encoding="utf-8") for name in _BUILD if (program.root / name).exists()]
    if test.kind == EXERCISE:
        of_it.append(_text(program))  # its comments say what each variant is
    for run in rerun_record.runs(program):
        try:
            known = keys.load(run)
            of_it.append(str(keys.ingredients(run, known)))
        except (TranscriptError, SourceError) as error:
            of_it.append(str(error))
            continue
        if test.kind == RECORDING:
            of_it += [str(known.provenance), str(known.varies), str(known.factors), known.digest()]
    return hashlib.sha256("\0".join(of_it).encode()).hexdigest()[:16]
