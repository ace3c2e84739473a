"""Eight blocks in two clusters of four, each cluster on one GPC."""

from lockstep_sphinx.drawings.canvas import Canvas


def cluster(c: Canvas, number: int, x: float, y: float) -> None:
    c.box(x, y + 26, 340, 92, kind="ghost")
    c.text(x + 170, y + 13, f"cluster {number}", kind="strong")
    for rank in range(4):
        c.box(x + 10 + rank * 81, y + 40, 76, 64, f"block {number * 4 + rank}\nrank {rank}", kind="gpu")
    c.box(x, y + 172, 340, 88, kind="ghost")
    c.text(x + 170, y + 186, f"GPC {number}", size=13, kind="muted")
    for sm in range(4):
        c.box(x + 10 + sm * 81, y + 200, 76, 48, "SM", kind="accent")
        c.arrow(x + 48 + sm * 81, y + 104, x + 48 + sm * 81, y + 200)


def draw(c: Canvas) -> None:
    c.size(720, 270)
    cluster(c, 0, 10, 0)
    cluster(c, 1, 370, 0)


def draw_narrow(c: Canvas) -> None:
    c.size(344, 544)
    cluster(c, 0, 2, 0)
    cluster(c, 1, 2, 280)
