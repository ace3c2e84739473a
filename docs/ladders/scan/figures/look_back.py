"""Look-back at three moments: what each tile has announced, and how far tile 4 looks."""

from lockstep_sphinx.drawings.canvas import Canvas

SUMS = (7, 2, 5, 4, 1)  # of the five tiles of the example
# for each moment: the last tile with an inclusive prefix, which tiles have announced their sum, what tile 4 does
MOMENTS = (
    (0, (1, 3), "Tile 4 looks back: 4 from tile 3; tile 2 has nothing yet, so it reads again."),
    (0, (1, 2, 3), "It adds 4, 5 and 2, then finds the prefix 7 of tile 0: 18 lies before tile 4."),
    (4, (), "It announces 18 + 1 = 19; the others have found their prefixes as well."),
)


def prefix(tile: int) -> int:
    return sum(SUMS[: tile + 1])


def announced(moment: int, tile: int) -> tuple[str, str]:
    """What a tile has announced, and the color of that."""
    last, sums, _ = MOMENTS[moment]
    if tile <= last:
        return f"prefix\n{prefix(tile)}", "accent"
    if tile in sums or tile == len(SUMS) - 1:
        return f"sum\n{SUMS[tile]}", "memory"
    return "nothing", "ghost"


def row(c: Canvas, x: float, y: float, moment: int, step: float, width: float) -> None:
    for tile in range(len(SUMS)):
        words, kind = announced(moment, tile)
        c.box(x + step * tile, y, width, 44, words, kind)


def looks(c: Canvas, x: float, y: float, step: float, width: float, to: int) -> None:
    """The way of tile 4 back to a tile, from tile to tile."""
    for tile in range(len(SUMS) - 1, to, -1):
        c.arrow(x + step * tile - 1, y, x + step * (tile - 1) + width + 1, y)


def draw(c: Canvas) -> None:
    c.size(720, 318)
    x, step, width = 100, 124, 86
    for tile in range(len(SUMS)):
        c.text(x + step * tile + width / 2, 14, f"tile {tile}", 13, kind="muted")
    for moment, (_, _, words) in enumerate(MOMENTS):
        y = 30 + 98 * moment
        c.text(8, y + 22, f"moment {moment + 1}", 13, "start", "muted")
        row(c, x, y, moment, step, width)
        c.text(x, y + 60, words, 13, "start")
    looks(c, x, 52, step, width, 2)
    looks(c, x, 150, step, width, 0)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 366)
    x, step, width = 4, 71, 56
    texts = (
        "1. Tile 4 looks back: 4 from tile 3;\ntile 2 has nothing yet, so it reads again.",
        "2. It adds 4, 5 and 2, then finds the prefix\n7 of tile 0: 18 lies before tile 4.",
        "3. It announces 18 + 1 = 19; the others\nhave found their prefixes as well.",
    )
    for tile in range(len(SUMS)):
        c.text(x + step * tile + width / 2, 12, f"tile {tile}", 12, kind="muted")
    for moment, words in enumerate(texts):
        y = 26 + 114 * moment
        row(c, x, y, moment, step, width)
        c.text(x, y + 70, words, 13, "start")
    looks(c, x, 48, step, width, 2)
    looks(c, x, 162, step, width, 0)
