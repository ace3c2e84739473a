"""Sixteen threads divided in four ways; threads of one part have one number and one color."""

from lockstep_sphinx.drawings.canvas import Canvas

KINDS = ("gpu", "cpu", "accent", "warn")
PARTS = (
    ("tiled_partition<4>", [rank // 4 for rank in range(16)]),
    ("labeled_partition, rank % 4", [rank % 4 for rank in range(16)]),
    ("binary_partition, rank < 5", [int(rank < 5) for rank in range(16)]),
    ("labeled_partition, rank * rank % 7", [(0, 1, 2, 3, 3, 2, 1)[rank % 7] for rank in range(16)]),
)


def draw(c: Canvas) -> None:
    c.size(720, 214)
    for row, (name, parts) in enumerate(PARTS):
        c.text(8, 27 + 52 * row, name, 13, "start", "code")
        c.cells(290, 12 + 52 * row, 26, 30, parts, [KINDS[part] for part in parts])


def draw_narrow(c: Canvas) -> None:
    c.size(350, 250)
    for row, (name, parts) in enumerate(PARTS):
        c.text(8, 14 + 62 * row, name, 13, "start", "code")
        c.cells(7, 26 + 62 * row, 21, 28, parts, [KINDS[part] for part in parts])
