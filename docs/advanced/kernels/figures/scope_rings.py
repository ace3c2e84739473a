"""Scopes inside each other, and where the stores of one meet the loads of another."""

from lockstep_sphinx.drawings.canvas import Canvas

RINGS = (
    ("system", "all GPUs and CPUs: L2, other caches", "plain"),
    ("device", "one GPU: L2", "memory"),
    ("cluster", "some blocks: L2", "ghost"),
    ("block", "one SM: L1", "gpu"),
    ("thread", "no other thread", "accent"),
)


def rings(c: Canvas, width: float, step: float) -> None:
    c.size(width, 250)
    for i, (name, where, kind) in enumerate(RINGS):
        x, y = 10 + step * i, 10 + 26 * i
        c.box(x, y, width - 2 * x, 250 - 2 * y, kind=kind)
        c.text(width / 2, y + 14, f"{name}: {where}" if i < 4 else name, 13 if i < 4 else 12)


def draw(c: Canvas) -> None:
    rings(c, 720, 60)


def draw_narrow(c: Canvas) -> None:
    rings(c, 356, 16)
