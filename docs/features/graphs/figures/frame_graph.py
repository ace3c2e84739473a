"""The operations of one frame and their dependencies."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(720, 130)
    c.box(8, 47, 82, 36, "copy in", kind="memory")
    c.box(136, 8, 116, 36, "blur rows", kind="gpu")
    c.box(296, 8, 126, 36, "blur columns", kind="gpu")
    c.box(136, 86, 116, 36, "clear counts", kind="memory")
    c.box(296, 86, 126, 36, "count levels", kind="gpu")
    c.box(464, 47, 130, 36, "black and white", kind="gpu")
    c.box(634, 47, 82, 36, "copy out", kind="memory")
    c.arrow(92, 58, 132, 30)
    c.arrow(92, 72, 132, 100)
    c.arrow(254, 26, 292, 26)
    c.arrow(254, 104, 292, 104)
    c.arrow(424, 30, 460, 54)
    c.arrow(424, 100, 460, 76)
    c.arrow(596, 65, 630, 65)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 330)
    c.box(116, 8, 120, 36, "copy in", kind="memory")
    c.box(20, 84, 120, 36, "blur rows", kind="gpu")
    c.box(20, 150, 120, 36, "blur columns", kind="gpu")
    c.box(212, 84, 120, 36, "clear counts", kind="memory")
    c.box(212, 150, 120, 36, "count levels", kind="gpu")
    c.box(106, 220, 140, 36, "black and white", kind="gpu")
    c.box(116, 286, 120, 36, "copy out", kind="memory")
    c.arrow(146, 46, 96, 81)
    c.arrow(206, 46, 256, 81)
    c.arrow(80, 122, 80, 147)
    c.arrow(272, 122, 272, 147)
    c.arrow(90, 188, 140, 217)
    c.arrow(262, 188, 212, 217)
    c.arrow(176, 258, 176, 283)
