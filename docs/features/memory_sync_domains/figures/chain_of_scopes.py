"""Cumulativity: two threads of the GPU and one of the CPU pass an order on."""

from lockstep_sphinx.drawings.canvas import Canvas

THREADS = (
    ("thread 1 (GPU)", "write x\nrelease a, device scope", "gpu"),
    ("thread 2 (GPU)", "acquire a\nrelease b, system scope", "gpu"),
    ("thread 3 (CPU)", "acquire b\nread x", "accent"),
)


def draw(c: Canvas) -> None:
    c.size(720, 130)
    for i, (name, text, kind) in enumerate(THREADS):
        left = 250 * i
        c.text(left + 100, 18, name, kind="strong")
        c.box(left, 34, 200, 70, text, kind)
        if i < 2:
            c.arrow(left + 204, 69, left + 246, 69)
            c.text(left + 225, 58, "ab"[i], 13)


def draw_narrow(c: Canvas) -> None:
    c.size(348, 370)
    for i, (name, text, kind) in enumerate(THREADS):
        top = 124 * i
        c.text(174, top + 16, name, kind="strong")
        c.box(64, top + 26, 220, 60, text, kind)
        if i < 2:
            c.arrow(174, top + 88, 174, top + 104)
            c.text(200, top + 98, "ab"[i], 13)
