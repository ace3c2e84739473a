"""A grid, its clusters, their blocks, and the tiles of each block, as nested boxes."""

from lockstep_sphinx.drawings.canvas import Canvas

KINDS = ("gpu", "accent")  # of neighboring tiles


def _block(c: Canvas, x: float, y: float, cell: float) -> None:
    """A block with two rows of eight threads, in tiles of four."""
    c.box(x, y, 8 * cell + 16, 74, kind="plain")
    for row in range(2):
        c.cells(x + 8, y + 10 + 30 * row, cell, 24, [""] * 8, [KINDS[(i // 4 + row) % 2] for i in range(8)])


def draw(c: Canvas) -> None:
    c.size(720, 250)
    cell = 11
    c.box(6, 6, 500, 238, kind="ghost")
    c.text(18, 22, "grid", 13, "start", "strong")
    for cluster in range(2):
        left = 18 + 244 * cluster
        c.box(left, 38, 232, 148, kind="memory")
        c.text(left + 10, 54, "cluster", 13, "start", "strong")
        for block in range(2):
            x = left + 8 + 110 * block
            c.text(x + 2, 78, "block", 13, "start", "strong")
            _block(c, x, 92, cell)
    c.text(18, 212, "Four threads of one color are a tile of 4.", 13, "start", "muted")
    for i, (name, what) in enumerate(
        (
            ("this_grid()", "all blocks"),
            ("this_cluster()", "some blocks"),
            ("this_thread_block()", "one block"),
            ("tiled_partition<4>(block)", "a part of a block"),
        )
    ):
        c.text(520, 30 + 56 * i, name, 12, "start", "code")
        c.text(520, 48 + 56 * i, what, 12, "start", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(340, 330)
    c.box(4, 4, 332, 208, kind="ghost")
    c.text(14, 20, "grid", 13, "start", "strong")
    for cluster in range(2):
        left = 10 + 163 * cluster
        c.box(left, 34, 157, 168, kind="memory")
        c.text(left + 8, 50, "cluster", 13, "start", "strong")
        for block in range(2):
            x = left + 6 + 75 * block
            c.text(x + 2, 78, "block", 13, "start", "strong")
            _block(c, x, 94, 6.75)
    for i, name in enumerate(("this_grid()", "this_cluster()", "this_thread_block()", "tiled_partition<4>(block)")):
        c.text(10, 230 + 22 * i, name, 12, "start", "code")
    c.text(10, 320, "Four threads of one color are a tile of 4.", 12, "start", "muted")
