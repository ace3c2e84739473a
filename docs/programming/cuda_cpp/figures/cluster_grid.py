"""What counts what in a grid of eight blocks with clusters of four."""

from lockstep_sphinx.drawings.canvas import Canvas


def cluster(c: Canvas, number: int, x: float, top: float) -> None:
    c.box(x, top, 345, 128, kind="ghost")
    for rank in range(4):
        c.box(x + 10 + rank * 82, top + 14, 78, 50, f"blockIdx.x\n{number * 4 + rank}", kind="gpu")
        c.box(x + 10 + rank * 82, top + 68, 78, 50, f"block_rank\n{rank}", kind="accent")
    c.text(x + 172, top + 148, "num_blocks() = 4", kind="code", size=13)
    c.text(x + 172, top + 168, "one cluster", kind="muted", size=12)


def draw(c: Canvas) -> None:
    c.size(720, 210)
    c.text(360, 14, "gridDim.x = 8 blocks", kind="code", size=13)
    for number in range(2):
        cluster(c, number, 10 + number * 355, 30)


def draw_narrow(c: Canvas) -> None:
    c.size(355, 406)
    c.text(177, 14, "gridDim.x = 8 blocks", kind="code", size=13)
    for number in range(2):
        cluster(c, number, 5, 30 + number * 196)
