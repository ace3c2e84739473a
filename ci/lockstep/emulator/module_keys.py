"""The emulator's key, and those of what is made with it. Runs nothing.

The key of a browser module stands in the manifest beside it, and the site leaves out a module whose key is not that of the
program, of the emulator and of the recording as they are now.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lockstep.content import digest
from lockstep.programs import inputs
from lockstep.programs.declarations import Program

_PARTS = ("include", "rewriter", "runtime")  # of programs/emulator
_COMPILER = ("rewriter.py", "toolchain.py", "tools.py")  # beside this file: what turns a program into a module


@dataclass(frozen=True)
class Manifest:
    """What stands beside the modules: for each program its entry."""

    programs: dict[str, dict[str, Any]]


@cache
def _emulator(root: Path, files: tuple[Path, ...], dates: tuple[int, ...]) -> str:
    named = [str(file.relative_to(root)) if file.is_relative_to(root) else file.name for file in files]
    return digest(part for name, file in zip(named, files, strict=True) for part in (name, file.read_bytes()))


def emulator_key(root: Path) -> str:
    """A digest of the emulator: its headers, its rewriter, its runtime, and what compiles with them."""
    folder = root / "programs/emulator"
    files = sorted(path for part in _PARTS for path in (folder / part).rglob("*") if path.is_file())
    files += [Path(__file__).with_name(name) for name in _COMPILER]
    return _emulator(root, tuple(files), tuple(file.stat().st_mtime_ns for file in files))


def program_key(program: Program) -> str:
    """A digest of the emulator and of all that the compiler reads of a program."""
    return digest([emulator_key(program.root), *(file.read_bytes() for file in inputs.files(program))])


def recordings_key(program: Program) -> str:
    """A digest of the recordings that a run of a program is compared with."""
    consoles = [run.console for run in (program, program.small_variant)]
    return digest(file.read_bytes() if file.exists() else b"" for file in consoles)


def key(program: Program) -> str:
    """A digest of all that reaches a program's module, and of the recordings that it is compared with."""
    return digest([program_key(program), recordings_key(program)])
