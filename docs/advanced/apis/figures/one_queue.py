"""Three streams with two kernels each in one queue: what runs at the same time, by the order of issue."""

from lockstep_sphinx.drawings.canvas import Canvas

ORDERS = (
    ("depth first", ("A1", "A2", "B1", "B2", "C1", "C2"), (("A1",), ("A2", "B1"), ("B2", "C1"), ("C2",))),
    ("breadth first", ("A1", "B1", "C1", "A2", "B2", "C2"), (("A1", "B1", "C1"), ("A2", "B2", "C2"))),
)
KINDS = {"A": "gpu", "B": "memory", "C": "accent"}


def order(c: Canvas, top: float, index: int, left: float, under: bool) -> None:
    name, queue, steps = ORDERS[index]
    c.text(left, top, name, 14, "start", "strong")
    c.text(left, top + 24, "queue", 12, "start", "muted")
    c.cells(left + 50, top + 12, 40, 24, queue, [KINDS[one[0]] for one in queue])
    x, y = (left, top + 50) if under else (left + 320, top + 8)
    c.text(x, y + 12, "runs", 12, "start", "muted")
    for i, step in enumerate(steps):
        for one in step:
            c.box(x + 50 + 70 * i, y + 26 * "ABC".index(one[0]), 66, 22, one, KINDS[one[0]])


def draw(c: Canvas) -> None:
    c.size(700, 212)
    order(c, 14, 0, 6, under=False)
    order(c, 124, 1, 6, under=False)


def draw_narrow(c: Canvas) -> None:
    c.size(346, 308)
    order(c, 14, 0, 4, under=True)
    order(c, 170, 1, 4, under=True)
