"""What a tensor map describes: the matrix of tensor_tile_edges, and two of the boxes that it loads."""

from lockstep_sphinx.drawings.canvas import Canvas

COLUMNS, ROWS = 24, 10
PITCH = 32  # floats from row to row
FLOAT = 4  # bytes
BOX = (16, 4)  # columns, rows
CORNER = (16, 8)
INSIDE = (COLUMNS - CORNER[0], ROWS - CORNER[1])
HEIGHT = 15  # of a row
TICK = 4


def _across(c: Canvas, x1: float, x2: float, y: float, words: str) -> None:
    """A horizontal length with its name above."""
    c.line(x1, y, x2, y)
    for x in (x1, x2):
        c.line(x, y - TICK, x, y + TICK)
    c.text((x1 + x2) / 2, y - 10, words, 12)


def _matrix(c: Canvas, x: float, y: float, w: float) -> None:
    """The matrix with its padding, its lengths and two boxes; (x, y) is its first element, w the width of one."""
    _across(c, x, x + PITCH * w, y - 37, f"strides[0], row to row: {PITCH * FLOAT} bytes ({PITCH} floats)")
    _across(c, x, x + COLUMNS * w, y - 9, f"sizes[0]: {COLUMNS} columns")
    _across(c, x + COLUMNS * w, x + PITCH * w, y - 9, "padding")
    c.line(x - 9, y, x - 9, y + ROWS * HEIGHT)
    for end in (y, y + ROWS * HEIGHT):
        c.line(x - 9 - TICK, end, x - 9 + TICK, end)
    c.text(x - 17, y + ROWS * HEIGHT / 2, f"sizes[1]:\n{ROWS} rows", 12, "end")
    for row in range(ROWS):
        c.cells(x, y + row * HEIGHT, COLUMNS * w, HEIGHT, [""], "gpu")
        c.cells(x + COLUMNS * w, y + row * HEIGHT, (PITCH - COLUMNS) * w, HEIGHT, [""], "plain")
    c.cells(x, y, BOX[0] * w, BOX[1] * HEIGHT, [""], "accent")
    c.text(x + BOX[0] * w / 2, y + BOX[1] * HEIGHT / 2, f"box: {BOX[0]} × {BOX[1]},\ncorner (0, 0)", 13)

    left, top = x + CORNER[0] * w, y + CORNER[1] * HEIGHT
    c.cells(left, top, BOX[0] * w, BOX[1] * HEIGHT, [""], "warn")
    c.cells(left, top, INSIDE[0] * w, INSIDE[1] * HEIGHT, [""], "accent")
    c.text(left + INSIDE[0] * w / 2, top + INSIDE[1] * HEIGHT / 2, "inside", 12)
    c.text(left + BOX[0] * w / 2, top + (BOX[1] + INSIDE[1]) / 2 * HEIGHT, "outside: zeros", 12)
    c.text(left - 26, top + HEIGHT / 2, f"corner ({CORNER[0]}, {CORNER[1]})", 12, "end")
    c.arrow(left - 22, top + HEIGHT / 2, left - 1, top + HEIGHT / 2)


def _tile(c: Canvas, x: float, y: float, w: float) -> None:
    """The tile that comes of the second box."""
    for row in range(BOX[1]):
        inside = [row < INSIDE[1] and column < INSIDE[0] for column in range(BOX[0])]
        kinds = ["accent" if i else "warn" for i in inside]
        c.cells(x, y + row * HEIGHT, w, HEIGHT, ["" if i else "0" for i in inside], kinds)
    count = INSIDE[0] * INSIDE[1]
    middle = x + BOX[0] * w / 2
    c.text(middle, y - 22, f"the tile of corner ({CORNER[0]}, {CORNER[1]})\nin shared memory, dense", 12)
    c.text(
        middle, y + BOX[1] * HEIGHT + 12, f"{count} from the matrix, {BOX[0] * BOX[1] - count} zeros", 12, kind="muted"
    )


def draw(c: Canvas) -> None:
    c.size(720, 262)
    _matrix(c, 80, 58, 12)
    _tile(c, 494, 58 + CORNER[1] * HEIGHT, 14)
    c.arrow(466, 58 + (CORNER[1] + 2) * HEIGHT, 492, 58 + (CORNER[1] + 2) * HEIGHT)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 396)
    _matrix(c, 72, 58, 8.5)
    _tile(c, 120, 308, 14)
    c.arrow(72 + 24 * 8.5, 240, 72 + 24 * 8.5, 266)
