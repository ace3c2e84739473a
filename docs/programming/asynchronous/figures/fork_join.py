"""Work that forks into two branches and joins again."""

from lockstep_sphinx.drawings.canvas import Canvas, Point

BOXES = (
    ("add 1 to all", 110, 40, "gpu"),
    ("forked", 60, 26, "accent"),
    ("add 10 on\nthe left", 120, 40, "gpu"),
    ("left_done", 76, 26, "accent"),
    ("add 100 on\nthe right", 120, 40, "gpu"),
    ("right_done", 76, 26, "accent"),
    ("sum", 60, 40, "gpu"),
    ("host\nfunction", 96, 40, "cpu"),
)


def boxes(c: Canvas, centers: list[Point]) -> None:
    for (text, w, h, kind), (x, y) in zip(BOXES, centers, strict=True):
        c.box(x - w / 2, y - h / 2, w, h, text, kind)


def draw(c: Canvas) -> None:
    c.size(720, 220)
    left, trunk, right = 40, 110, 180
    for name, y in (("left", left), ("trunk", trunk), ("right", right)):
        c.text(8, y, name, size=13, anchor="start", kind="strong")
        c.line(64, y, 712, y, dashed=True)
    branches = [(350, left), (463, left), (350, right), (463, right)]
    boxes(c, [(135, trunk), (235, trunk), *branches, (570, trunk), (660, trunk)])
    c.arrow(245, trunk - 14, 298, left + 21)
    c.arrow(245, trunk + 14, 298, right - 21)
    c.arrow(490, left + 14, 550, trunk - 21)
    c.arrow(490, right - 14, 550, trunk + 21)


def draw_narrow(c: Canvas) -> None:
    c.size(356, 400)
    left, trunk, right = 66, 178, 290
    for name, x in (("left", left), ("trunk", trunk), ("right", right)):
        c.text(x, 14, name, size=13, kind="strong")
        c.line(x, 28, x, 394, dashed=True)
    branches = [(left, 186), (left, 234), (right, 186), (right, 234)]
    boxes(c, [(trunk, 62), (trunk, 112), *branches, (trunk, 298), (trunk, 354)])
    c.arrow(trunk - 31, 118, left + 24, 164)
    c.arrow(trunk + 31, 118, right - 24, 164)
    c.arrow(left + 24, 248, trunk - 32, 288)
    c.arrow(right - 24, 248, trunk + 32, 288)
