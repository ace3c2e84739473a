"""The end of one tile and the beginning of the next: a block for each tile, and a persistent block."""

from collections.abc import Sequence

from lockstep_sphinx.drawings.canvas import Canvas

# track, begin, end, kind, words; in steps of a drawn time, not of a measured one
ONE_TILE = (
    (0, 0, 46, "memory", "fetch tile 0"),
    (1, 6, 56, "gpu", "multiply"),
    (1, 56, 70, "accent", "store"),
    (2, 6, 59, "gpu", "multiply"),
    (2, 59, 73, "accent", "store"),
    (0, 76, 110, "memory", "fetch tile 1"),
    (1, 84, 110, "gpu", "multiply"),
    (2, 84, 110, "gpu", "multiply"),
)
PERSISTENT = (
    (0, 0, 46, "memory", "fetch tile 0"),
    (0, 46, 110, "memory", "fetch tile 1"),
    (1, 6, 56, "gpu", "multiply"),
    (1, 56, 70, "accent", "store"),
    (1, 70, 110, "gpu", "multiply"),
    (2, 6, 59, "gpu", "multiply"),
    (2, 59, 73, "accent", "store"),
    (2, 73, 110, "gpu", "multiply"),
)
TRACKS = ("producer", "consumer 0", "consumer 1")


def panel(
    c: Canvas, x: float, y: float, scale: float, words: str, parts: Sequence[tuple[int, float, float, str, str]]
) -> None:
    c.text(x, y, words, 13, "start", "strong")
    for track, name in enumerate(TRACKS):
        c.text(x - 8, y + 32 + 34 * track, name, 12, "end", "muted")
    for track, begin, end, kind, label in parts:
        c.box(x + scale * begin, y + 18 + 34 * track, scale * (end - begin), 28, label, kind)


def both(c: Canvas, x: float, scale: float) -> None:
    panel(c, x, 14, scale, "Rung 5: a block for each tile", ONE_TILE)
    c.line(x + scale * 74.5, 26, x + scale * 74.5, 132, dashed=True)
    panel(c, x, 168, scale, "Rung 6: a persistent block", PERSISTENT)
    c.arrow(x, 298, x + scale * 110, 298)
    c.text(x + scale * 110, 312, "time", 12, "end", "muted")


def draw(c: Canvas) -> None:
    c.size(720, 322)
    both(c, 92, 5.65)
    c.text(92 + 5.65 * 75.5, 14, "the next block starts", 12, "start", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 322)
    both(c, 78, 2.45)
    c.text(78 + 2.45 * 110, 144, "dashed: the next block starts", 12, "end", "muted")
