"""The path from device memory to a warp, and the three questions about it."""

from lockstep_sphinx.drawings.canvas import Canvas

WHERE = "where does the\ndata live?"
HOW = "how does a warp\naccess it?"
HOW_MUCH = "how much other work is\nthere while a warp waits?"


def machine(c: Canvas, left: float, wide: float) -> None:
    """One SM above, the memories that all SMs share below."""
    inner = wide - 24
    c.box(left, 8, wide, 196, kind="ghost")
    c.text(left + 12, 24, "SM", kind="strong", anchor="start")
    for warp in range(4):
        c.box(left + 12 + warp * inner / 4, 40, inner / 4 - 6, 42, "warp", kind="gpu")
    c.box(left + 12, 90, inner - 6, 28, "registers", kind="memory")
    c.arrow(left + wide / 2, 158, left + wide / 2, 122)
    c.box(left + 12, 162, inner / 2 - 6, 32, "shared memory", kind="memory")
    c.box(left + 12 + inner / 2, 162, inner / 2 - 6, 32, "L1 cache", kind="memory")
    c.arrow(left + wide / 2, 234, left + wide / 2, 208)
    c.box(left, 238, wide, 30, "L2 cache", kind="memory")
    c.arrow(left + wide / 2, 292, left + wide / 2, 272)
    c.box(left, 296, wide, 34, "device memory", kind="memory")


def draw(c: Canvas) -> None:
    c.size(720, 340)
    machine(c, 30, 400)
    for y, words in (61, HOW_MUCH), (140, HOW), (254, WHERE):
        c.text(500, y, words, size=14, anchor="start", kind="strong")
        c.line(442, y, 490, y, dashed=True)


def draw_narrow(c: Canvas) -> None:
    c.size(346, 470)
    machine(c, 23, 300)
    for y, words in (362, HOW_MUCH), (404, HOW), (446, WHERE):
        c.text(173, y, words, size=14, kind="strong")
