"""Checks what every program owes a reader whose machine or arguments do not fit.

    python3 ci contract [--plain] PROGRAM

Without a visible GPU it prints one line on standard error, nothing else, and exits with 77.
With an unknown argument it does the same and exits with 2; a program declared PLAIN (--plain) takes no arguments and
owes nothing for one.
"""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


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


def promise(program: str, arguments: list[str], status: int, meaning: str) -> list[str]:
    """What the program does otherwise than promised."""
    with tempfile.TemporaryDirectory() as folder:
        hidden = with_driver_stub(folder) | {"CUDA_VISIBLE_DEVICES": ""}
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


def main(argv: list[str]) -> int:
    plain = argv[:1] == ["--plain"]
    if len(argv) != 1 + plain:
        print("contract: takes one program, and --plain before it if it takes no arguments", file=sys.stderr)
        return 2
    program = argv[-1]
    broken = promise(program, [], 77, "without a GPU")
    if not plain:
        broken += promise(program, ["--no-such-option"], 2, "bad argument")
    for line in broken:
        print(f"{Path(program).name}: {line}")
    return 1 if broken else 0
