"""Copy in, kernel, copy out: one after the other, and cut into three chunks that overlap."""

from lockstep_sphinx.drawings.canvas import Canvas

PARTS = (("copy in", "memory"), ("kernel", "gpu"), ("copy out", "memory"))
CHUNKS = 3


def one_after_the_other(c: Canvas, left: float, top: float, unit: float) -> None:
    for part, (_, kind) in enumerate(PARTS):
        y = top + part * 30
        for third in range(3):
            if third == part:
                c.box(left + third * CHUNKS * unit, y, CHUNKS * unit - 3, 26, "all", kind)
            else:
                c.box(left + third * CHUNKS * unit, y, CHUNKS * unit - 3, 26, "idle", "ghost")


def in_chunks(c: Canvas, left: float, top: float, unit: float) -> None:
    for part, (_, kind) in enumerate(PARTS):
        y = top + part * 30
        for chunk in range(CHUNKS):
            c.box(left + (part + chunk) * unit, y, unit - 3, 26, str(chunk + 1), kind)


def names(c: Canvas, left: float, top: float) -> None:
    for part, (name, _) in enumerate(PARTS):
        c.text(left, top + part * 30 + 13, name, 13, "start")


def draw(c: Canvas) -> None:
    c.size(720, 236)
    for top, title, drawing in (10, "one after the other", one_after_the_other), (128, "in three chunks", in_chunks):
        c.text(10, top + 4, title, 14, "start", "strong")
        names(c, 10, top + 16)
        drawing(c, 90, top + 16, 66)


def draw_narrow(c: Canvas) -> None:
    c.size(344, 236)
    for top, title, drawing in (10, "one after the other", one_after_the_other), (128, "in three chunks", in_chunks):
        c.text(6, top + 4, title, 14, "start", "strong")
        names(c, 6, top + 16)
        drawing(c, 70, top + 16, 30)
