"""Limits of three clients: a third for each, or more than there are."""

from lockstep_sphinx.drawings.canvas import Canvas


def bar(c: Canvas, left: float, y: float, width: float, parts: list[tuple[float, str, str]]) -> None:
    """The SMs of a GPU as one bar, divided into parts: a share, a word and a kind of box."""
    x = left
    for share, word, kind in parts:
        c.box(x, y, share * width, 36, word, kind)
        x += share * width


def picture(c: Canvas, left: float, width: float, size: float) -> None:
    third = 1 / 3
    c.text(left, 12, "33/33/33, B idles", size, "start", "strong")
    bar(c, left, 26, width, [(third, "A", "gpu"), (third, "idle", "ghost"), (third, "C", "accent")])
    c.text(left, 76, "C may not use what B leaves", 12, "start", "muted")
    c.text(left, 112, "50/50/100, B idles", size, "start", "strong")
    bar(c, left, 126, width, [(0.5, "A", "gpu"), (0.5, "C", "accent")])
    c.text(left, 176, "C uses what is free", 12, "start", "muted")
    c.text(left, 212, "50/50/100, B works", size, "start", "strong")
    bar(c, left, 226, width, [(third, "A", "gpu"), (third, "B", "cpu"), (third, "C", "accent")])
    c.text(left, 276, "all three compete; no client has SMs reserved", 12, "start", "muted")


def draw(c: Canvas) -> None:
    c.size(560, 290)
    picture(c, 10, 540, 13)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 290)
    picture(c, 8, 324, 13)
