"""The L2 cache of an H200, with the largest set-aside; widths are to scale."""

from lockstep_sphinx.drawings.canvas import Canvas

L2_MIB, SET_ASIDE_MIB = 60, 37.5


def _draw(c: Canvas, x: float, width: float) -> None:
    left = width * SET_ASIDE_MIB / L2_MIB
    c.text(x + width / 2, 22, "L2 cache, 60 MiB", 14, "middle", "strong")
    c.box(x, 36, left, 44, "set-aside, 37.5 MiB", kind="accent")
    c.box(x + left, 36, width - left, 44, "22.5 MiB", kind="memory")
    c.text(x + left / 2, 106, "persisting first;", 13, "middle")
    c.text(x + left / 2, 124, "others what is left", 13, "middle")
    c.text(x + left + (width - left) / 2, 106, "normal and", 13, "middle")
    c.text(x + left + (width - left) / 2, 124, "streaming", 13, "middle")


def draw(c: Canvas) -> None:
    c.size(720, 140)
    _draw(c, 60, 600)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 140)
    _draw(c, 5, 340)
