"""Three host threads enqueue work: in one queue, or each in a queue of its own."""

from lockstep_sphinx.drawings.canvas import Canvas


def threads(c: Canvas, left: float, top: float) -> list[float]:
    rows = [top + 44 * number for number in range(3)]
    for number, y in enumerate(rows):
        c.box(left, y, 82, 32, f"thread {number}", "cpu")
    return rows


def shared(c: Canvas, left: float, top: float) -> None:
    rows = threads(c, left, top)
    c.cells(left + 118, top + 45, 25, 30, [0, 0, 0, 1, 1, 1, 2, 2, 2], ["memory", "gpu", "memory"] * 3)
    for number, y in enumerate(rows):
        c.arrow(left + 84, y + 16, left + 116, top + 52 + 8 * number)
    c.text(left, top + 146, "default stream: one queue", 13, "start", "muted")


def own(c: Canvas, left: float, top: float) -> None:
    for number, y in enumerate(threads(c, left, top)):
        c.arrow(left + 84, y + 16, left + 116, y + 16)
        c.cells(left + 118, y + 1, 40, 30, [number] * 3, ["memory", "gpu", "memory"])
    c.text(left, top + 146, "a stream for each thread: three queues", 13, "start", "muted")


def draw(c: Canvas) -> None:
    c.size(720, 166)
    shared(c, 4, 8)
    own(c, 420, 8)


def draw_narrow(c: Canvas) -> None:
    c.size(356, 346)
    shared(c, 4, 8)
    own(c, 4, 188)
