"""Which squares of the Mandelbrot set were filled, and which computed, drawn from the letters that cdp_mandelbrot printed."""

import re

from lockstep_sphinx.drawings.canvas import Canvas, CanvasError

PROGRAM = "cdp_mandelbrot"
LETTERS = re.compile(r"[A-Ea-e#]{16,}")
FIRST = 16  # cells of a side of the largest squares
SMALL = 2  # cells of a side up to which neighbors are drawn as one
LEGEND = (("accent", "filled inside the set"), ("plain", "filled outside of it"), ("gpu", "computed pixel by pixel"))


def squares(rows: list[str]) -> list[tuple[int, int, int, int, str]]:
    """Left, top, width, height in cells, and letter, of the filled squares."""
    found: list[tuple[int, int, int, int, str]] = []
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter == "#":
                continue
            size = FIRST >> (ord(letter.lower()) - ord("a"))
            if x % size or y % size:
                continue
            if found and size <= SMALL and found[-1][1::3] == (y, letter) and sum(found[-1][0:3:2]) == x:
                left, top, width, height, _ = found.pop()
                found.append((left, top, width + size, height, letter))
            else:
                found.append((x, y, size, size, letter))
    return found


def paint(c: Canvas, cell: float, legend_below: bool) -> None:
    rows = [line for line in c.lines(PROGRAM, "--picture") if LETTERS.fullmatch(line)]
    if not rows:
        raise CanvasError(f"{PROGRAM} recorded no picture; record its command with --picture")
    side = len(rows) * cell
    c.size(side + (2 if legend_below else 205), side + (80 if legend_below else 2))
    c.cells(1, 1, side, side, [""], "gpu")
    for x, y, w, h, letter in squares(rows):
        c.cells(1 + x * cell, 1 + y * cell, w * cell, h * cell, [""], "accent" if letter.islower() else "plain")
    for i, (kind, text) in enumerate(LEGEND):
        left, top = (4.0, side + 10 + 22 * i) if legend_below else (side + 16, 20 + 26 * i)
        c.box(left, top, 14, 14, kind=kind)
        c.text(left + 22, top + 7, text, 12, "start")


def draw(c: Canvas) -> None:
    paint(c, 9, legend_below=False)


def draw_narrow(c: Canvas) -> None:
    paint(c, 7, legend_below=True)
