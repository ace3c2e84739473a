"""The pixels that OpenGL drew from a texture of CUDA, from the digits that gl_texture_picture printed."""

import re
from itertools import groupby

from lockstep_sphinx.drawings.canvas import Canvas, CanvasError

PROGRAM = "gl_texture_picture"
DIGITS = re.compile(r"\d{64}")
BRIGHT, DARK = 6, 3  # from which digit on, and up to which one
LEGEND = (("accent", "bright: 6 to 9"), ("plain", "4 and 5"), ("gpu", "dark: 0 to 3"))


def level(digit: str) -> str:
    return "accent" if int(digit) >= BRIGHT else "gpu" if int(digit) <= DARK else "plain"


def paint(c: Canvas, cell: float, legend_below: bool) -> None:
    rows = [line for line in c.lines(PROGRAM, "--picture") if DIGITS.fullmatch(line)]
    if not rows:
        raise CanvasError(f"{PROGRAM} recorded no picture; record its command with --picture")
    side = len(rows) * cell
    c.size(side + (2 if legend_below else 150), side + (80 if legend_below else 2))
    c.cells(1, 1, side, side, [""], "plain")
    for y, row in enumerate(rows):
        x = 0
        for kind, digits in groupby(row, level):
            width = len(list(digits))
            if kind != "plain":
                c.cells(1 + x * cell, 1 + y * cell, width * cell, cell, [""], kind)
            x += width
    for i, (kind, text) in enumerate(LEGEND):
        left, top = (4.0, side + 10 + 22 * i) if legend_below else (side + 16, 20 + 26 * i)
        c.box(left, top, 14, 14, kind=kind)
        c.text(left + 22, top + 7, text, 12, "start")


def draw(c: Canvas) -> None:
    paint(c, 6, legend_below=False)


def draw_narrow(c: Canvas) -> None:
    paint(c, 5, legend_below=True)
