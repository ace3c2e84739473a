"""A tile of 4 x 4 words on four banks: as it is, and with each row permuted by xor."""

from lockstep_sphinx.drawings.canvas import Canvas

SIZE = 4
COLUMN = 1  # the one that is read


def tile(c: Canvas, x: float, y: float, width: float, swizzled: bool) -> None:
    """Where the word (row, column) is kept; the words of one column are colored."""
    c.text(x, y + 8, "column x xor y" if swizzled else "column x", 13, "start", "muted")
    for bank in range(SIZE):
        c.text(x + (bank + 0.5) * width, y + 32, f"bank {bank}", 12, kind="muted")
    for row in range(SIZE):
        words = [""] * SIZE
        kinds = ["plain"] * SIZE
        for column in range(SIZE):
            place = column ^ row if swizzled else column
            words[place] = f"{row},{column}"
            if column == COLUMN:
                kinds[place] = "accent"
        c.cells(x, y + 44 + row * 30, width, 30, words, kinds)
    what = "four banks: one wavefront" if swizzled else "one bank: four wavefronts"
    c.text(x, y + 44 + SIZE * 30 + 16, f"column 1 in {what}", 13, "start")


def draw(c: Canvas) -> None:
    c.size(580, 194)
    for swizzled in (False, True):
        tile(c, 12 + 300 * swizzled, 4, 56, swizzled)


def draw_narrow(c: Canvas) -> None:
    c.size(260, 386)
    for swizzled in (False, True):
        tile(c, 14, 4 + 194 * swizzled, 56, swizzled)
