"""Where a CPU and a GPU spend their transistors; a schematic."""

from lockstep_sphinx.drawings.canvas import Canvas


def cpu(c: Canvas) -> None:
    c.text(165, 16, "CPU", kind="strong")
    c.box(10, 32, 150, 80, "control", kind="accent")
    for i in range(4):
        c.box(170 + i % 2 * 78, 32 + i // 2 * 42, 72, 38, "core", kind="cpu")
    c.box(10, 120, 310, 90, "caches", kind="memory")
    c.box(10, 218, 310, 40, "DRAM", kind="ghost")


def gpu(c: Canvas, left: float, top: float) -> None:
    c.text(left + 155, top + 16, "GPU", kind="strong")
    for row in range(8):
        y = top + 32 + row * 20
        c.box(left, y, 22, 16, kind="accent")
        c.cells(left + 26, y, 14.2, 16, [""] * 20, "gpu")
    c.box(left, top + 193, 310, 18, "cache", kind="memory")
    c.box(left, top + 218, 310, 40, "DRAM", kind="ghost")


def draw(c: Canvas) -> None:
    c.size(700, 270)
    cpu(c)
    gpu(c, 380, 0)


def draw_narrow(c: Canvas) -> None:
    c.size(330, 550)
    cpu(c)
    gpu(c, 10, 280)
