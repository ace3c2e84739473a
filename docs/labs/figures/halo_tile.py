"""A block's tile: its own eight elements, three more on each side, and what one thread reads."""

from lockstep_sphinx.drawings.canvas import Canvas


def tile(c: Canvas, left: float, cell: float) -> None:
    c.text(left, 14, "global memory: in", 13, "start", "muted")
    c.cells(left, 26, cell, 34, [f"{i}" for i in range(16, 30)], ["warn"] * 3 + ["memory"] * 8 + ["warn"] * 3)
    c.text(left + 2 * cell, 98, "shared memory: tile", 13, "start", "muted")
    c.cells(left, 110, cell, 34, [f"{i}" for i in range(14)], ["warn"] * 3 + ["gpu"] * 8 + ["warn"] * 3)
    for i in (1, 7, 12):
        c.arrow(left + (i + 0.5) * cell, 62, left + (i + 0.5) * cell, 107)
    c.text(left + 1.5 * cell, 162, "halo", 13)
    c.text(left + 7 * cell, 162, "the block's own elements", 13)
    c.text(left + 12.5 * cell, 162, "halo", 13)


def draw(c: Canvas) -> None:
    c.size(720, 210)
    tile(c, 80, 40)
    c.box(240, 180, 280, 24, "the seven words that thread 4 adds up", "ghost")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 228)
    tile(c, 8, 24)
    c.box(104, 180, 168, 42, "the seven words that\nthread 4 adds up", "ghost")
