"""A graph is defined once, instantiated once or a few times, and launched many times."""

from lockstep_sphinx.drawings.canvas import Canvas


def definition(c: Canvas, x: float, y: float) -> None:
    """A small graph of four nodes, 100 wide and 120 high."""
    c.box(x, y, 100, 120, kind="ghost")
    for dx, dy in ((38, 8), (10, 48), (66, 48), (38, 88)):
        c.box(x + dx, y + dy, 24, 24, kind="gpu")
    for x1, y1, x2, y2 in ((44, 32, 26, 47), (56, 32, 74, 47), (26, 72, 44, 87), (74, 72, 56, 87)):
        c.arrow(x + x1, y + y1, x + x2, y + y2)


def draw(c: Canvas) -> None:
    c.size(720, 206)
    c.text(90, 14, "definition", kind="strong")
    c.text(330, 14, "executable graphs", kind="strong")
    c.text(590, 14, "launches", kind="strong")
    definition(c, 40, 44)
    for y in (36, 120):
        c.arrow(144, 104, 256, y + 26)
        c.box(260, y, 140, 52, "prepared\nfor the GPU", kind="accent")
        c.arrow(404, y + 26, 474, y + 26)
        for i in range(4):
            c.box(478 + i * 58, y + 8, 50, 36, f"{i + 1}" if i < 3 else "...", kind="cpu")
    c.text(200, 190, "instantiate", size=12, kind="muted")
    c.text(90, 190, "once", size=12, kind="muted")
    c.text(330, 190, "once or a few times", size=12, kind="muted")
    c.text(590, 190, "many times, each one call", size=12, kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 408)
    c.text(176, 14, "definition: once", kind="strong")
    definition(c, 126, 28)
    c.text(176, 196, "executable graphs: once or a few times", kind="strong")
    c.text(176, 300, "launches: many times, each one call", kind="strong")
    for x in (16, 196):
        c.arrow(176, 150, x + 70, 183)
        c.box(x, 212, 140, 52, "prepared\nfor the GPU", kind="accent")
        c.arrow(x + 70, 268, x + 70, 288)
        for i in range(3):
            c.box(x + i * 48, 320, 42, 36, f"{i + 1}" if i < 2 else "...", kind="cpu")
    c.text(176, 384, "an arrow: is made from, or is launched", size=12, kind="muted")
