"""One scheduler: each warp issues two loads and waits; others issue in the meantime."""

from lockstep_sphinx.drawings.canvas import Canvas

WARPS = 4


def timeline(c: Canvas, left: float, cell: float, wait: float, h: float) -> None:
    """Each row is a warp: two loads, a wait of the same length for all, and a multiplication."""
    for warp in range(WARPS):
        y = 40 + warp * (h + 12)
        x = left + 2 * warp * cell
        c.text(left - 8, y + h / 2, f"warp {warp}", 13, "end")
        c.cells(x, y, cell, h, ["L", "L"], "memory")
        c.box(x + 2 * cell, y, wait, h, "waits for memory", "ghost")
        c.cells(x + 2 * cell + wait, y, cell, h, ["M"], "gpu")
    bottom = 40 + WARPS * (h + 12) + 6
    c.arrow(left, bottom, left + 9 * cell + wait, bottom, "time")


def draw(c: Canvas) -> None:
    c.size(720, 270)
    c.text(20, 14, "L: a load is issued; M: a multiplication is issued", 13, "start", "muted")
    timeline(c, 80, 36, 280, 32)
    c.text(80, 252, "while one warp waits, the scheduler issues from another", 13, "start", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 290)
    c.text(10, 14, "L: a load is issued; M: a multiplication is issued", 12, "start", "muted")
    timeline(c, 62, 18, 122, 34)
    c.text(10, 266, "while one warp waits,\nthe scheduler issues from another", 12, "start", "muted")
