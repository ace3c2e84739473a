"""The numbers of e3m2 from 0 to 1, with denormal numbers and without."""

from lockstep_sphinx.drawings.canvas import Canvas

NORMAL = [0.25 * (1 + i / 4) for i in range(4)] + [0.5 * (1 + i / 4) for i in range(4)] + [1.0]
DENORMAL = [0.0625, 0.125, 0.1875]


def line(c: Canvas, y: float, left: float, width: float, title: str, numbers: list[float]) -> None:
    c.text(left, y - 34, title, 13, "start", "strong")
    c.line(left, y, left + width, y)
    for number in numbers:
        x = left + width * number
        c.line(x, y - 9, x, y + 9)
    for number, words in ((0, "0"), (0.25, "1/4"), (0.5, "1/2"), (1, "1")):
        c.text(left + width * number, y + 21, words, 12, "middle", "muted")


def both(c: Canvas, left: float, width: float) -> None:
    line(c, 54, left, width, "with denormal numbers", [0, *DENORMAL, *NORMAL])
    c.text(left + width / 8, 38, "denormal", 12, "middle", "muted")
    line(c, 142, left, width, "denormal numbers flushed to zero", [0, *NORMAL])
    c.text(left + width / 8, 126, "gap", 12, "middle", "muted")


def draw(c: Canvas) -> None:
    c.size(620, 178)
    both(c, 20, 580)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 178)
    both(c, 16, 318)
