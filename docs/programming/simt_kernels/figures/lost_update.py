"""Two threads add 1 to a sum of 5: both read 5, both write 6."""

from lockstep_sphinx.drawings.canvas import Canvas

# thread, place in time, words, kind
STEPS = (
    (0, 0, "reads 5", "gpu"),
    (1, 1, "reads 5", "accent"),
    (0, 2, "writes 6", "gpu"),
    (1, 3, "writes 6", "accent"),
)
SUMS = ("5", "5", "6", "6")


def draw(c: Canvas) -> None:
    c.size(720, 176)
    for row, name in enumerate(("thread 0", "thread 1", "*sum")):
        c.text(90, 24 + 44 * row, name, 13, "end", "code" if row == 2 else "plain")
    for thread, place, words, kind in STEPS:
        c.box(110 + 136 * place, 8 + 44 * thread, 124, 32, words, kind)
    for place, value in enumerate(SUMS):
        c.cells(110 + 136 * place, 96, 124, 32, [value], "memory")
    c.text(660, 112, "not 7", 14, "start", "strong")
    c.arrow(110, 152, 646, 152)
    c.text(90, 152, "time", 13, "end", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(340, 226)
    for row, name in enumerate(("thread 0", "thread 1", "*sum")):
        c.text(60 + 104 * row, 14, name, 13, "middle", "code" if row == 2 else "plain")
    for thread, place, words, kind in STEPS:
        c.box(12 + 104 * thread, 32 + 42 * place, 96, 34, words, kind)
    for place, value in enumerate(SUMS):
        c.cells(220, 32 + 42 * place, 96, 34, [value], "memory")
    c.text(268, 212, "not 7", 14, "middle", "strong")
