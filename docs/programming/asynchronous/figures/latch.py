"""A latch in a stream: a kernel that reads a flag of the host until it is raised."""

from lockstep_sphinx.drawings.canvas import Canvas

# begin, duration, text, kind
HOST = [
    (0, 120, "enqueues", "cpu"),
    (130, 190, "looks at results", "cpu"),
    (330, 100, "opens", "accent"),
    (440, 170, "waits for\nthe result", "cpu"),
]
STREAM = [
    (0, 400, "latch: reads\nthe flag, again\nand again", "warn"),
    (410, 90, "copy", "memory"),
    (510, 100, "kernel", "gpu"),
]


def draw(c: Canvas) -> None:
    c.size(720, 170)
    for name, y, steps in [("host", 16, HOST), ("stream", 106, STREAM)]:
        c.text(8, y + 18, name, size=13, anchor="start", kind="strong")
        for begin, duration, text, kind in steps:
            c.box(90 + begin, y, duration, 36, text.replace("\n", " "), kind=kind)
    c.arrow(470, 54, 485, 104, "flag = 1")
    c.arrow(130, 54, 130, 104)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 440)
    for name, x, steps in [("host", 6, HOST), ("stream", 212, STREAM)]:
        c.text(x + 61, 16, name, size=13, kind="strong")
        for begin, duration, text, kind in steps:
            c.box(x, 34 + begin * 0.65, 122, duration * 0.65, text, kind=kind)
    c.arrow(130, 282, 210, 286, "flag = 1")
    c.arrow(130, 60, 210, 60)
