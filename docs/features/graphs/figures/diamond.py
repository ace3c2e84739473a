"""Four nodes as a diamond."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(340, 210)
    c.box(115, 8, 110, 40, "top", kind="gpu")
    c.box(10, 84, 110, 40, "left", kind="gpu")
    c.box(220, 84, 110, 40, "right", kind="gpu")
    c.box(115, 162, 110, 40, "bottom", kind="gpu")
    c.arrow(145, 50, 82, 81)
    c.arrow(195, 50, 258, 81)
    c.arrow(82, 126, 145, 159)
    c.arrow(258, 126, 195, 159)
