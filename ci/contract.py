#!/usr/bin/env python3
"""Checks what every program owes a reader whose machine or arguments do not fit.

    contract.py PROGRAM

Without a visible GPU it prints one line on standard error, nothing else, and exits with 77.
With an unknown argument it does the same and exits with 2.
"""

import os
import subprocess
import sys
from pathlib import Path


def promise(program: str, arguments: list[str], status: int, meaning: str) -> list[str]:
    """What the program does otherwise than promised."""
    hidden = os.environ | {"CUDA_VISIBLE_DEVICES": ""}
    try:
        run = subprocess.run([program, *arguments], env=hidden, capture_output=True, text=True, timeout=30)
    except subprocess.TimeoutExpired:
        return [f"{meaning}: still ran after 30 s"]
    broken = []
    if run.returncode != status:
        broken.append(f"{meaning}: exit status {run.returncode}, not {status}")
    if run.stdout:
        broken.append(f"{meaning}: printed on standard output: {run.stdout.splitlines()[0]}")
    if len(run.stderr.splitlines()) != 1:
        broken.append(f"{meaning}: {len(run.stderr.splitlines())} lines on standard error, not 1")
    return broken


def main() -> int:
    if len(sys.argv) != 2:
        print("contract: takes one program", file=sys.stderr)
        return 2
    program = sys.argv[1]
    broken = promise(program, [], 77, "without a GPU") + promise(program, ["--no-such-option"], 2, "bad argument")
    for line in broken:
        print(f"{Path(program).name}: {line}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
