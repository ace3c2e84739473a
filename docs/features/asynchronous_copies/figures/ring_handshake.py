"""One round of the ring: values go to the next block, which says when its buffer is free again."""

from lockstep_sphinx.drawings.canvas import Canvas


def _draw(c: Canvas, left: float, right: float, box: float) -> None:
    for x, name in ((left, "block r"), (right, "block r + 1")):
        c.text(x, 12, name, 14, "middle", "strong")
        c.line(x, 26, x, 206)
    c.arrow(left + 4, 52, right - 4, 52, "st.async: values, and bytes for filled")
    c.box(right - box / 2, 82, box, 30, "wait for filled", "accent")
    c.arrow(right - 4, 156, left + 4, 156, "arrive at ready: all have read")
    c.box(left - box / 2, 176, box, 30, "wait for ready", "accent")


def draw(c: Canvas) -> None:
    c.size(720, 216)
    _draw(c, 170, 550, 150)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 216)
    _draw(c, 62, 288, 116)
