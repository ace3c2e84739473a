"""Structures with pointers: copied by hand, each buffer exists twice; in managed memory once."""

from lockstep_sphinx.drawings.canvas import Canvas


def structures(c: Canvas, x: float, y: float, title: str, kind: str) -> None:
    """Three structures, each with an arrow to its buffer."""
    c.text(x + 96, y, title, 13, kind="muted")
    c.cells(x, y + 14, 64, 30, ["a[0]", "a[1]", "a[2]"], kind)
    for i, size in enumerate((44, 58, 36)):
        c.arrow(x + 32 + 64 * i, y + 46, x + 32 + 64 * i, y + 76)
        c.box(x + 32 + 64 * i - size / 2, y + 78, size, 26, "", kind)


def draw(c: Canvas) -> None:
    c.size(720, 172)
    c.text(226, 14, "copied by hand", 14, kind="strong")
    c.text(606, 14, "managed memory", 14, kind="strong")
    structures(c, 10, 40, "CPU memory", "cpu")
    structures(c, 250, 40, "GPU memory", "gpu")
    c.arrow(206, 69, 246, 69)
    c.arrow(206, 131, 246, 131)
    structures(c, 510, 40, "one address for both", "accent")
    c.text(346, 162, "each pointer is set again", 13, kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(320, 476)
    c.text(10, 14, "copied by hand", 14, "start", "strong")
    structures(c, 64, 40, "CPU memory", "cpu")
    c.arrow(46, 130, 46, 206)
    structures(c, 64, 190, "GPU memory, new pointers", "gpu")
    c.text(10, 334, "managed memory", 14, "start", "strong")
    structures(c, 64, 360, "one address for both", "accent")
