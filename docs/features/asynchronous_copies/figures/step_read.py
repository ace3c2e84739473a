"""Eight lanes read column 2 of the swizzled tile."""

from pathlib import Path
from runpy import run_path

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "swizzle_banks.csv"
drawn = run_path(str(Path(__file__).with_name("swizzle_128b.py")))


def draw(c: Canvas) -> None:
    drawn["reading"](c, FILE, "128B", 2, "column 2, swizzled")
