"""A tile of 8 x 8 words and one of 8 x 9, on eight banks."""

from lockstep_sphinx.drawings.canvas import Canvas

BANKS = ("gpu", "memory", "accent", "cpu", "warn", "muted", "plain", "ghost")


def tile(c: Canvas, left: float, top: float, cell: float, padding: int) -> None:
    width = 8 + padding
    bottom = top + 34 + 8 * cell
    c.text(left + width * cell / 2, top + 14, f"tile[8][{width}]", kind="code", size=14)
    c.box(left - 4, top + 30, cell + 8, 8 * cell + 8, kind="ghost")
    for row in range(8):
        numbers = [(row * width + column) % 8 for column in range(width)]
        kinds = [BANKS[number] for number in numbers]
        c.cells(left, top + 34 + row * cell, cell, cell, numbers, kinds)
    c.arrow(left + cell / 2, bottom + 32, left + cell / 2, bottom + 6)
    caption = "all in bank 0: eight wavefronts" if not padding else "eight banks: one wavefront"
    c.text(left - 4, bottom + 44, f"a column: {caption}", size=13, anchor="start")
    if padding:
        c.text(left + 8.5 * cell, bottom + 14, "padding", size=12, kind="muted")


def draw(c: Canvas) -> None:
    c.size(720, 346)
    for padding in (0, 1):
        tile(c, 34 + padding * 368, 0, 32, padding)


def draw_narrow(c: Canvas) -> None:
    c.size(330, 568)
    for padding in (0, 1):
        tile(c, 56, padding * 288, 24, padding)
