"""One SM: its schedulers, its unified data cache, and the ways to the L2 cache that all SMs share."""

from lockstep_sphinx.drawings.canvas import Canvas


def sm(c: Canvas, width: float, columns: int) -> None:
    left, inner = 10, width - 20
    rows = 4 // columns
    part = (inner - 20 - (columns - 1) * 10) / columns
    c.box(left, 8, inner, 92 + 74 * rows, kind="plain")
    c.text(left + 10, 22, "SM", 14, "start", "strong")
    for i in range(4):
        x = left + 10 + (i % columns) * (part + 10)
        y = 36 + (i // columns) * 74
        c.box(x, y, part, 26, "scheduler", "accent")
        c.box(x, y + 28, part, 38, "registers of\nits warps", "gpu")
    y = 40 + 74 * rows
    cache = inner - 20 - 70
    c.box(left + 10, y, cache * 0.42, 46, "L1 cache", "memory")
    c.box(left + 10 + cache * 0.42, y, cache * 0.58, 46, "shared memory", "memory")
    c.box(left + 20 + cache, y, 60, 46, "TMA", "accent")
    below = 100 + 74 * rows
    c.arrow(left + 10 + cache * 0.21, y + 48, left + 10 + cache * 0.21, below + 40)
    c.arrow(left + 50 + cache, y + 48, left + 50 + cache, below + 40)
    c.box(left, below + 42, inner, 32, "L2 cache, shared by all SMs", "ghost")


def draw(c: Canvas) -> None:
    c.size(720, 256)
    sm(c, 720, 4)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 330)
    sm(c, 352, 2)
