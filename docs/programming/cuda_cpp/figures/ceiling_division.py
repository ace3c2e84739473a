"""1000 elements under four blocks of 256 threads."""

from lockstep_sphinx.drawings.canvas import Canvas


def blocks(c: Canvas, width: float) -> None:
    end, right = 10 + round(width * 1000 / 256), 10 + 4 * width
    c.box(10, 34, end - 10, 36, "1000 elements", kind="memory")
    for block in range(4):
        c.box(10 + block * width, 92, width, 40, f"block {block}", kind="gpu")
    c.box(end, 92, right - end, 40, kind="warn")
    c.line(end, 26, end, 140, dashed=True)
    c.text(right, 152, "24 threads without an element", size=13, anchor="end", kind="muted")
    c.text(10, 16, "0", size=12, anchor="start", kind="code")
    c.text(end - 2, 16, "999", size=12, anchor="end", kind="code")


def draw(c: Canvas) -> None:
    c.size(720, 170)
    blocks(c, 171.5)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 170)
    blocks(c, 82.5)
