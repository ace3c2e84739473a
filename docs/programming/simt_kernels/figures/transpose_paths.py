"""The way of one tile through a naive and through a tiled transpose."""

CELL = 22


def matrix(c, x, y, name, row, column):
    c.text(x + 2 * CELL, y - 12, name, size=13)
    for i in range(4):
        c.cells(
            x, y + i * CELL, CELL, CELL, [""] * 4, ["accent" if (i, j) == (row, column) else "plain" for j in range(4)]
        )


def tile(c, x, y, name, kind):
    """A tile of 4 x 4 with one row or column marked."""
    c.text(x + 2 * CELL, y - 12, name, size=13)
    for i in range(4):
        kinds = ["gpu" if (i == 1 if kind == "row" else j == 1) else "memory" for j in range(4)]
        c.cells(x, y + i * CELL, CELL, CELL, [""] * 4, kinds)


def draw(c):
    c.size(720, 330)
    c.text(4, 12, "naive", anchor="start", kind="strong")
    matrix(c, 20, 52, "in", 0, 2)
    tile(c, 180, 52, "a warp reads a row", "row")
    tile(c, 430, 52, "and writes a column", "column")
    matrix(c, 600, 52, "out", 2, 0)
    c.arrow(112, 96, 174, 96)
    c.arrow(272, 96, 424, 96, "straight to device memory")
    c.arrow(522, 96, 596, 96)
    c.text(4, 172, "tiled", anchor="start", kind="strong")
    matrix(c, 20, 214, "in", 0, 2)
    tile(c, 150, 214, "reads a row", "row")
    tile(c, 280, 214, "stores a row", "row")
    tile(c, 400, 214, "loads a column", "column")
    tile(c, 510, 214, "writes a row", "row")
    matrix(c, 620, 214, "out", 2, 0)
    c.arrow(112, 258, 146, 258)
    c.arrow(242, 258, 276, 258)
    c.arrow(370, 258, 398, 258)
    c.arrow(490, 258, 508, 258)
    c.arrow(600, 258, 618, 258)
    c.box(274, 304, 218, 22, "tile in shared memory", kind="ghost")
