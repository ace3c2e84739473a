"""Exercises on the learner's machine: begin one, try it, see what is done.

    python3 ci exercise list                   all exercises
    python3 ci exercise start NAME             makes the working copy exercises/NAME.cu; never overwrites it
    python3 ci exercise try NAME               builds the working copy, runs it and the tools, and says what is missing
    python3 ci exercise progress [--json FILE] what is begun and what is done; FILE can be imported on the site
    python3 ci exercise write VARIANT SOURCE FILE   writes the solution, the starter or a mutant of a source
    python3 ci exercise variants SOURCE        the starter and the mutants that a source holds
    python3 ci exercise judge EXPECTED PROGRAM [ARGUMENT ...]   runs a built variant; EXPECTED is pass or fail

Standard library only; needs nvcc and a GPU, for some exercises compute-sanitizer, cuobjdump or ncu. Without a GPU the
emulator judges all but speed, machine code and hardware counters; what is right up to those counts as solved, with a note.
Exit status: 0 solved, 1 not yet, 2 bad arguments or a file that cannot be judged, 77 this machine cannot judge it.
"""

import argparse
import hashlib
import json
import shlex
import subprocess
import sys
from pathlib import Path

from lockstep import files, running
from lockstep.emulator import emulate
from lockstep.emulator.tools import BuildError, Unsupported
from lockstep.errors import CANNOT_RUN, LockstepError, nearest
from lockstep.exercises import parts, requirement_runs, requirements
from lockstep.exercises.parts import ExerciseError
from lockstep.files import ROOT
from lockstep.programs import cmake_lists
from lockstep.programs.declarations import Program
from lockstep.setup import toolkit

PASSED, NOT_YET, CANNOT_JUDGE = 0, 1, 2


def load(root: Path) -> dict[str, Program]:
    """The exercises by name, those of the labs first, in the order of the labs."""
    declared = [program for program in cmake_lists.programs(root).values() if program.exercise]
    page = root / "docs/labs/index.rst"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    lines = [line.strip() for line in text.splitlines()]  # its toctree names the labs in order

    def place(program: Program) -> tuple[bool, int]:
        part, _, lab = program.folder.partition("/")
        names = [lab, lab.partition("/")[0], f"{lab.partition('/')[0]}/index"]
        return part != "labs", next((lines.index(name) for name in names if name in lines), len(lines))

    return {program.name: program for program in sorted(declared, key=place)}


def find(root: Path, name: str) -> Program:
    known = load(root)
    if not name:
        raise ExerciseError("name an exercise, as in: make start EXERCISE=roll_call")
    if name not in known:
        raise ExerciseError(
            f"no exercise is called {name}{nearest(name, known) or '; python3 ci exercise list names them'}"
        )
    return known[name]


def read(program: Program) -> parts.Exercise:
    return parts.parse(program.source.read_text(encoding="utf-8"), program.source.name)


def working_copy(root: Path, program: Program) -> Path:
    return root / "exercises" / f"{program.name}.cu"


def _stamp(root: Path, program: Program) -> Path:
    return root / "exercises" / ".done" / program.name


def _fingerprint(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write(path: Path, text: str) -> None:
    """Writes a file, and the folders that it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(path, text)


def start(root: Path, name: str) -> int:
    program = find(root, name)
    path = working_copy(root, program)
    shown = path.relative_to(root)
    if path.exists():
        print(f"{shown} is there already, and stays as it is. To begin again, move it away.")
        return PASSED
    write(path, read(program).text(parts.STARTER))
    print(f'Your copy is {shown}. Work between "{parts.BEGIN}" and "{parts.END}".')
    print(f"Then: make try EXERCISE={name}")
    return PASSED


def run(binary: Path, tools: tuple[str, ...], timeout: int, small: tuple[str, ...] = ()) -> tuple[int, str]:
    """Runs a built exercise, then each tool over it, until one is not content.

    :return: exit status and what to show
    """
    try:
        done = subprocess.run(
            [binary], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return NOT_YET, f"still ran after {timeout} s; does a loop, or a wait, never end?"
    if done.returncode == CANNOT_RUN:
        return CANNOT_RUN, done.stdout.rstrip()
    if done.returncode != 0:
        return NOT_YET, done.stdout.rstrip()
    said = [done.stdout.rstrip()]
    for tool in tools:
        try:
            said.append(requirement_runs.run(tool, binary, small))
        except requirement_runs.NotYetError as error:
            return NOT_YET, "\n".join([*said, str(error)])
        except requirement_runs.CannotJudgeError as error:
            return CANNOT_RUN, str(error)
    return PASSED, "\n".join(said)


def attempt(root: Path, name: str) -> int:
    """Judges the working copy."""
    program = find(root, name)
    path = working_copy(root, program)
    if not path.exists():
        raise ExerciseError(f"no {path.relative_to(root)}; make start EXERCISE={name} makes it")
    problems = parts.edits_outside(read(program).text(parts.STARTER), path.read_text(encoding="utf-8"))
    if problems:
        raise ExerciseError("\n".join(f"{path.relative_to(root)}: {problem}" for problem in problems))
    binary = root / "build" / "exercises" / name
    binary.parent.mkdir(parents=True, exist_ok=True)
    has_gpu = running.has_gpu()
    toolkit.provide(ROOT, program.libs if has_gpu else ())
    if not has_gpu:
        return attempt_without_gpu(root, program, binary)
    try:
        built = subprocess.run(
            running.build_command(program, path, binary), capture_output=True, text=True, encoding="utf-8"
        )
    except FileNotFoundError:
        print("nvcc is not on the PATH", file=sys.stderr)
        return CANNOT_RUN
    if built.returncode != 0:
        return conclude(root, program, NOT_YET, built.stderr.rstrip() or built.stdout.rstrip(), "does not compile yet")
    status, said = run(binary, program.tools, program.timeout, program.small)
    verdict = {PASSED: "solved", NOT_YET: "not yet"}.get(status, "cannot be judged on this machine")
    return conclude(root, program, status, said, verdict)


def conclude(root: Path, program: Program, status: int, said: str, verdict: str, left: str = "") -> int:
    """Prints what was found, and notes that the working copy is solved if it is.

    :param left: what this machine could not judge
    """
    print(f"{said}\n\n{program.name}: {verdict}")
    if status == PASSED:
        write(_stamp(root, program), f"{_fingerprint(working_copy(root, program))} {left}".rstrip() + "\n")
    return status


def attempt_without_gpu(root: Path, program: Program, binary: Path) -> int:
    """Judges the working copy in the emulator, as far as it can."""
    smaller = shlex.join(word for word in program.small if word != "--untimed")
    print(f"No GPU here: the emulator runs it{f', at a smaller size ({smaller})' if smaller else ''}.\n", flush=True)
    try:
        toolchain = emulate.prepared("native")
    except (emulate.EmulatorError, BuildError) as error:
        return conclude(root, program, CANNOT_RUN, str(error), "cannot be judged on this machine")
    try:
        toolchain.build(working_copy(root, program), binary, program.standard)
    except (BuildError, Unsupported) as error:
        lacks = "needs what the emulator lacks: " if isinstance(error, Unsupported) else ""
        return conclude(root, program, NOT_YET, f"{lacks}{error}", "does not compile yet")
    status, said = emulate.attempt(program, binary)
    if status == CANNOT_RUN:
        return conclude(root, program, CANNOT_RUN, said, "cannot be judged on this machine")
    if status != 0:
        return conclude(root, program, NOT_YET, said, "not yet")
    looked = [f"{tool:<28}clean, says the emulator" for tool in program.tools if tool in requirements.SANITIZERS]
    said = "\n".join([said, *looked])
    if missing := requirements.beyond_the_emulator(program.tools, program.small):
        left = ", ".join(missing)
        return conclude(root, program, PASSED, said, f"solved, except for what only a GPU can judge: {left}", left)
    return conclude(root, program, PASSED, said, "solved")


def progress(root: Path, export: Path | None = None) -> int:
    """One line for each exercise.

    :param export: where to write what is solved, for the site's page about the reader's progress
    """
    if export and not export.parent.is_dir():
        raise ExerciseError(f"{export}: there is no folder {export.parent}; name a file in one that is there")
    known = load(root)
    done = []
    for program in known.values():
        state, solved = state_of(working_copy(root, program), _stamp(root, program))
        done += [program.name] if solved else []
        print(f"{program.name:<28}{state:<30}{program.folder}")
    print(f"{len(done)} of {len(known)} solved")
    if export:
        place = {"format": "lockstep-place", "version": 1, "read": [], "solved": sorted(done)}
        write(export, json.dumps(place, indent=2) + "\n")
        print(f'{export} can be imported on the site, under "Your progress"')
    return PASSED


def state_of(path: Path, stamp: Path) -> tuple[str, bool]:
    """What is to be said of a working copy, and whether it counts as solved."""
    if not path.exists():
        return "-", False
    if not stamp.exists():
        return "begun", False
    fingerprint, _, left = stamp.read_text(encoding="utf-8").strip().partition(" ")
    if fingerprint != _fingerprint(path):
        return "changed since it was solved", False
    return f"solved, except for {left}" if left else "solved", True


def judge(expected: str, binary: Path, tools: tuple[str, ...], small: tuple[str, ...]) -> int:
    """Whether a built variant passes or fails as it should; for the tests."""
    status, said = run(binary, tools, 60, small)
    print(said)
    if status == CANNOT_RUN:
        return CANNOT_RUN
    found = "pass" if status == PASSED else "fail"
    print(f"expected to {expected}: {'yes' if found == expected else 'NO'}")
    return 0 if found == expected else 1


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="exercise", description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("list", help="all exercises")
    told = verbs.add_parser("progress", help="what is begun and what is done")
    told.add_argument("--json", type=Path, metavar="FILE", help="also write what is solved, to import it on the site")
    for verb in ("start", "try"):
        verbs.add_parser(verb).add_argument("name")
    writing = verbs.add_parser("write", help="writes a variant of a source")
    writing.add_argument("variant")
    writing.add_argument("source", type=Path)
    writing.add_argument("file", type=Path)
    verbs.add_parser("variants", help="the starter and the mutants of a source").add_argument("source", type=Path)
    judging = verbs.add_parser("judge", help="runs a built variant")
    judging.add_argument("expected", choices=("pass", "fail"))
    judging.add_argument("program", type=Path)
    judging.add_argument("--tools", default="", help="what the exercise asks beyond values, with commas between")
    judging.add_argument("small", nargs=argparse.REMAINDER, help="arguments of the run under a tool")
    options = parser.parse_args(argv)
    try:
        return _do(options)
    except LockstepError as error:  # 1 is the verdict "not yet", and nothing else
        print(f"exercise: {error}", file=sys.stderr)
        return CANNOT_JUDGE


def _do(options: argparse.Namespace) -> int:
    """Does what the arguments ask for."""
    root = options.root.resolve()
    if options.verb == "list":
        print("\n".join(f"{program.name:<28}{program.folder}" for program in load(root).values()))
        return 0
    if options.verb == "start":
        return start(root, options.name)
    if options.verb == "try":
        return attempt(root, options.name)
    if options.verb == "progress":
        return progress(root, options.json)
    if options.verb == "write":
        exercise = parts.parse(options.source.read_text(encoding="utf-8"), options.source.name)
        write(options.file, exercise.text(options.variant))
        return 0
    if options.verb == "variants":
        exercise = parts.parse(options.source.read_text(encoding="utf-8"), options.source.name)
        print(";".join([parts.STARTER, *exercise.mutants]))
        return 0
    tools = tuple(filter(None, options.tools.split(",")))
    return judge(options.expected, options.program, tools, tuple(options.small))
