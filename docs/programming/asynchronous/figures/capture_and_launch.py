"""The life of a graph: captured once, instantiated once, launched many times."""

from lockstep_sphinx.drawings.canvas import Canvas

CAPTURE = "capture\nthe calls are written down"
INSTANTIATE = "instantiate\nchecked and prepared"


def draw(c: Canvas) -> None:
    c.size(720, 150)
    h = 44
    c.box(10, 40, 190, h, CAPTURE, kind="cpu")
    c.box(250, 40, 190, h, INSTANTIATE, kind="cpu")
    for i in range(3):
        c.box(490, 10 + i * 46, 220, 36, "launch: one call", kind="gpu")
    c.arrow(202, 62, 246, 62)
    c.arrow(442, 62, 486, 62)
    c.text(105, 106, "once: cudaGraph_t", size=12, kind="muted")
    c.text(345, 106, "once: cudaGraphExec_t", size=12, kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 262)
    c.box(66, 8, 220, 48, CAPTURE, kind="cpu")
    c.box(66, 106, 220, 48, INSTANTIATE, kind="cpu")
    for i in range(3):
        c.box(6 + i * 116, 204, 108, 48, "launch:\none call", kind="gpu")
    c.arrow(176, 58, 176, 103, "once: cudaGraph_t")
    c.arrow(176, 156, 176, 201, "once: cudaGraphExec_t")
