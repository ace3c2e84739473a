"""Who holds a reference to a user object, and for how long."""

from lockstep_sphinx.drawings.canvas import Canvas

ROWS = (("graph", 0, 2), ("clone", 1, 3), ("executable graph", 1.4, 4), ("its launch", 3.4, 5))
MARKS = ((2, "graph\ndestroyed"), (3, "clone\ndestroyed"), (4, "executable\ndestroyed"), (5, "destructor"))


def chart(c: Canvas, left: float, unit: float, step: float, stagger: float = 0) -> None:
    for row, (name, begin, end) in enumerate(ROWS):
        y = 14 + row * step
        c.text(left - 8, y + 12, name, size=12, anchor="end")
        c.box(left + begin * unit, y, (end - begin) * unit, 24, "", "gpu" if row == 3 else "cpu")
    bottom = 14 + len(ROWS) * step
    for i, (at, name) in enumerate(MARKS):
        down = stagger * (i % 2)
        c.line(left + at * unit, 8, left + at * unit, bottom + down, dashed=True)
        c.text(left + at * unit, bottom + 18 + down, name, size=12, kind="muted")


def draw(c: Canvas) -> None:
    c.size(720, 190)
    chart(c, 140, 104, 34)


def draw_narrow(c: Canvas) -> None:
    c.size(356, 230)
    chart(c, 104, 42, 34, stagger=38)
