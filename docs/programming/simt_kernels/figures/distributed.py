"""A histogram spread over the shared memory of four blocks."""

from lockstep_sphinx.drawings.canvas import Canvas

ADDRESS = "map_shared_rank(mine, 2) + 17: the address\nof bin 217 for any thread of the cluster"


def threads(c: Canvas, block: float, x: float, y: float, w: float) -> None:
    c.box(x, y, w, 50, f"block {block}\nthreads", kind="gpu")


def bins(c: Canvas, block: float, x: float, y: float, w: float) -> None:
    c.box(x, y, w, 44, f"bins {block * 100}...{block * 100 + 99}", kind="accent")


def draw(c: Canvas) -> None:
    c.size(720, 210)
    c.box(6, 26, 708, 150, kind="ghost")
    c.text(360, 14, "cluster of four blocks", size=13, kind="strong")
    for block in range(4):
        x = 18 + block * 174
        threads(c, block, x, 40, 162)
        bins(c, block, x, 122, 162)
        if block != 2:
            c.line(x + 81, 90, x + 81, 122, dashed=True)
    c.arrow(150, 90, 400, 120)
    c.text(232, 106, "add 1 to bin 217", size=12, anchor="end")
    c.arrow(447, 90, 447, 120)
    c.text(360, 194, ADDRESS.replace("\n", " "), size=13)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 346)
    c.box(6, 26, 328, 270, kind="ghost")
    c.text(170, 14, "cluster of four blocks", size=13, kind="strong")
    for block in range(4):
        y = 38 + block * 66
        threads(c, block, 18, y, 86)
        bins(c, block, 204, y + 3, 118)
        if block != 2:
            c.line(104, y + 25, 204, y + 25, dashed=True)
    c.arrow(104, 76, 203, 182)
    c.text(172, 96, "add 1 to\nbin 217", size=12)
    c.arrow(104, 195, 203, 195)
    c.text(170, 322, ADDRESS, size=13)
