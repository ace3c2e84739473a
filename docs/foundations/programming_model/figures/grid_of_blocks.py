"""A grid of 3 x 2 blocks; one block enlarged to its 4 x 3 threads."""

from lockstep_sphinx.drawings.canvas import Canvas


def grid(c: Canvas, left: float) -> None:
    c.text(left + 155, 16, "grid: gridDim = (3, 2)", kind="code", size=13)
    for y in range(2):
        for x in range(3):
            kind = "gpu" if (x, y) == (2, 1) else "plain"
            c.box(left + x * 105, 34 + y * 92, 98, 84, f"block\n({x}, {y})", kind=kind)


def block(c: Canvas, left: float, top: float, middle: float = 164) -> None:
    c.text(left + middle, top - 18, "block (2, 1): blockDim = (4, 3)", kind="code", size=13)
    for y in range(3):
        kinds = ["accent" if (x, y) == (1, 2) else "gpu" for x in range(4)]
        c.cells(left, top + y * 58, 82, 58, [f"({x}, {y})" for x in range(4)], kinds)


def draw(c: Canvas) -> None:
    c.size(720, 270)
    grid(c, 10)
    block(c, 380, 34)
    c.line(318, 128, 380, 34, dashed=True)
    c.line(318, 208, 380, 208, dashed=True)
    c.text(545, 240, "threadIdx = (1, 2) is highlighted", size=13, kind="muted")
    c.text(165, 240, "blockIdx = (2, 1) is highlighted", size=13, kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(340, 510)
    grid(c, 12)
    c.text(12, 226, "blockIdx = (2, 1)", size=13, anchor="start", kind="muted")
    block(c, 6, 284, middle=194)
    c.line(222, 210, 6, 284, dashed=True)
    c.line(320, 210, 334, 284, dashed=True)
    c.text(170, 482, "threadIdx = (1, 2) is highlighted", size=13, kind="muted")
