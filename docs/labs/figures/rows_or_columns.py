"""What eight lanes read in one step of the row sums and of the column sums, in a matrix whose rows are one sector long."""

from lockstep_sphinx.drawings.canvas import Canvas

LANES = 8


def matrix(c: Canvas, left: float, top: float, cell: float, title: str, by_row: bool) -> None:
    """Draws a matrix in which each row is one sector; the words that the lanes read carry the lane's number."""
    c.text(left + LANES * cell / 2, top - 16, title, 13, kind="strong")
    for row in range(LANES):
        if by_row:
            labels = [str(row)] + [""] * (LANES - 1)
        else:
            labels = [str(lane) for lane in range(LANES)] if row == 0 else [""] * LANES
        fetched = by_row or row == 0
        kinds = ["accent" if label else "memory" if fetched else "ghost" for label in labels]
        c.cells(left, top + row * cell * 0.8, cell, cell * 0.8, labels, kinds)


def draw(c: Canvas) -> None:
    c.size(720, 322)
    matrix(c, 20, 36, 38, "row_sums: eight sectors", by_row=True)
    matrix(c, 390, 36, 38, "column_sums: one sector", by_row=False)
    c.text(20, 306, "numbers: the lane that reads the word; filled: fetched", 13, "start", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 626)
    matrix(c, 20, 36, 38, "row_sums: eight sectors", by_row=True)
    matrix(c, 20, 328, 38, "column_sums: one sector", by_row=False)
    c.text(10, 600, "numbers: the lane that reads the word;\nfilled: fetched", 12, "start", "muted")
