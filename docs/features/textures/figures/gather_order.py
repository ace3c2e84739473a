"""The four texels of a gather, and their order."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(320, 236)
    side, left, top = 100, 60, 8
    for column, row, name, texel in (
        (0, 1, ".x", "x0, y1"),
        (1, 1, ".y", "x1, y1"),
        (1, 0, ".z", "x1, y0"),
        (0, 0, ".w", "x0, y0"),
    ):
        x, y = left + column * side, top + row * side
        c.box(x, y, side, side, kind="gpu")
        c.text(x + side / 2, y + (26 if row == 0 else 74), name, 16, "middle", "strong")
        c.text(x + side / 2, y + (48 if row == 0 else 52), texel, 12, "middle", "muted")
    c.box(left + side - 6, top + side - 6, 12, 12, kind="accent")
    c.arrow(left + 68, top + 182, left + 132, top + 182)
    c.arrow(left + 182, top + 132, left + 182, top + 68)
    c.arrow(left + 132, top + 12, left + 68, top + 12)
    c.text(left + side, 224, "the place of the gather is the corner", 12, "middle", "muted")
