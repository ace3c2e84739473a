"""A solver as one WHILE node: the body, and the question before each round."""

from lockstep_sphinx.drawings.canvas import Canvas

BODY = ("apply", "dot", "step\nlength", "two\nsums", "dot", "decide", "new\ndirection")


def draw(c: Canvas) -> None:
    c.size(720, 168)
    c.box(8, 46, 92, 48, "value\nnot 0?", kind="accent")
    c.box(146, 20, 568, 92, kind="ghost")
    c.text(430, 34, "body", size=12, kind="muted")
    c.arrow(102, 70, 154, 70)
    c.text(124, 60, "yes", size=12, kind="muted")
    for i, name in enumerate(BODY):
        x = 156 + i * 80
        c.box(x, 48, 66, 44, name, kind="gpu")
        if i:
            c.arrow(x - 13, 70, x - 1, 70)
    c.line(669, 94, 669, 136)
    c.line(669, 136, 76, 136)
    c.arrow(76, 136, 76, 97)
    c.arrow(36, 96, 36, 158)
    c.text(26, 126, "no", size=12, anchor="end", kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 404)
    c.box(120, 8, 112, 44, "value\nnot 0?", kind="accent")
    c.box(76, 80, 200, 288, kind="ghost")
    c.text(92, 94, "body", size=12, anchor="start", kind="muted")
    c.arrow(176, 54, 176, 103)
    c.text(186, 70, "yes", size=12, anchor="start", kind="muted")
    for i, name in enumerate(BODY):
        y = 106 + i * 37
        c.box(106, y, 140, 25, name.replace("\n", " "), kind="gpu")
        if i:
            c.arrow(176, y - 11, 176, y - 1)
    c.line(104, 340, 40, 340)
    c.line(40, 340, 40, 30)
    c.arrow(40, 30, 117, 30)
    c.arrow(234, 30, 334, 30)
    c.text(284, 20, "no", size=12, kind="muted")
