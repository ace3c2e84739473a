"""Eight lanes of a warp, of which some append: their ranks in the coalesced group, and the places that they take."""

from lockstep_sphinx.drawings.canvas import Canvas

ACTIVE = (1, 2, 5, 7)
FIRST = 12


def ranks(c: Canvas, left: float, cell: float) -> None:
    c.text(left, 12, "lanes of the warp", 13, "start", "muted")
    c.cells(left, 24, cell, 30, [str(lane) for lane in range(8)], ["gpu" if i in ACTIVE else "ghost" for i in range(8)])
    c.text(left, 96, "ranks in the coalesced group", 13, "start", "muted")
    c.cells(left, 108, cell, 30, [str(rank) for rank in range(4)], "accent")
    c.text(left, 180, f"places {FIRST} to {FIRST + 3}, taken at once by rank 0", 13, "start", "muted")
    c.cells(left, 192, cell, 30, [str(FIRST + rank) for rank in range(4)], "memory")
    for rank, lane in enumerate(ACTIVE):
        c.arrow(left + (lane + 0.5) * cell, 56, left + (rank + 0.5) * cell, 105)
        c.arrow(left + (rank + 0.5) * cell, 140, left + (rank + 0.5) * cell, 189)


def draw(c: Canvas) -> None:
    c.size(720, 230)
    ranks(c, 140, 54)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 230)
    ranks(c, 8, 40)
