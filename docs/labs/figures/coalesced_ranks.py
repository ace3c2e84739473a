"""Eight lanes of a warp, of which some append: their ranks in the coalesced group, and the places that they take."""

from lockstep_sphinx.drawings.canvas import Canvas

ACTIVE = (1, 2, 5, 7)
FIRST = 12


def ranks(c: Canvas, left: float, cell: float) -> None:
    c.text(left, 12, "lanes of the warp; four append", 13, "start", "muted")
    c.cells(left, 24, cell, 30, [str(lane) for lane in range(8)], ["gpu" if i in ACTIVE else "ghost" for i in range(8)])
    c.cells(left, 96, cell, 30, [str(rank) for rank in range(4)], "accent")
    c.text(left + 4 * cell + 12, 111, "ranks in the group", 13, "start", "muted")
    c.cells(left, 168, cell, 30, [str(FIRST + rank) for rank in range(4)], "memory")
    c.text(left + 4 * cell + 12, 183, "places in the list", 13, "start", "muted")
    for rank, lane in enumerate(ACTIVE):
        c.arrow(left + (lane + 0.5) * cell, 56, left + (rank + 0.5) * cell, 93)
        c.arrow(left + (rank + 0.5) * cell, 128, left + (rank + 0.5) * cell, 165)


def draw(c: Canvas) -> None:
    c.size(720, 206)
    ranks(c, 140, 54)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 206)
    ranks(c, 8, 40)
