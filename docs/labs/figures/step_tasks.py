"""The tasks of a step, with the data that passes along each edge."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(352, 236)
    c.box(121, 8, 110, 40, "sweep", kind="gpu")
    c.box(10, 98, 110, 40, "total", kind="gpu")
    c.box(232, 98, 110, 40, "change", kind="gpu")
    c.box(121, 188, 110, 40, "record", kind="gpu")
    c.arrow(150, 50, 80, 95)
    c.arrow(202, 50, 272, 95)
    c.arrow(80, 140, 150, 185)
    c.arrow(272, 140, 202, 185)
    c.text(100, 66, "plate b", size=12, anchor="end", kind="muted")
    c.text(252, 66, "plate b", size=12, anchor="start", kind="muted")
    c.text(100, 170, "sum", size=12, anchor="end", kind="muted")
    c.text(252, 170, "largest", size=12, anchor="start", kind="muted")
