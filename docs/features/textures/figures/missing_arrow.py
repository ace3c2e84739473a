"""Writes pass the texture caches by."""

from lockstep_sphinx.drawings.canvas import Canvas


def _draw(c: Canvas, left: float, width: float, gap: float, size: float) -> None:
    total = 2 * width + gap
    for i, name in enumerate(("SM 0", "SM 1")):
        x = left + i * (width + gap)
        c.box(x, 8, width, 44, name, kind="gpu")
        c.box(x + width * 0.4, 92, width * 0.6, 44, "L1 and\ntexture cache", kind="memory")
        c.arrow(x + width * 0.2, 54, x + width * 0.2, 174)
        c.text(x + width * 0.2 + 5, 150, "write", size, "start", "muted")
        c.arrow(x + width * 0.71, 90, x + width * 0.71, 56)
        c.arrow(x + width * 0.71, 174, x + width * 0.71, 138)
        c.text(x + width * 0.71 + 6, 74, "fetch", size, "start", "muted")
    c.box(left, 178, total, 40, "L2 cache", kind="memory")
    c.box(left, 232, total, 40, "device memory", kind="memory")
    c.line(left + total / 2, 218, left + total / 2, 232)


def draw(c: Canvas) -> None:
    c.size(620, 282)
    _draw(c, 20, 260, 60, 12)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 282)
    _draw(c, 5, 160, 20, 11)
