"""From the logical domain of a launch to a physical domain, by the map of its stream."""

from lockstep_sphinx.drawings.canvas import Canvas

LOGICAL = ("default", "remote")


def levels(c: Canvas, left: float, width: float, right: float) -> None:
    for i, name in enumerate(LOGICAL):
        c.box(left, 40 + 60 * i, width, 44, name, "accent")
        c.arrow(left + width + 4, 62 + 60 * i, right - 4, 62 + 52 * i)
    for number in range(4):
        c.box(right, 40 + 52 * number, 70, 44, str(number), "gpu" if number < 2 else "ghost")


def draw(c: Canvas) -> None:
    c.size(720, 256)
    c.text(150, 20, "logical domain: the launch", kind="strong")
    c.text(535, 20, "physical domain: the map", kind="strong")
    levels(c, 50, 200, 500)


def draw_narrow(c: Canvas) -> None:
    c.size(348, 256)
    c.text(70, 20, "launch", kind="strong")
    c.text(275, 20, "map", kind="strong")
    levels(c, 8, 124, 240)
