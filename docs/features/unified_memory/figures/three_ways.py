"""Three ways in which an array in CPU memory reaches a kernel: in one piece, by page faults, by a mapping."""

from lockstep_sphinx.drawings.canvas import Canvas

WAYS = (
    ("copy or prefetch", "one large transfer, before the kernel runs"),
    ("page faults", "one small transfer for each fault; the kernel waits"),
    ("mapping", "no page moves; each access crosses the link"),
)


def way(c: Canvas, x: float, y: float, width: float, number: int) -> None:
    """One row: the array on the left, the kernel's side on the right, and what crosses between them."""
    title, words = WAYS[number]
    c.text(x, y, f"{number + 1}. {title}", 14, "start", "strong")
    c.text(x, y + 20, words, 12, "start", "muted")
    top, side, cell = y + 34, 88, 22
    right = x + width - side
    c.cells(x, top, cell, 30, [""] * 4, "cpu")
    if number == 2:
        c.box(right, top, side, 30, "kernel", "gpu")
    else:
        c.cells(right, top, cell, 30, [""] * 4, "gpu")
    if number == 0:
        c.arrow(x + side + 8, top + 15, right - 8, top + 15)
    elif number == 1:
        for i in range(4):
            c.arrow(x + side + 8, top + 3 + 8 * i, right - 8, top + 3 + 8 * i)
    else:
        c.arrow(right - 8, top + 15, x + side + 8, top + 15, dashed=True)


def draw(c: Canvas) -> None:
    c.size(400, 276)
    for number in range(3):
        way(c, 10, 14 + 92 * number, 370, number)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 276)
    for number in range(3):
        way(c, 8, 14 + 92 * number, 320, number)
