"""The six faces of a cubemap, unfolded, with the directions in which s and t grow."""

from lockstep_sphinx.drawings.canvas import Canvas

# column, row, face, name, what s and t are
FACES = (
    (0, 1, 1, "−x", "s = z", "t = −y"),
    (1, 1, 4, "+z", "s = x", "t = −y"),
    (2, 1, 0, "+x", "s = −z", "t = −y"),
    (3, 1, 5, "−z", "s = −x", "t = −y"),
    (1, 0, 2, "+y", "s = x", "t = z"),
    (1, 2, 3, "−y", "s = x", "t = −z"),
)


def _draw(c: Canvas, side: float, small: float) -> None:
    c.size(4 * side + 4, 3 * side + 4)
    for column, row, face, name, s, t in FACES:
        x, y = 2 + column * side, 2 + row * side
        c.box(x, y, side, side, kind="gpu" if row == 1 else "memory")
        c.text(x + side / 2, y + side * 0.24, f"{face}: {name}", small + 2, "middle", "strong")
        c.text(x + side / 2, y + side * 0.5, s, small, "middle", "code")
        c.text(x + side / 2, y + side * 0.72, t, small, "middle", "code")


def draw(c: Canvas) -> None:
    _draw(c, 120, 14)


def draw_narrow(c: Canvas) -> None:
    _draw(c, 84, 11)
