"""Runs a program under one compute-sanitizer tool.

    python3 ci gpu-check sanitize TOOL clean|findings PROGRAM [ARGUMENT ...]

`clean`: the tool must find nothing. `findings`: the page shows a defect, and the tool must find it.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from lockstep.errors import CANNOT_RUN

SUMMARY = re.compile(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)")
# Calls that fail on purpose are the subject of some programs, not findings.
OPTIONS = {"memcheck": ["--report-api-errors", "no"], "racecheck": [], "initcheck": [], "synccheck": []}


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="gpu-check sanitize", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tool", choices=OPTIONS)
    parser.add_argument("expectation", choices=("clean", "findings"))
    parser.add_argument("program", type=Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    options = parser.parse_args(argv)
    tool, expectation, program = options.tool, options.expectation, options.program.resolve()
    if not shutil.which("compute-sanitizer"):
        print("sanitize: compute-sanitizer is not on the PATH; it comes with the CUDA toolkit", file=sys.stderr)
        return 1
    command = ["compute-sanitizer", "--tool", tool, *OPTIONS[tool], str(program), *options.arguments]
    with tempfile.TemporaryDirectory() as folder:
        try:
            run = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=300)
        except subprocess.TimeoutExpired:
            print(f"{program.name}: {tool}: still ran after 300 s")
            return 1
    printed = run.stdout + run.stderr
    if run.returncode == CANNOT_RUN:
        print(printed)
        return CANNOT_RUN
    summary = SUMMARY.search(printed)
    if not summary:
        print(f"{program.name}: {tool} gave no summary:\n{printed[-3000:]}")
        return 1
    findings = int(summary[1])
    if (findings > 0) != (expectation == "findings"):
        print(f"{program.name}: {tool} found {findings} errors, expected {expectation}:\n{printed[:3000]}")
        return 1
    return 0
