"""The first row of a tile arrives; line 0 is not permuted."""

from pathlib import Path
from runpy import run_path

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "swizzle_banks.csv"
drawn = run_path(str(Path(__file__).with_name("swizzle_128b.py")))


def draw(c: Canvas) -> None:
    drawn["arrival"](c, FILE, "128B", 1, "row 0 of the tile")
