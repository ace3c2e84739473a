"""Four texels, the coordinates that each covers, and the two that a linear fetch interpolates."""

from lockstep_sphinx.drawings.canvas import Canvas

TEXELS = (10, 20, 40, 80)


def _draw(c: Canvas, left: float, side: float) -> None:
    c.cells(left, 40, side, 50, TEXELS, ("plain", "accent", "accent", "plain"))
    for i in range(5):
        c.line(left + i * side, 90, left + i * side, 100)
        c.text(left + i * side, 110, str(i), 13, kind="code")
    for i in range(4):
        c.line(left + (i + 0.5) * side, 90, left + (i + 0.5) * side, 96)
        c.text(left + (i + 0.5) * side, 128, f"{i}.5", 11, kind="muted")
    c.arrow(left + 2.25 * side, 22, left + 2.25 * side, 39)
    c.text(left + 2.25 * side, 12, "x = 2.25", 13, kind="code")


def draw(c: Canvas) -> None:
    c.size(720, 142)
    _draw(c, 40, 110)
    c.text(496, 50, "point: the texel that covers x, 40", 13, "start")
    c.text(496, 76, "linear: between the centers\n1.5 and 2.5, 35", 13, "start")


def draw_narrow(c: Canvas) -> None:
    c.size(348, 196)
    _draw(c, 16, 79)
    c.text(16, 154, "point: the texel that covers x, 40", 13, "start")
    c.text(16, 180, "linear: between the centers 1.5 and 2.5, 35", 13, "start")
