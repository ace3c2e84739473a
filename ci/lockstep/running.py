"""Builds and runs one program: for the GPU of this machine, or in the emulator where there is none.

    python3 ci program run PROGRAM [ARGUMENT ...]

PROGRAM is the name or the path of a program of the site. Nothing else is compiled. The toolkit is brought if it is missing,
its libraries only for a program that is declared with one of them. Without arguments the emulator takes those of SMALL. Exit status: that of the program; 1 it cannot be built, 2 bad arguments, 77 this machine cannot run it.
"""

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path

from lockstep import files
from lockstep.content import digest
from lockstep.emulator import emulate
from lockstep.emulator.tools import Unsupported
from lockstep.errors import CANNOT_RUN, LockstepError
from lockstep.files import ROOT
from lockstep.programs import cmake_lists, declarations, downloads, inputs
from lockstep.programs.declarations import Program
from lockstep.setup import toolkit

BUILD = ROOT / "build/program"


class CannotBuildError(LockstepError):
    """The program does not compile; the text is what the compiler said."""


class CannotRunError(LockstepError):
    """This machine lacks what the program needs."""

    status = CANNOT_RUN


def has_gpu() -> bool:
    """Whether this machine has a GPU that CUDA can use."""
    try:
        return "GPU" in subprocess.run(["nvidia-smi", "-L"], capture_output=True, encoding="utf-8", check=False).stdout
    except FileNotFoundError:
        return False


def build_command(program: Program, source: Path, binary: Path) -> list[str]:
    """How nvcc builds a program, or a learner's copy of it, for this machine's GPU."""
    options = shlex.split(" ".join(downloads.options(program)))
    if not any(word.startswith(("-arch", "-gencode")) for word in options):
        options.insert(0, "-arch=native")
    further = [str(program.directory / name) for name in program.sources if name.endswith((".cu", ".cpp"))]
    include = ["-I", str(program.root / "programs/include")]
    return [
        "nvcc",
        "-O2",
        "-lineinfo",
        *include,
        *options,
        str(source),
        *further,
        "-o",
        str(binary),
        *libraries(program),
    ]


def libraries(program: Program) -> list[str]:
    """The options that link a program's libraries; those of .cuda are found when it runs, too."""
    words = shlex.split(" ".join(downloads.links(program)))
    places = [ROOT / toolkit.FOLDER / "lib"] if "cuda-libraries" in toolkit.groups_for(program.libs) else []
    if "nccl" in toolkit.groups_for(program.libs):
        nccl = ROOT / toolkit.FOLDER / "nccl"
        words += [f"-I{nccl / 'include'}", f"-L{nccl / 'lib'}"]
        places.append(nccl / "lib")
    return [*words, *(word for place in places for word in ("-Xlinker", f"-rpath={place}"))]


def built(program: Program) -> Path:
    """The executable of a program for this machine's GPU; made again if anything that reaches it changed."""
    binary = BUILD / program.name
    stamp = binary.with_name(f"{binary.name}.key")
    command = build_command(program, program.source, binary)
    key = digest(
        [*command, str(toolkit.usable(ROOT, os.environ)), *(file.read_bytes() for file in inputs.files(program))]
    )
    if binary.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == key:
        return binary
    BUILD.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise CannotBuildError(f"{program.path} does not compile\n{(done.stderr or done.stdout).strip()}")
    files.write(stamp, key)
    return binary


def find(wanted: str) -> Program:
    """The program that was asked for; raises UnknownProgramError if there is none."""
    return declarations.find(cmake_lists.programs(ROOT), wanted)


def executable(program: Program) -> Path:
    """Builds a program for the GPU of this machine, or for the emulator; raises CannotRunError if neither can run it."""
    if program.must_not_compile or program.newer_toolkit:
        reason = program.unrecorded or "it must not compile: its page shows what the compiler says"
        raise CannotRunError(f"{program.name} does not run here: {reason}")
    if has_gpu():
        toolkit.provide(ROOT, program.libs)
        return built(program)
    if program.no_emulation:
        raise CannotRunError(f"no GPU here, and the emulator cannot run {program.name}: {program.no_emulation}")
    toolkit.provide(ROOT)
    try:
        return emulate.built(program, emulate.prepared("native"))
    except Unsupported as error:
        raise CannotRunError(f"no GPU here, and the emulator lacks what {program.name} needs: {error}") from None


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="program run", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("program", metavar="PROGRAM", help="its name, or its path")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="what the program gets")
    options = parser.parse_args(argv)
    program = find(options.program)
    arguments = options.arguments
    made = executable(program)
    if made.is_relative_to(emulate.BUILD) and not arguments and program.small:
        arguments = list(program.small)
        print(f"No GPU here: the emulator runs it at a smaller size, {shlex.join(arguments)}", file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(made, [f"./{program.name}", *arguments])


def build_all(argv: list[str]) -> int:
    """Compiles every program for the GPU in this machine, with the options and warnings of the site."""
    parser = argparse.ArgumentParser(prog="program build", description=build_all.__doc__)
    parser.add_argument(
        "--only-configure", action="store_true", help="compile nothing: recording builds what it records"
    )
    options = parser.parse_args(argv)
    commands = [["cmake", "--preset", "default", "-G", "Ninja"]]
    if not options.only_configure:
        commands.append(["cmake", "--build", "--preset", "default"])
    for command in commands:
        if status := subprocess.run(command, cwd=ROOT, check=False).returncode:
            return status
    return 0
