"""After the initialization."""

from pathlib import Path
from runpy import run_path

from lockstep_sphinx.drawings.canvas import Canvas

drawn = run_path(str(Path(__file__).with_name("phase_steps.py")))


def draw(c: Canvas) -> None:
    drawn["alone"](c, 0)
