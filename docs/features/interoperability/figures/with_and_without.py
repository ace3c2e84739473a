"""A picture that CUDA computes and another API shows: by way of the host, and in one allocation."""

from lockstep_sphinx.drawings.canvas import Canvas


def without(c: Canvas, y: float, width: float, box: float) -> None:
    """Two allocations on the GPU, and a copy down to the host and up again."""
    right = width - box - 8
    c.text(8, y, "without: two copies for every picture", 13, "start", "strong")
    c.box(8, y + 18, box, 36, "memory of CUDA", "gpu")
    c.box(right, y + 18, box, 36, "memory of OpenGL", "accent")
    c.box(width / 2 - box / 2, y + 92, box, 36, "host memory", "cpu")
    c.arrow(8 + box / 2, y + 58, width / 2 - box / 4, y + 88)
    c.arrow(width / 2 + box / 4, y + 88, right + box / 2, y + 58)


def shared(c: Canvas, y: float, width: float, box: float) -> None:
    """One allocation, which both APIs use in turns."""
    right = width - 88
    c.text(8, y, "with: one allocation, used in turns", 13, "start", "strong")
    c.box(8, y + 18, 80, 36, "kernel", "gpu")
    c.box(width / 2 - box / 2, y + 18, box, 36, "one allocation", "memory")
    c.box(right, y + 18, 80, 36, "OpenGL", "accent")
    c.arrow(92, y + 36, width / 2 - box / 2 - 4, y + 36)
    c.arrow(width / 2 + box / 2 + 4, y + 36, right - 4, y + 36)


def draw(c: Canvas) -> None:
    c.size(410, 240)
    without(c, 14, 410, 130)
    shared(c, 168, 410, 130)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 240)
    without(c, 14, 340, 118)
    shared(c, 168, 340, 104)
