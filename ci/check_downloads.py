#!/usr/bin/env python3
"""Compiles every single-file download as a reader would: plain nvcc, one file.

check_downloads.py [--jobs N] [PROGRAM ...]
"""

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "ci"))

from lockstep import declarations, downloads  # noqa: E402


def environment() -> dict[str, str]:
    """With the NCCL of .venv, if there is one, where the compiler looks by itself."""
    known = dict(os.environ)
    for nccl in ROOT.glob(".venv/lib/python3*/site-packages/nvidia/nccl"):
        for name, folder in (("CPATH", "include"), ("LIBRARY_PATH", "lib")):
            known[name] = os.pathsep.join(filter(None, [known.get(name), str(nccl / folder)]))
    return known


def compile_one(program: declarations.Program) -> str:
    """What nvcc said if it failed, else nothing."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in downloads.files(program).items():
            (Path(folder) / name).write_text(text)
        commands = [downloads.build_command(program)]
        if program.exercise:
            commands.append(downloads.build_command(program, downloads.starter(program)))
        for command in commands:
            run = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, shell=True)
            if run.returncode != 0:
                return f"{program.path}: $ {command}\n{run.stderr}{run.stdout}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    options = parser.parse_args()
    declared = declarations.load(ROOT)
    wanted = [declarations.find(declared, name) for name in options.programs] or list(declared.values())
    wanted = [program for program in wanted if not program.must_not_compile]
    with ThreadPoolExecutor(options.jobs) as pool:
        failures = [text for text in pool.map(compile_one, wanted) if text]
    print("\n".join(failures) or f"{len(wanted)} downloads compile")
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except declarations.DeclarationError as error:
        sys.exit(f"check_downloads: {error}")
