"""Each memory and who sees it."""

from lockstep_sphinx.drawings.canvas import Canvas


def block(c: Canvas, number: int, x: float, w: float, pad: float, tall: float, fold: str = " ") -> None:
    inner = w - 2 * pad
    c.box(x, 28, w, tall + 98, kind="ghost")
    c.text(x + w / 2, 42, f"block {number}, on one SM", size=13, kind="muted")
    for thread in range(2):
        text = f"thread:\nregisters,\nlocal{fold}memory"
        c.box(x + pad + thread * (inner + 8) / 2, 56, (inner - 8) / 2, tall, text, kind="gpu")
    c.box(x + pad, 64 + tall, inner, 50, f"shared memory{fold}of the block", kind="accent")


def device(c: Canvas, x: float, y: float, w: float) -> None:
    c.box(x, y, w, 34, "L2 cache", kind="muted")
    c.box(x, y + 44, w, 66, "global memory, and constant memory:\nall threads of all grids", kind="memory")


def draw(c: Canvas) -> None:
    c.size(720, 320)
    c.text(290, 14, "GPU", kind="strong")
    block(c, 0, 10, 276, 12, 62)
    block(c, 1, 300, 276, 12, 62)
    device(c, 10, 200, 566)
    c.box(622, 200, 90, 110, "host\nmemory", kind="cpu")
    c.line(576, 277, 622, 277)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 414)
    c.text(176, 14, "GPU", kind="strong")
    block(c, 0, 4, 168, 6, 84, "\n")
    block(c, 1, 180, 168, 6, 84, "\n")
    device(c, 4, 222, 344)
    c.box(106, 372, 140, 36, "host memory", kind="cpu")
    c.line(176, 332, 176, 372)
