"""Rows of six floats with two floats of padding: width, pitch, and where a row begins."""

from lockstep_sphinx.drawings.canvas import Canvas

ROWS = 3
USED, PADDING = 6, 2


def rows(c: Canvas, left: float, top: float, cell: float) -> None:
    """The allocation, with its two distances above."""
    width, pitch = USED * cell, (USED + PADDING) * cell
    c.arrow(left + width / 2 + 24, top + 10, left + width, top + 10)
    c.arrow(left + width / 2 - 24, top + 10, left, top + 10)
    c.text(left + width / 2, top + 10, "width", 13)
    c.arrow(left + pitch / 2 + 24, top + 34, left + pitch, top + 34)
    c.arrow(left + pitch / 2 - 24, top + 34, left, top + 34)
    c.text(left + pitch / 2, top + 34, "pitch", 13)
    for row in range(ROWS):
        y = top + 52 + row * 34
        words = [f"{row},{column}" for column in range(USED)] + [""] * PADDING
        c.cells(left, y, cell, 28, words, ["memory"] * USED + ["ghost"] * PADDING)


def draw(c: Canvas) -> None:
    c.size(720, 160)
    rows(c, 220, 0, 46)
    for row, words in enumerate(("start", "start + pitch", "start + 2 * pitch")):
        y = 66 + row * 34
        c.text(190, y, words, 13, "end", "code")
        c.arrow(194, y, 216, y)
    c.text(600, 100, "padding,\nnever used", 13, "start", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(312, 206)
    rows(c, 12, 0, 36)
    c.text(12, 172, "row r begins at start + r * pitch;", 13, "start")
    c.text(12, 192, "the two cells at its end are padding", 13, "start")
