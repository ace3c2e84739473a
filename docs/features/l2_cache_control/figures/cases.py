"""Three questions that decide which kind of L2 cache control a kernel can use."""

from lockstep_sphinx.drawings.canvas import Canvas

QUESTIONS = (
    ("Does the data stay in L2 anyway?", "Does the data\nstay in L2 anyway?"),
    ("Does the kernel wait for its loads?", "Does the kernel\nwait for its loads?"),
    ("Does the data fit in the set-aside?", "Does the data fit\nin the set-aside?"),
)
ANSWERS = (
    ("yes", "do nothing", "do nothing"),
    ("no: bandwidth is the limit", "streaming hints for the other data", "streaming\nhints for the\nother data"),
    ("yes", "a window with hit ratio 1", "a window with\nhit ratio 1"),
)
ON = ("no", "yes", "no")
LAST = (
    "a window with hit ratio\nset-aside / size of the data",
    "a window with hit ratio\nset-aside / size of the data",
)


def draw(c: Canvas) -> None:
    c.size(720, 330)
    for i, ((question, _), (label, answer, _)) in enumerate(zip(QUESTIONS, ANSWERS, strict=True)):
        top = 10 + 90 * i
        c.box(20, top, 280, 46, question, "plain")
        c.box(470, top, 240, 46, answer, "muted" if i == 0 else "accent")
        c.arrow(304, top + 23, 466, top + 23, label)
        c.arrow(160, top + 48, 160, top + 86, ON[i])
    c.box(20, 280, 280, 46, LAST[0], "accent")


def draw_narrow(c: Canvas) -> None:
    c.size(348, 372)
    for i, ((_, question), (label, _, answer)) in enumerate(zip(QUESTIONS, ANSWERS, strict=True)):
        top = 8 + 100 * i
        c.box(6, top, 156, 60, question, "plain")
        c.box(214, top, 128, 60, answer, "muted" if i == 0 else "accent")
        c.arrow(166, top + 30, 210, top + 30, label.partition(":")[0])
        c.arrow(84, top + 63, 84, top + 97, ON[i])
    c.box(6, 308, 210, 56, LAST[1], "accent")
