"""An allocation that three streams share, in order by two events."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(720, 210)
    for i, name in enumerate(("first", "second", "third")):
        c.text(8, 36 + 66 * i, f"{name} stream", anchor="start")
        c.line(110, 32 + 66 * i, 712, 32 + 66 * i)
    c.box(118, 12, 150, 40, "cudaMallocAsync", "accent")
    c.box(276, 12, 96, 40, "allocated", "muted")
    c.box(276, 78, 60, 40, "wait", "ghost")
    c.box(344, 78, 130, 40, "kernel", "gpu")
    c.box(482, 78, 70, 40, "used", "muted")
    c.box(482, 144, 60, 40, "wait", "ghost")
    c.box(550, 144, 150, 40, "cudaFreeAsync", "accent")
    c.arrow(306, 52, 306, 78)
    c.arrow(512, 118, 512, 144)


def draw_narrow(c: Canvas) -> None:
    c.size(348, 330)
    for i, name in enumerate(("first", "second", "third")):
        c.text(60 + 114 * i, 16, f"{name}\nstream", 13)
    c.box(4, 46, 112, 38, "malloc", "accent")
    c.box(4, 90, 112, 34, "allocated", "muted")
    c.box(118, 90, 112, 34, "wait", "ghost")
    c.box(118, 130, 112, 46, "kernel", "gpu")
    c.box(118, 182, 112, 34, "used", "muted")
    c.box(232, 182, 112, 34, "wait", "ghost")
    c.box(232, 222, 112, 38, "free", "accent")
    c.text(174, 300, "time runs downward", 13)
