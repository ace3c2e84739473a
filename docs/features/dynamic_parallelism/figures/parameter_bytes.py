"""The bytes of the parameter buffer of cdp_parameter_buffer."""

from lockstep_sphinx.drawings.canvas import Canvas

FIELDS = ((0, 1, "c"), (4, 4, "i"), (8, 8, "d"), (16, 2, "s"), (24, 8, "r"))
BYTES = 32


def row(c: Canvas, first: int, count: int, x: float, y: float, width: float) -> None:
    """Draws `count` bytes from `first` on, with their numbers below."""
    names = {at + i: name for at, size, name in FIELDS for i in range(size)}
    here = range(first, first + count)
    c.cells(x, y, width, 32, [names.get(i, "") for i in here], ["gpu" if i in names else "ghost" for i in here])
    for i in here:
        if i % 4 == 0:
            c.text(x + (i - first + 0.5) * width, y + 44, str(i), 11, kind="muted")


def draw(c: Canvas) -> None:
    c.size(670, 62)
    row(c, 0, BYTES, 5, 4, 20.5)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 126)
    row(c, 0, BYTES // 2, 5, 4, 20.5)
    row(c, BYTES // 2, BYTES // 2, 5, 68, 20.5)
