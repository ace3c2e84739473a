"""Three blocks collect their positive numbers: counts, a barrier of the grid, places."""

from lockstep_sphinx.drawings.canvas import Canvas

NUMBERS = (4, -2, 7, -5, -1, 3, -8, -6, 9, 2, -3, 5)
PER_BLOCK = 4
FOUND = [number for number in NUMBERS if number > 0]


def places(c: Canvas, left: float, cell: float) -> None:
    kinds = ["gpu" if number > 0 else "ghost" for number in NUMBERS]
    c.cells(left, 28, cell, 30, [str(number) for number in NUMBERS], kinds)
    c.line(left, 138, left + 12 * cell, 138, dashed=True)
    before = 0
    for block in range(3):
        middle = left + (PER_BLOCK * block + 2) * cell
        count = sum(number > 0 for number in NUMBERS[PER_BLOCK * block : PER_BLOCK * (block + 1)])
        c.text(middle, 14, f"block {block}", 13, "middle", "strong")
        c.arrow(middle, 60, middle, 82)
        c.box(middle - 1.6 * cell, 84, 3.2 * cell, 28, f"count {count}", "accent")
        c.arrow(middle, 142, middle, 162)
        c.box(middle - 1.6 * cell, 164, 3.2 * cell, 28, f"before: {before}", "accent")
        c.arrow(middle, 194, left + (before + 0.5) * cell, 224)
        before += count
    c.cells(
        left,
        226,
        cell,
        30,
        [str(number) for number in FOUND] + [""] * (12 - len(FOUND)),
        ["memory"] * len(FOUND) + ["ghost"] * (12 - len(FOUND)),
    )


def draw(c: Canvas) -> None:
    c.size(720, 266)
    places(c, 150, 46)
    for y, words in ((43, "elements"), (98, "tile and block"), (138, "grid.sync()"), (178, "grid"), (241, "result")):
        c.text(140, y, words, 13, "end", "code" if "(" in words else "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 290)
    places(c, 8, 28)
    c.text(8, 276, "The dashed line is grid.sync().", 13, "start", "muted")
