"""A tile of c needs a row of tiles of a and a column of tiles of b; one block walks along both."""

from lockstep_sphinx.drawings.canvas import Canvas

TILES = 4
ROW, COLUMN = 1, 2  # the tile of c that the block computes
STEPS = (
    ("load tile k of a and of b", "memory"),
    ("__syncthreads(): tiles complete", "warn"),
    ("32 multiply-adds per thread", "gpu"),
    ("__syncthreads(): tiles used up", "warn"),
)


def matrix(c: Canvas, left: float, top: float, cell: float, name: str, labels: dict[tuple[int, int], str]) -> None:
    c.text(left + TILES * cell / 2, top - 12, name, kind="code")
    for row in range(TILES):
        words = [labels.get((row, column), "") for column in range(TILES)]
        kind = "accent" if name == "c" else "memory"
        c.cells(left, top + row * cell, cell, cell, words, [kind if word else "ghost" for word in words])


def matrices(c: Canvas, left: float, top: float, cell: float, gap: float) -> None:
    side = TILES * cell
    along = {(ROW, k): f"k={k}" for k in range(TILES)}
    down = {(k, COLUMN): f"k={k}" for k in range(TILES)}
    matrix(c, left, top + side + gap, cell, "a", along)
    matrix(c, left + side + gap, top, cell, "b", down)
    matrix(c, left + side + gap, top + side + gap, cell, "c", {(ROW, COLUMN): "sum"})


def steps(c: Canvas, left: float, top: float, width: float) -> None:
    c.text(left, top, "one block, for k = 0, 1, 2, 3:", 13, "start", "muted")
    for i, (text, kind) in enumerate(STEPS):
        y = top + 16 + i * 56
        c.box(left, y, width, 34, text, kind)
        if i + 1 < len(STEPS):
            c.arrow(left + width / 2, y + 35, left + width / 2, y + 54)
    c.text(left, top + 16 + len(STEPS) * 56 - 6, "after the last k: store the sums into c", 13, "start", "muted")


def draw(c: Canvas) -> None:
    c.size(720, 400)
    matrices(c, 20, 30, 40, 30)
    steps(c, 430, 70, 270)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 660)
    matrices(c, 10, 30, 38, 28)
    steps(c, 30, 400, 292)
