"""Pages of managed memory move when they are touched: three frames."""

from lockstep_sphinx.drawings.canvas import Canvas

FRAMES = (
    ("the CPU has written", "cccc"),
    ("a kernel touches pages 0 and 1", "ggcc"),
    ("the kernel has touched all", "gggg"),
)
MEMORIES = (("CPU memory", "c", "cpu"), ("GPU memory", "g", "gpu"))


def frame(c: Canvas, x: float, y: float, apart: float, where: str, name_x: float, name_y: float) -> None:
    """The pages of both memories, `apart` below each other, with the names at an offset from the first page."""
    for row, (name, mark, kind) in enumerate(MEMORIES):
        top = y + row * apart
        c.text(x + name_x, top + name_y, name, size=12, kind="muted", anchor="end")
        kinds = [kind if page == mark else "ghost" for page in where]
        c.cells(x, top, 52, 36, [str(n) if page == mark else "" for n, page in enumerate(where)], kinds)
    if where == "ggcc":
        for page in range(2):
            c.arrow(x + 34 + page * 52, y + 38, x + 34 + page * 52, y + apart - 4)


def draw(c: Canvas) -> None:
    c.size(720, 196)
    for i, (title, where) in enumerate(FRAMES):
        x = 10 + i * 240
        c.text(x + 105, 14, title, size=13, kind="strong")
        frame(c, x, 54, 84, where, 208, -12)


def draw_narrow(c: Canvas) -> None:
    c.size(324, 500)
    for i, (title, where) in enumerate(FRAMES):
        y = 38 + i * 170
        c.text(10, y - 22, title, size=13, anchor="start", kind="strong")
        frame(c, 102, y, 76, where, -10, 18)
