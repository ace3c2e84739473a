"""Which tool to use: from symptom to tool."""

from lockstep_sphinx.drawings.canvas import Canvas, Point

ROWS = (
    ("a call returns\nan error", "look the\nname up", "error\nreference"),
    ("some later\ncall fails", "blocking\nlaunches", "then\nmemcheck"),
    ("wrong now\nand then", "racecheck", "then\nsynccheck"),
    ("other garbage\neach time", "initcheck", "then\nmemcheck"),
    ("it hangs", "synccheck", "then\ncuda-gdb"),
    ("always the same\nwrong value", "cuda-gdb", "stop\nand look"),
)


def heads(c: Canvas, *places: float) -> None:
    for x, head in zip(places, ("symptom", "first", "then"), strict=True):
        c.text(x, 14, head, kind="strong")


def rows(c: Canvas, h: float, seen: Point, first: Point, then: Point, fold: str) -> None:
    """Columns are given by their left and right edges."""
    for i, row in enumerate(ROWS):
        y = 34 + (h + 12) * i
        for text, (left, right), kind in zip(row, (seen, first, then), ("warn", "accent", "plain"), strict=True):
            c.box(left, y, right - left, h, text.replace("\n", fold), kind)
        c.arrow(seen[1] + 2, y + h / 2, first[0] - 2, y + h / 2)
        c.arrow(first[1] + 2, y + h / 2, then[0] - 2, y + h / 2)


def draw(c: Canvas) -> None:
    c.size(720, 34 + 44 * len(ROWS))
    heads(c, 115, 380, 615)
    rows(c, 32, (5, 230), (285, 475), (530, 700), " ")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 28 + 58 * len(ROWS))
    heads(c, 66, 195, 305)
    rows(c, 46, (2, 130), (152, 238), (260, 350), "\n")
