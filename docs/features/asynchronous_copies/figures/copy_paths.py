"""Which mechanism copies between which memories."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(720, 316)
    c.box(90, 10, 540, 44, "global memory, through the L2 cache", "memory")
    c.arrow(140, 56, 140, 156, "LDGSTS,\nbulk, tensor")
    c.arrow(270, 156, 270, 56, "bulk,\ntensor")
    c.arrow(500, 56, 500, 156, "bulk, tensor,\nmulticast to several blocks")
    c.box(90, 160, 230, 56, "shared memory\nof the block", "gpu")
    c.arrow(322, 188, 398, 188, "bulk")
    c.box(400, 160, 230, 56, "shared memory of another\nblock of the cluster", "gpu")
    c.box(90, 262, 230, 44, "registers of a thread", "plain")
    c.line(322, 284, 515, 284)
    c.arrow(515, 284, 515, 220)
    c.text(418, 274, "STAS, REDAS", 12, "middle", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(350, 336)
    c.box(6, 8, 338, 40, "global memory, through the L2 cache", "memory")
    c.arrow(20, 50, 20, 156, "LDGSTS,\nbulk,\ntensor")
    c.arrow(104, 156, 104, 50, "bulk,\ntensor")
    c.arrow(214, 50, 214, 156, "bulk, tensor,\nmulticast to\nseveral blocks")
    c.box(6, 160, 146, 60, "shared memory\nof the block", "gpu")
    c.arrow(154, 190, 194, 190, "bulk")
    c.box(198, 160, 146, 60, "shared memory of\nanother block of\nthe cluster", "gpu")
    c.box(6, 280, 146, 44, "registers of a thread", "plain")
    c.line(154, 302, 270, 302)
    c.arrow(270, 302, 270, 224)
    c.text(208, 292, "STAS, REDAS", 12, "middle", "muted")
