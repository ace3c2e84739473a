"""300 messages were logged: the buffer holds the last 100; an iterator from before the first points at what is lost."""

from lockstep_sphinx.drawings.canvas import Canvas

SLOTS = ["1", "2", "...", "199", "200", "201", "202", "...", "299", "300", "301"]
KINDS = ["ghost"] * 5 + ["gpu"] * 5 + ["plain"]


def draw(c: Canvas) -> None:
    c.size(720, 160)
    c.cells(25, 62, 61, 36, SLOTS, KINDS)
    c.text(178, 20, "overwritten", 13, "middle", "muted")
    c.text(482, 20, "in the buffer", 13, "middle", "strong")
    c.text(665, 20, "not yet logged", 13, "middle", "muted")
    c.arrow(55, 136, 55, 102)
    c.text(20, 150, "iterator taken before the first", 13, "start")
    c.arrow(361, 136, 361, 102)
    c.text(361, 150, "a dump begins here", 13, "middle")
    c.arrow(665, 136, 665, 102)
    c.text(700, 150, "cuLogsCurrent: the end", 13, "end")


def draw_narrow(c: Canvas) -> None:
    c.size(350, 420)
    for row, (slot, kind) in enumerate(zip(SLOTS, KINDS, strict=True)):
        c.box(20, 10 + 36 * row, 80, 32, slot, kind)
    c.text(116, 26, "iterator taken before the first", 13, "start")
    c.text(116, 98, "overwritten", 13, "start", "muted")
    c.text(116, 206, "a dump begins here", 13, "start")
    c.text(116, 278, "in the buffer", 13, "start", "strong")
    c.text(116, 386, "cuLogsCurrent: the end", 13, "start")
