"""A sum in three steps: lanes into a warp's sum, warps into a block's sum, blocks into the result."""

from lockstep_sphinx.drawings.canvas import Canvas


def lanes(c: Canvas, left: float, wide: float) -> None:
    """Two blocks of two warps; a warp is drawn with eight lanes."""
    half = (wide - 20) / 2
    for block in range(2):
        x = left + block * (half + 20)
        middle = x + half / 2
        for warp in range(2):
            warp_left = x + warp * half / 2
            cell = (half / 2 - 10) / 8
            c.cells(warp_left + 5, 10, cell, 26, [""] * 8, "gpu")
            c.arrow(warp_left + half / 4, 38, warp_left + half / 4, 62)
            c.box(warp_left + 5, 64, half / 2 - 10, 30, "warp's sum", "gpu")
            c.arrow(warp_left + half / 4, 96, middle + (warp * 2 - 1) * half / 16, 122)
        c.box(x + half / 8, 124, half * 3 / 4, 30, "block's sum", "accent")
        c.arrow(middle, 156, left + wide / 2 + (block * 2 - 1) * wide / 16, 184)
    c.box(left + wide / 4, 186, wide / 2, 30, "result", "memory")


def draw(c: Canvas) -> None:
    c.size(720, 224)
    lanes(c, 10, 480)
    c.text(510, 49, "shuffles, in registers", 13, "start")
    c.text(510, 109, "one atomic addition for a\nwarp, in shared memory", 13, "start")
    c.text(510, 169, "one atomic addition for a\nblock, in global memory", 13, "start")


def draw_narrow(c: Canvas) -> None:
    c.size(344, 300)
    lanes(c, 4, 336)
    c.text(8, 238, "first: shuffles, in registers", 13, "start")
    c.text(8, 260, "second: one addition a warp, in shared memory", 13, "start")
    c.text(8, 282, "third: one addition a block, in global memory", 13, "start")
