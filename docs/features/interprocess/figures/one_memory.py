"""Two processes with an address space each, and one piece of GPU memory that both can map."""

from lockstep_sphinx.drawings.canvas import Canvas


def picture(c: Canvas, width: float, box: float, size: float) -> None:
    """Owner on the left, the other process on the right, the memory of the GPU below."""
    right = width - box - 6
    middle = width / 2
    c.text(6 + box / 2, 14, "owner", 14, kind="strong")
    c.text(right + box / 2, 14, "other process", 14, kind="strong")
    c.box(6, 28, box, 84, kind="muted")
    c.box(right, 28, box, 84, kind="muted")
    c.text(6 + box / 2, 44, "its address space", 12, kind="muted")
    c.text(right + box / 2, 44, "its address space", 12, kind="muted")
    c.box(22, 62, box - 32, 34, "pointer", "gpu")
    c.box(right + 16, 62, box - 32, 34, "another pointer", "gpu")
    c.arrow(box + 10, 70, right - 4, 70)
    c.text(middle, 56, "handle", size)
    c.box(middle - 90, 164, 180, 40, "one allocation", "memory")
    c.text(middle, 218, "memory of the GPU", 12, kind="muted")
    c.arrow(6 + box / 2, 114, middle - 60, 160)
    c.arrow(right + box / 2, 114, middle + 60, 160)


def draw(c: Canvas) -> None:
    c.size(410, 230)
    picture(c, 410, 150, 13)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 230)
    picture(c, 340, 128, 12)
