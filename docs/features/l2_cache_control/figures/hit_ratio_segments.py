"""A window of eight segments and a set-aside for four, with two hit ratios, while a kernel reads the window in turns."""

from lockstep_sphinx.drawings.canvas import Canvas

ROWS = (
    (
        "ratio 1: which four are kept?",
        (0, 1, 2, 3, 4, 5, 6, 7),
        ("memory",) * 4 + ("accent",) * 4,
        "each read evicts what comes next",
    ),
    (
        "ratio 0.5: the chosen four",
        (0, 1, 2, 3, 4, 5, 6, 7),
        ("accent", "memory", "memory", "accent") * 2,
        "the same four stay",
    ),
)


def _draw(c: Canvas, x: float, cell: float) -> None:
    for row, (title, labels, kinds, note) in enumerate(ROWS):
        top = 96 * row
        c.text(x, top + 20, title, 14, "start", "strong")
        c.cells(x, top + 30, cell, 32, [str(label) for label in labels], list(kinds))
        c.text(x, top + 82, note, 13, "start", "muted")


def draw(c: Canvas) -> None:
    c.size(720, 196)
    _draw(c, 120, 60)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 196)
    _draw(c, 15, 40)
