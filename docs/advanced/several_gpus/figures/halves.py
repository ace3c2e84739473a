"""Two halves of a problem on two GPUs, and the border rows that travel before each step."""

from lockstep_sphinx.drawings.canvas import Canvas


def halves(c: Canvas, left: float, width: float, gap: float) -> None:
    for device in (0, 1):
        x = left + device * (width + gap)
        c.text(x + width / 2, 14, f"GPU {device}", kind="strong")
        first = 60 if device else 30
        for i in range(4):
            border = i == (0 if device else 3)
            c.box(x, first + i * 36, width, 32, "border row" if border else "own row", "accent" if border else "gpu")
        c.box(x, 26 if device else 174, width, 30, "halo", "ghost")
    begin, end = left + width + 2, left + width + gap - 2
    c.arrow(begin, 154, end, 46)
    c.arrow(end, 80, begin, 186)


def draw(c: Canvas) -> None:
    c.size(720, 250)
    halves(c, 40, 260, 120)
    c.text(360, 226, "before each step, each border row is copied into the other GPU's halo", 13)


def draw_narrow(c: Canvas) -> None:
    c.size(348, 262)
    halves(c, 6, 110, 116)
    c.text(174, 236, "before each step, each border row\nis copied into the other GPU's halo", 13)
