"""Four running blocks that compute eight uneven tiles, by canceling the blocks that have not started."""

from lockstep_sphinx.drawings.canvas import Canvas

BLOCKS = (
    ((0, 100), (4, 150)),
    ((1, 60), (5, 80), (7, 90)),
    ((2, 250),),
    ((3, 120), (6, 130)),
)
PROLOGUE = 70


def _draw(c: Canvas, x: float, cell: float, scale: float, left: float) -> None:
    c.text(x, 14, "the grid: one block for each tile", 14, "start", "strong")
    c.cells(x, 28, cell, 30, list(range(8)), ["gpu"] * 4 + ["ghost"] * 4)
    c.text(x + 2 * cell, 74, "started", 13, "middle", "muted")
    c.text(x + 6 * cell, 74, "canceled, never run", 13, "middle", "muted")
    c.text(x, 104, "what the running blocks compute", 14, "start", "strong")
    for block, tiles in enumerate(BLOCKS):
        top = 118 + 36 * block
        c.text(left - 8, top + 15, f"block {block}", 13, "end", "muted")
        c.box(left, top, PROLOGUE * scale, 30, "prologue", "muted")
        start = left + PROLOGUE * scale
        for tile, width in tiles:
            c.box(start, top, width * scale, 30, f"tile {tile}", "gpu" if tile < 4 else "accent")
            start += width * scale


def draw(c: Canvas) -> None:
    c.size(720, 270)
    _draw(c, 60, 75, 1.68, 120)


def draw_narrow(c: Canvas) -> None:
    c.size(348, 270)
    _draw(c, 4, 42, 0.87, 62)
