"""Checks what every program owes a reader whose machine or arguments do not fit.

    python3 ci program exits [--plain] PROGRAM ...             executables
    python3 ci program exits --build FOLDER                    all that a build holds

Without a visible GPU a program prints one line on standard error, nothing else, and exits with 77; the first programs,
in which a reader meets each line, exit with 1.
With an unknown argument it does the same and exits with 2; a program declared PLAIN (--plain) takes no arguments and
owes nothing for one.

Of a build, programs that keep their promises are kept by their content (lockstep.cache), and not run another time.
"""

import argparse
import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from lockstep import cache
from lockstep.errors import LockstepError

LISTED = "exits.txt"  # which CMake writes
LIMIT = 30  # seconds for one run
EARLY = {"partition_in_branch": "wrong numbers", "error_log_tiny_buffer": "size given"}
"""Programs that print this heading before a child process asks for the GPU; to be fixed when they are recorded again."""

FIRST = {"hello_kernel", "hello_without_waiting", "vector_add_plain", "launch_mistakes"}
"""The first programs: for them a machine without a GPU is an error like any other."""


class ExitsError(LockstepError):
    """Why the programs of a build cannot be checked."""


@dataclass(frozen=True)
class Executable:
    """An executable, and whether it looks at arguments."""

    program: Path
    plain: bool

    def key(self, version: str) -> str:
        """Its content, and that of the check."""
        return hashlib.sha256(f"{version} {self.plain} ".encode() + self.program.read_bytes()).hexdigest()


def listed(build: Path, must_exist: bool = True) -> list[Executable]:
    """The programs of a build; raises ExitsError where it has none, or, if they must exist, one is missing."""
    file = build / LISTED
    if not file.exists():
        raise ExitsError(f"{file}: missing; configure first: cmake --preset ci -G Ninja")
    rows = [line.split(" ", 1) for line in file.read_text(encoding="utf-8").splitlines()]
    found = [Executable(Path(program), takes == "nothing") for takes, program in rows]
    if not found:
        raise ExitsError(f"{file}: names no program; programs/CMakeLists.txt declares them")
    if must_exist and (missing := [one for one in found if not one.program.exists()]):
        raise ExitsError(f"{missing[0].program}: not built; build first: cmake --build --preset ci")
    return found


def with_driver_stub(folder: str) -> dict[str, str]:
    """An environment in which programs that link to the driver start, though this machine has none: the toolkit's stub."""
    known = dict(os.environ)
    stub = Path(shutil.which("nvcc") or "").resolve().parent.parent / "lib64/stubs/libcuda.so"
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        (Path(folder) / "libcuda.so.1").symlink_to(stub)
        known["LD_LIBRARY_PATH"] = f"{folder}:{known.get('LD_LIBRARY_PATH', '')}"
    return known


def promise(program: Path, arguments: list[str], status: int, meaning: str, known: Mapping[str, str]) -> list[str]:
    """What the program does otherwise than promised."""
    command = [str(program.resolve()), *arguments]
    try:
        run = subprocess.run(command, env=known, capture_output=True, timeout=LIMIT, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return [f"{meaning}: still ran after {LIMIT} s"]
    output, errors = (text.decode(errors="replace").splitlines() for text in (run.stdout, run.stderr))
    broken = []
    if run.returncode != status:
        broken.append(f"{meaning}: exit status {run.returncode}, not {status}")
    heading = EARLY.get(program.name)
    if heading and not output:
        broken.append(f"{meaning}: no longer prints its heading first; take it out of EARLY")
    elif output and not (heading and len(output) == 1 and output[0].startswith(heading)):
        broken.append(f"{meaning}: printed on standard output: {output[0]}")
    if len(errors) != 1:
        broken.append(f"{meaning}: {len(errors)} lines on standard error, not 1")
    return broken


def broken(known: Mapping[str, str], one: Executable) -> list[str]:
    """One line for each broken promise of a program."""
    found = promise(one.program, [], 1 if one.program.name in FIRST else 77, "without a GPU", known)
    if not one.plain:
        found += promise(one.program, ["--no-such-option"], 2, "bad argument", known)
    return [f"{one.program.name}: {line}" for line in found]


def findings(executables: list[Executable], jobs: int) -> list[list[str]]:
    """What each program does otherwise than promised."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        hidden = with_driver_stub(folder) | {"CUDA_VISIBLE_DEVICES": ""}
        return list(pool.map(partial(broken, hidden), executables))


def check_build(build: Path, jobs: int) -> int:
    """Checks all programs of a build; returns the exit status."""
    contracts = listed(build)
    version = hashlib.sha256(cache.versions("nvcc").encode() + Path(__file__).read_bytes()).hexdigest()
    keys = {str(one.program): one.key(version) for one in contracts}
    names = set(cache.due("contracts", keys))
    due = [one for one in contracts if str(one.program) in names]
    found = findings(due, jobs)
    for one, lines in zip(due, found, strict=True):
        if not lines:
            cache.put("contracts", keys[str(one.program)])
        for line in lines:
            print(line)
    failed = sum(map(bool, found))
    print(
        f"contract: {len(contracts) - failed} programs keep it, {len(contracts) - len(due)} of them known, {failed} break it"
    )
    return 1 if failed else 0


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="program exits", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--plain", action="store_true", help="the programs take no arguments")
    parser.add_argument("--build", type=Path, metavar="FOLDER", help="check all programs of this build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("programs", nargs="*", type=Path, metavar="PROGRAM")
    options = parser.parse_args(argv)
    if bool(options.build) == bool(options.programs):
        parser.error("takes programs, or --build with a folder")
    if options.build:
        return check_build(options.build, options.jobs)
    found = findings([Executable(program, options.plain) for program in options.programs], options.jobs)
    for lines in found:
        for line in lines:
            print(line)
    return 1 if any(found) else 0
