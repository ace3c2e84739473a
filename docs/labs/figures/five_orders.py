"""Five orders of issue, and the three pictures that they make: kernels K and copies M in two streams."""

from lockstep_sphinx.drawings.canvas import Canvas

PICTURES = (
    ("K1 M1 K2 M2 and K1 K2 M1 M2", (("K1", "M1", ""), ("", "K2", "M2"))),
    ("K1 M1 M2 and K1 M2 M1", (("K1", "M1", ""), ("M2", "", ""))),
    ("K1 M2 M2", (("K1", "", ""), ("M2", "M2", ""))),
)


def picture(c: Canvas, number: int, left: float, top: float, step: float) -> None:
    title, streams = PICTURES[number]
    c.text(left, top, title, 13, "start", "strong")
    for stream, operations in enumerate(streams):
        y = top + 16 + stream * 34
        c.text(left, y + 15, f"stream {stream + 1}", 12, "start", "muted")
        for at, operation in enumerate(operations):
            if operation:
                kind = "gpu" if operation[0] == "K" else "memory"
                c.box(left + 62 + at * step, y, step - 4, 30, operation, kind)
    c.line(left + 62, top + 88, left + 62 + 3 * step, top + 88)
    for at in range(4):
        c.line(left + 62 + at * step, top + 84, left + 62 + at * step, top + 92)
        c.text(left + 62 + at * step, top + 104, str(at), 12, kind="muted")


def draw(c: Canvas) -> None:
    c.size(720, 126)
    for number, left in enumerate((4, 250, 496)):
        picture(c, number, left, 14, 52)


def draw_narrow(c: Canvas) -> None:
    c.size(344, 386)
    for number in range(3):
        picture(c, number, 6, 14 + number * 130, 84)
