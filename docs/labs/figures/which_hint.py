"""Which hint for an array: three questions, and an answer at each yes."""

from lockstep_sphinx.drawings.canvas import Canvas

QUESTIONS = (
    ("Do both processors\nonly read it?", "read mostly:\na copy for each"),
    ("Does one of them use it several\ntimes before the other does?", "prefetch it to that side"),
    ("Does the CPU write it often,\nand the GPU read little of it?", "prefer the CPU, and\nmap it for the GPU"),
)


def draw(c: Canvas) -> None:
    c.size(640, 326)
    for i, (question, answer) in enumerate(QUESTIONS):
        y = 10 + 84 * i
        c.box(10, y, 270, 50, question)
        c.arrow(282, y + 25, 386, y + 25, "yes")
        c.box(390, y, 220, 50, answer, "gpu")
        c.arrow(145, y + 52, 145, y + 82, "no")
    c.box(10, 262, 270, 50, "no hint, or explicit copies", "memory")


def draw_narrow(c: Canvas) -> None:
    c.size(330, 500)
    for i, (question, answer) in enumerate(QUESTIONS):
        y = 8 + 144 * i
        c.box(8, y, 262, 50, question)
        c.arrow(90, y + 52, 90, y + 76, "yes")
        c.box(60, y + 78, 210, 42, answer, "gpu")
        c.arrow(28, y + 52, 28, y + 142, "no")
    c.box(8, 440, 262, 50, "no hint, or explicit copies", "memory")
