"""The way of one tile through a naive and through a tiled transpose."""

from collections.abc import Callable

from lockstep_sphinx.drawings.canvas import Canvas

Step = tuple[float, str, str]  # where, its name, what it shows
MARKS: dict[str, tuple[Callable[[int, int], bool], str, str]] = {
    "in": (lambda i, j: (i, j) == (0, 2), "accent", "plain"),
    "out": (lambda i, j: (i, j) == (2, 0), "accent", "plain"),
    "row": (lambda i, j: i == 1, "gpu", "memory"),
    "column": (lambda i, j: j == 1, "gpu", "memory"),
}


def square(c: Canvas, x: float, y: float, cell: float, what: str) -> None:
    """A matrix with one element marked, or a tile of 4 x 4 with one row or column marked."""
    marked, kind, rest = MARKS[what]
    for i in range(4):
        c.cells(x, y + i * cell, cell, cell, [""] * 4, [kind if marked(i, j) else rest for j in range(4)])


def across(c: Canvas, y: float, steps: tuple[Step, ...]) -> None:
    """Steps from left to right, each with its name above."""
    for x, name, what in steps:
        c.text(x + 44, y - 12, name, size=13)
        square(c, x, y, 22, what)


def down(c: Canvas, x: float, steps: tuple[Step, ...]) -> None:
    """Steps from top to bottom, each with its name at the right, and an arrow between any two."""
    below = None
    for row, name, what in steps:
        y = 36 + row * 90
        if below:
            c.arrow(x + 28, below + 2, x + 28, y - 2)
        below = y + 56
        square(c, x, y, 14, what)
        c.text(x + 64, y + 28, name, size=13, anchor="start")


def draw(c: Canvas) -> None:
    c.size(720, 330)
    c.text(4, 12, "naive", anchor="start", kind="strong")
    steps = ((20, "in", "in"), (180, "a warp reads a row", "row"), (430, "and writes a column", "column"))
    across(c, 52, (*steps, (600, "out", "out")))
    c.arrow(112, 96, 174, 96)
    c.arrow(272, 96, 424, 96)
    c.text(348, 78, "straight to\ndevice memory", size=12, kind="muted")
    c.arrow(522, 96, 596, 96)
    c.text(4, 172, "tiled", anchor="start", kind="strong")
    steps = ((20, "in", "in"), (150, "reads a row", "row"), (280, "stores a row", "row"))
    across(c, 214, (*steps, (400, "loads a column", "column"), (510, "writes a row", "row"), (620, "out", "out")))
    c.arrow(112, 258, 146, 258)
    c.arrow(242, 258, 276, 258)
    c.arrow(370, 258, 398, 258)
    c.arrow(490, 258, 508, 258)
    c.arrow(600, 258, 618, 258)
    c.box(274, 304, 218, 22, "tile in shared memory", kind="ghost")


def draw_narrow(c: Canvas) -> None:
    c.size(344, 550)
    c.text(8, 14, "naive", anchor="start", kind="strong")
    steps = ((0, "in", "in"), (1, "a warp\nreads a row", "row"), (4, "and writes\na column", "column"))
    down(c, 8, (*steps, (5, "out", "out")))
    c.text(46, 289, "straight to\ndevice memory", size=12, anchor="start", kind="muted")
    c.text(168, 14, "tiled", anchor="start", kind="strong")
    c.box(158, 196, 182, 176, kind="ghost")
    c.text(232, 289, "tile in\nshared memory", size=12, anchor="start", kind="muted")
    steps = ((0, "in", "in"), (1, "reads a row", "row"), (2, "stores a row", "row"))
    down(c, 168, (*steps, (3, "loads a column", "column"), (4, "writes a row", "row"), (5, "out", "out")))
