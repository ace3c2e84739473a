"""The actual sequence of commits of a converged warp, and of one that commits a batch lane by lane."""

from lockstep_sphinx.drawings.canvas import Canvas

ROWS = (
    ("converged", ["A", "B"], 1),
    ("second batch lane by lane", ["A", "B0", "B1", "B2", "…", "B30", "B31"], 6),
)


def rows(c: Canvas, left: float, cell: float) -> None:
    for row, (name, labels, covered) in enumerate(ROWS):
        y = 12 + 96 * row
        c.text(left, y, name, 13, "start", "strong")
        c.cells(left, y + 14, cell, 30, labels, ["gpu"] * covered + ["memory"] * (len(labels) - covered))
        c.text(left, y + 60, f"the wait covers {'A' if covered == 1 else 'A and B0 to B30'}", 12, "start", "muted")


def draw(c: Canvas) -> None:
    c.size(352, 190)
    rows(c, 8, 48)
