"""Which kernels may use the memory of an allocation node."""

from lockstep_sphinx.drawings.canvas import Canvas

ALLOWED = "accent"
FORBIDDEN = "warn"


def draw(c: Canvas) -> None:
    c.size(720, 200)
    c.box(10, 70, 110, 44, "allocate", kind="memory")
    c.box(180, 70, 90, 44, "a", kind=ALLOWED)
    c.box(340, 20, 90, 44, "b", kind=ALLOWED)
    c.box(340, 120, 90, 44, "c", kind=ALLOWED)
    c.box(560, 20, 110, 44, "free", kind="memory")
    c.box(560, 120, 110, 44, "d", kind=FORBIDDEN)
    c.box(180, 146, 90, 44, "e", kind=FORBIDDEN)
    c.arrow(122, 92, 176, 92)
    c.arrow(272, 84, 336, 46)
    c.arrow(272, 100, 336, 138)
    c.arrow(432, 42, 556, 42)
    c.arrow(432, 132, 556, 54)
    c.arrow(432, 142, 556, 142)
    c.text(615, 178, "not before the free", size=12, kind="muted")
    c.text(90, 168, "not after the allocation", size=12, kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 330)
    c.box(70, 8, 110, 40, "allocate", kind="memory")
    c.box(80, 90, 90, 40, "a", kind=ALLOWED)
    c.box(10, 172, 90, 40, "b", kind=ALLOWED)
    c.box(150, 172, 90, 40, "c", kind=ALLOWED)
    c.box(10, 260, 110, 40, "free", kind="memory")
    c.box(190, 260, 110, 40, "d", kind=FORBIDDEN)
    c.box(240, 90, 90, 40, "e", kind=FORBIDDEN)
    c.arrow(125, 50, 125, 87)
    c.arrow(110, 132, 66, 169)
    c.arrow(140, 132, 184, 169)
    c.arrow(55, 214, 60, 257)
    c.arrow(170, 214, 100, 257)
    c.arrow(215, 214, 240, 257)
    c.text(245, 318, "not before the free", size=12, kind="muted")
    c.text(270, 148, "not after the allocation", size=12, kind="muted")
