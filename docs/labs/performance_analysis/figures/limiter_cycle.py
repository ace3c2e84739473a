"""Measure, name the limiter, change one thing, measure again."""

from lockstep_sphinx.drawings.canvas import Canvas

ANSWERS = (
    ("memory near its peak", "memory-bound", "move fewer bytes", "memory"),
    ("one pipe near its peak", "compute-bound", "compute less, or elsewhere", "gpu"),
    ("neither", "latency-bound", "more work in flight", "warn"),
)


def draw(c: Canvas) -> None:
    c.size(720, 262)
    c.box(10, 92, 130, 56, "profile\none kernel", "accent")
    for i, (seen, name, cure, kind) in enumerate(ANSWERS):
        y = 20 + 76 * i
        c.box(220, y, 160, 48, seen)
        c.box(410, y, 120, 48, name, kind)
        c.box(560, y, 150, 48, cure.replace(", or", ",\nor"))
        c.arrow(142, 120, 216, y + 24)
        c.arrow(382, y + 24, 406, y + 24)
        c.arrow(532, y + 24, 556, y + 24)
    c.line(635, 222, 635, 238)
    c.line(635, 238, 75, 238)
    c.arrow(75, 238, 75, 152)
    c.text(250, 250, "change one thing, profile again", 13, "start", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 320)
    c.box(100, 8, 150, 44, "profile one kernel", "accent")
    for i, (seen, name, cure, kind) in enumerate(ANSWERS):
        x = 6 + 116 * i
        c.box(x, 92, 108, 48, seen.replace(" near", "\nnear"))
        c.box(x, 164, 108, 40, name, kind)
        c.box(x, 228, 108, 48, cure.replace(", or", ",\nor").replace(" bytes", "\nbytes").replace(" in", "\nin"))
        c.arrow(175, 54, x + 54, 90)
        c.arrow(x + 54, 142, x + 54, 162)
        c.arrow(x + 54, 206, x + 54, 226)
    c.text(176, 302, "change one thing, profile again", 12, kind="muted")
