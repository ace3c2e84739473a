"""Checks that the Python tools read the same declarations as CMake.

python3 ci declarations PROGRAMS.txt      (written by CMake into the build folder)
"""

import sys
from pathlib import Path

from lockstep.files import ROOT
from lockstep.programs import declarations


def as_cmake_writes(program: declarations.Program) -> str:
    """The line that CMake writes for a program; an argument that was not given is empty."""
    gpus = str(program.min_gpus) if program.min_gpus > 1 else ""
    lists = [",".join(items) for items in (program.archs, program.options, program.libs, program.data)]
    return "|".join([program.path, str(program.min_cc or ""), gpus, *lists])


def main(argv: list[str]) -> int:
    if len(argv) != 1:
        print("declarations: takes one file", file=sys.stderr)
        return 2
    cmake = Path(argv[0]).read_text(encoding="utf-8").splitlines()
    python = [as_cmake_writes(program) for program in declarations.load(ROOT).values()]
    for line in sorted(set(cmake) - set(python)):
        print(f"only CMake reads:  {line}")
    for line in sorted(set(python) - set(cmake)):
        print(f"only Python reads: {line}")
    if cmake != python and set(cmake) == set(python):
        print("the order differs; list pages in programs/CMakeLists.txt once each")
    return 0 if cmake == python else 1
