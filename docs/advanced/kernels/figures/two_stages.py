"""One buffer: copy and compute take turns. Two buffers: the next tile is copied while one is computed."""

from lockstep_sphinx.drawings.canvas import Canvas

WORK = (("copy", "memory"), ("compute", "gpu"))
# when, track, words, kind
ONE = [(2 * i + k, 0, f"{name} {i}", kind) for i in range(3) for k, (name, kind) in enumerate(WORK)]
TWO = [(i + k, k, f"{name} {i}", kind) for i in range(4) for k, (name, kind) in enumerate(WORK)]


def draw(c: Canvas) -> None:
    c.size(720, 236)
    for top, name, boxes in (14, "one buffer", ONE), (92, "two buffers", TWO):
        c.text(10, top, name, 14, "start", "strong")
        for when, track, words, kind in boxes:
            c.box(100 + 84 * when, top + 14 + 40 * track, 84, 30, words, kind)
    c.text(90, 121, "copies", 13, "end", "muted")
    c.text(90, 161, "threads", 13, "end", "muted")
    c.arrow(100, 200, 700, 200)
    c.text(700, 216, "time", 12, "end", "muted")
    c.text(100, 226, "at each boundary: wait for the copy, and for threads that still read", 13, "start", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(350, 402)
    for left, name, boxes in (8, "one buffer", ONE), (116, "two buffers", TWO):
        c.text(left, 14, name, 14, "start", "strong")
        for when, track, words, kind in boxes:
            c.box(left + 94 * track, 52 + 46 * when, 88, 46, words, kind)
    c.text(160, 38, "copies", 13, "middle", "muted")
    c.text(254, 38, "threads", 13, "middle", "muted")
    c.arrow(326, 52, 326, 336)
    c.text(326, 348, "time", 12, "middle", "muted")
    c.text(8, 376, "at each boundary: wait for the copy,\nand for threads that still read", 13, "start", "muted")
