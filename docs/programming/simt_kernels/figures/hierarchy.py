"""Grid, cluster, block, warp, thread: nested, with what each level shares."""

from lockstep_sphinx.drawings.canvas import Canvas

LEVELS = (
    ("grid", "global memory"),
    ("cluster", "runs together; distributed\nshared memory, a barrier"),
    ("block", "one SM; shared memory,\na barrier"),
    ("warp", "32 threads, one instruction\nat a time"),
    ("thread", "its own registers, its own\nplace in the code"),
)


def nested(c: Canvas, left: float, margin: float, cell: float) -> None:
    block_width = 58 + 8 * cell
    cluster_width = block_width + 2 * margin
    c.box(left, 10, 2 * cluster_width + 2 * margin + 18, 320, kind="memory")
    c.text(left + margin + 2, 28, "grid", kind="strong", anchor="start")
    for cluster in range(2):
        x = left + margin + 4 + cluster * (cluster_width + 10)
        c.box(x, 46, cluster_width, 270, kind="ghost")
        c.text(x + margin + 2, 62, "cluster", kind="strong", anchor="start")
        x += margin
        for block in range(2):
            y = 78 + block * 118
            c.box(x, y, block_width, 108, kind="accent")
            c.text(x + 12, y + 16, "block", kind="strong", anchor="start")
            for warp in range(2):
                top = y + 32 + warp * 37
                c.text(x + 12, top + 14, "warp", size=12, anchor="start")
                c.cells(x + 50, top, cell, 28, [""] * 8, "gpu")


def levels(c: Canvas, left: float, middle: float, tops: tuple[float, ...]) -> None:
    for y, (what, shared) in zip(tops, LEVELS, strict=True):
        c.text(left, y, what, kind="strong", anchor="start")
        c.text(middle, y, shared, size=13, anchor="start")


def draw(c: Canvas) -> None:
    c.size(720, 340)
    nested(c, 10, 12, 14)
    levels(c, 460, 520, (28, 62, 124, 176, 228))


def draw_narrow(c: Canvas) -> None:
    c.size(350, 540)
    nested(c, 4, 8, 10)
    levels(c, 16, 96, (354, 387, 429, 471, 513))
