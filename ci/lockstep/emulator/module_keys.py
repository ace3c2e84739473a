"""The key of a browser module: whether it is still the program that the page shows. Runs nothing.

It stands in the manifest beside the module, and the site leaves out a module whose key is not that of the program, of the
emulator and of the recording as they are now.
"""

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path

from lockstep.programs import sources
from lockstep.programs.declarations import Program

_COMPILER = ("rewriter.py", "toolchain.py", "tools.py")  # beside this file: what turns a program into a module


@cache
def _emulator(root: Path, names: tuple[Path, ...], dates: tuple[int, ...]) -> str:
    digest = hashlib.sha256()
    for file in names:
        digest.update(f"{file.name} {file.stat().st_size} ".encode() + file.read_bytes())
    return digest.hexdigest()


def emulator_key(root: Path) -> str:
    """A digest of the emulator: its headers, its rewriter, its runtime, and what compiles with them."""
    folder = root / "programs/emulator"
    files = [
        path for part in ("include", "rewriter", "runtime") for path in (folder / part).rglob("*") if path.is_file()
    ]
    files += [Path(__file__).with_name(name) for name in _COMPILER]
    return _emulator(root, tuple(sorted(files)), tuple(file.stat().st_mtime_ns for file in sorted(files)))


def key(program: Program) -> str:
    """A digest of all that reaches a program's module, and of the recording that it is compared with."""
    files = [program.source, *(program.directory / name for name in program.sources)]
    files += sources.included_headers(program.source, program.root / sources.INCLUDE)
    files += [program.console, replace(program, small_run=True, data=()).console]
    digest = hashlib.sha256(emulator_key(program.root).encode())
    for file in files:
        content = file.read_bytes() if file.exists() else b""
        digest.update(f"{file.name} {len(content)} ".encode() + content)
    return digest.hexdigest()[:24]
