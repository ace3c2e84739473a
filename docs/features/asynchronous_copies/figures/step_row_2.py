"""The third row of a tile arrives; pairs change places."""

from pathlib import Path
from runpy import run_path

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "swizzle_banks.csv"
drawn = run_path(str(Path(__file__).with_name("swizzle_128b.py")))


def draw(c: Canvas) -> None:
    drawn["arrival"](c, FILE, "128B", 3, "row 2 of the tile")
