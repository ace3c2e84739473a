"""The first tile has been used, and its buffer is free."""

from pathlib import Path
from runpy import run_path

from lockstep_sphinx.drawings.canvas import Canvas

drawn = run_path(str(Path(__file__).with_name("ring_steps.py")))


def draw(c: Canvas) -> None:
    drawn["step"](c, "released", 0)
