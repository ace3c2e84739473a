"""A block's tile: its own eight elements, three more on each side, and who reads what."""

CELL = 40


def draw(c):
    c.size(720, 210)
    left = (720 - 14 * CELL) / 2
    c.text(left, 14, "global memory", 13, "start", "muted")
    c.cells(left, 26, CELL, 34, [f"{i}" for i in range(13, 27)], ["warn"] * 3 + ["memory"] * 8 + ["warn"] * 3)
    c.text(left + 2 * CELL, 98, "shared memory", 13, "start", "muted")
    c.cells(left, 110, CELL, 34, [f"{i}" for i in range(14)], ["warn"] * 3 + ["gpu"] * 8 + ["warn"] * 3)
    for i in (1, 7, 12):
        c.arrow(left + (i + 0.5) * CELL, 62, left + (i + 0.5) * CELL, 107)
    c.text(left + 1.5 * CELL, 162, "halo", 13)
    c.text(left + 7 * CELL, 162, "the block's own elements", 13)
    c.text(left + 12.5 * CELL, 162, "halo", 13)
    c.box(left + 4 * CELL, 180, 7 * CELL, 24, "the seven that thread 4 adds up", "ghost")
