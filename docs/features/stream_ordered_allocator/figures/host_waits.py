"""Temporary memory in a loop: cudaFree makes the host wait, cudaFreeAsync does not."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(720, 270)
    c.text(0, 12, "cudaMalloc and cudaFree", 13, "start", "strong")
    c.text(0, 46, "host", anchor="start")
    c.text(0, 94, "GPU", anchor="start")
    for x in (50, 380):
        c.box(x, 28, 80, 36, "cudaMalloc", "accent")
        c.box(x + 84, 28, 56, 36, "launch", "cpu")
        c.box(x + 144, 28, 182, 36, "cudaFree: the host waits", "warn")
        c.box(x + 142, 76, 150, 36, "kernel", "gpu")
    c.text(432, 94, "idle", 13, kind="muted")
    c.text(0, 152, "cudaMallocAsync and cudaFreeAsync", 13, "start", "strong")
    c.text(0, 186, "host", anchor="start")
    c.text(0, 234, "GPU", anchor="start")
    for x in (50, 206, 362):
        c.box(x, 168, 46, 36, "alloc", "accent")
        c.box(x + 50, 168, 52, 36, "launch", "cpu")
        c.box(x + 106, 168, 46, 36, "free", "accent")
    for x in (156, 310, 464):
        c.box(x, 216, 150, 36, "kernel", "gpu")


def draw_narrow(c: Canvas) -> None:
    c.size(348, 388)
    for x, name in ((0, "cudaMalloc, cudaFree"), (178, "…Async")):
        c.text(x, 12, name, 13, "start", "strong")
        c.text(x + 40, 34, "host", 13)
        c.text(x + 124, 34, "GPU", 13)
    for y in (48, 218):
        c.box(0, y, 80, 28, "cudaMalloc", "accent")
        c.box(0, y + 32, 80, 28, "launch", "cpu")
        c.box(0, y + 64, 80, 100, "cudaFree:\nthe host\nwaits", "warn")
        c.box(84, y + 62, 80, 90, "kernel", "gpu")
    c.text(124, 240, "idle", 13, kind="muted")
    for i in range(3):
        y = 48 + 94 * i
        c.box(178, y, 80, 27, "alloc", "accent")
        c.box(178, y + 31, 80, 27, "launch", "cpu")
        c.box(178, y + 62, 80, 27, "free", "accent")
    for y in (108, 201, 294):
        c.box(262, y, 80, 90, "kernel", "gpu")
