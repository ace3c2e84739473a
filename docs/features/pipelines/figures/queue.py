"""A pipeline as a queue of stages: copies enter at one end, and the oldest stage is used at the other."""

from lockstep_sphinx.drawings.canvas import Canvas

STAGES = (
    ("tile 3", "in use", "gpu"),
    ("tile 4", "has arrived", "memory"),
    ("tile 5", "on its way", "memory"),
    ("tile 6", "being submitted", "accent"),
)


def draw(c: Canvas) -> None:
    c.size(720, 168)
    for i, (tile, state, kind) in enumerate(STAGES):
        x = 160 + 102 * (len(STAGES) - 1 - i)
        c.box(x, 44, 98, 58, f"{tile}\n{state}", kind)
    c.text(210, 30, "newest stage", 12, kind="muted")
    c.text(516, 30, "oldest stage", 12, kind="muted")
    c.arrow(96, 73, 156, 73)
    c.arrow(570, 73, 616, 73)
    c.text(48, 73, "copies\nenter", 13)
    c.text(668, 73, "buffer\nis free again", 13)
    c.text(210, 130, "producer_acquire\nmemcpy_async\nproducer_commit", 12, kind="code")
    c.text(516, 130, "consumer_wait\n(compute)\nconsumer_release", 12, kind="code")


def draw_narrow(c: Canvas) -> None:
    c.size(350, 296)
    c.text(70, 10, "copies enter", 13)
    c.arrow(70, 18, 70, 40)
    for i, (tile, state, kind) in enumerate(reversed(STAGES)):
        c.box(5, 42 + 54 * i, 130, 50, f"{tile}\n{state}", kind)
    c.arrow(70, 256, 70, 276)
    c.text(70, 286, "buffer is free again", 13)
    c.text(145, 67, "newest stage: producer_acquire\nmemcpy_async\nproducer_commit", 11, "start", "code")
    c.text(145, 229, "oldest stage: consumer_wait\n(compute)\nconsumer_release", 11, "start", "code")
