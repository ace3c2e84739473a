"""Shared memory after a copy with the swizzle of 64 bytes."""

from pathlib import Path
from runpy import run_path

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "swizzle_banks.csv"
drawn = run_path(str(Path(__file__).with_name("swizzle_128b.py")))


def draw(c: Canvas) -> None:
    drawn["layout"](c, FILE, "64B")
