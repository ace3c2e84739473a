"""All three buffers belong to a tile."""

from pathlib import Path
from runpy import run_path

from lockstep_sphinx.drawings.canvas import Canvas

drawn = run_path(str(Path(__file__).with_name("ring_steps.py")))


def draw(c: Canvas) -> None:
    drawn["step"](c, "issued", 2)
