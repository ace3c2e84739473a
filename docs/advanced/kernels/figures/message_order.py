"""A message is passed: the store of the flag releases, the load of the flag acquires."""

from lockstep_sphinx.drawings.canvas import Canvas


def passing(c: Canvas, width: float, part: float) -> None:
    right = width - 10 - part
    c.text(10 + part / 2, 14, "producer", kind="strong")
    c.text(right + part / 2, 14, "consumer", kind="strong")
    c.box(10, 30, part, 36, "store the message", "memory")
    c.box(10, 72, part, 36, "store the flag: release", "accent")
    c.box(right, 108, part, 36, "load the flag: acquire", "accent")
    c.box(right, 150, part, 36, "load the message", "memory")
    c.arrow(12 + part, 90, right - 2, 126)


def draw(c: Canvas) -> None:
    c.size(640, 196)
    passing(c, 640, 220)


def draw_narrow(c: Canvas) -> None:
    c.size(356, 196)
    passing(c, 356, 150)
