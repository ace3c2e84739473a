"""The three types of conditional nodes: what leads to which body."""

from lockstep_sphinx.drawings.canvas import Canvas


def shape_if(c: Canvas, x: float, y: float) -> None:
    c.text(x + 105, y + 8, "IF", kind="strong")
    c.box(x + 60, y + 24, 90, 36, "value?", kind="accent")
    c.box(x, y + 106, 90, 36, "body 0", kind="gpu")
    c.box(x + 120, y + 106, 90, 36, "body 1", kind="ghost")
    c.arrow(x + 90, y + 62, x + 48, y + 102)
    c.arrow(x + 120, y + 62, x + 162, y + 102)
    c.text(x + 28, y + 82, "not 0", size=12, kind="muted")
    c.text(x + 168, y + 82, "0", size=12, kind="muted")


def shape_while(c: Canvas, x: float, y: float) -> None:
    c.text(x + 105, y + 8, "WHILE", kind="strong")
    c.box(x + 60, y + 24, 90, 36, "value?", kind="accent")
    c.box(x + 60, y + 106, 90, 36, "body", kind="gpu")
    c.arrow(x + 90, y + 62, x + 90, y + 102)
    c.arrow(x + 122, y + 104, x + 122, y + 64)
    c.text(x + 62, y + 82, "not 0", size=12, kind="muted")
    c.text(x + 150, y + 82, "again", size=12, kind="muted")
    c.arrow(x + 152, y + 42, x + 200, y + 42)
    c.text(x + 176, y + 30, "0", size=12, kind="muted")


def shape_switch(c: Canvas, x: float, y: float) -> None:
    c.text(x + 105, y + 8, "SWITCH: value n, body n", kind="strong")
    c.box(x + 60, y + 24, 90, 36, "value?", kind="accent")
    for i in range(3):
        c.box(x + 72 * i, y + 106, 66, 36, f"body {i}", kind="gpu")
        c.arrow(x + 105, y + 62, x + 33 + 72 * i, y + 102)


def draw(c: Canvas) -> None:
    c.size(720, 150)
    shape_if(c, 6, 0)
    shape_while(c, 252, 0)
    shape_switch(c, 500, 0)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 480)
    shape_if(c, 70, 0)
    shape_while(c, 70, 165)
    shape_switch(c, 70, 330)
