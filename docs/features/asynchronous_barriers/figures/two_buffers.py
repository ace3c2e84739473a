"""The handshake of the kernel specialize over its first tiles: two buffers, each with a barrier for each direction."""

from lockstep_sphinx.drawings.canvas import Canvas

TOP, SCALE = 38, 1.12  # where the time begins, and the pixels of its unit
SLANT = 8  # from the beginning of an arrow to its head, downward

# What each side does: beginning and end in time, kind (one for each buffer), words.
PRODUCER = (
    (0, 36, "ghost", "wait for ready[0],\nparity 1: passes"),
    (38, 76, "gpu", "fill buffer 0:\ntile 0"),
    (78, 114, "ghost", "wait for ready[1],\nparity 1: passes"),
    (116, 154, "accent", "fill buffer 1:\ntile 1"),
    (156, 198, "ghost", "wait for ready[0],\nparity 0"),
    (200, 238, "gpu", "fill buffer 0:\ntile 2"),
    (240, 320, "ghost", "wait for ready[1],\nparity 0"),
    (322, 360, "accent", "fill buffer 1:\ntile 3"),
    (362, 426, "ghost", "wait for ready[0],\nparity 1"),
)
CONSUMERS = (
    (0, 84, "ghost", "wait for filled[0],\nparity 0"),
    (86, 188, "gpu", "take tile 0\nfrom buffer 0"),
    (190, 216, "plain", "compute"),
    (218, 254, "ghost", "wait for filled[1],\nparity 0: passes"),
    (256, 310, "accent", "take tile 1\nfrom buffer 1"),
    (312, 338, "plain", "compute"),
    (340, 376, "ghost", "wait for filled[0],\nparity 1: passes"),
    (378, 416, "gpu", "take tile 2\nfrom buffer 0"),
)
# The arrivals: when, whether they go to the consumers, and the phase that they complete.
ARRIVALS = (
    (76, True, "filled[0]: phase 0"),
    (154, True, "filled[1]: phase 0"),
    (188, False, "ready[0]: phase 0"),
    (238, True, "filled[0]: phase 1"),
    (310, False, "ready[1]: phase 0"),
    (360, True, "filled[1]: phase 1"),
    (416, False, "ready[0]: phase 1"),
)


def _draw(c: Canvas, w: float, right: float, size: float) -> None:
    left = 1 + w
    for x, name, count, steps in (
        (1, "producer", "one warp", PRODUCER),
        (right, "consumers", "eight warps", CONSUMERS),
    ):
        c.text(x + w / 2, 10, name, 14, kind="strong")
        c.text(x + w / 2, 27, count, 12, kind="muted")
        for begin, end, kind, words in steps:
            c.box(x, TOP + SCALE * begin, w, SCALE * (end - begin), "", kind)
            c.text(x + w / 2, TOP + SCALE * (begin + end) / 2, words, size)
        c.text(x + w / 2, TOP + SCALE * 442, "…", 14)
    for when, to_consumers, words in ARRIVALS:
        y = TOP + SCALE * when
        ends = (left + 3, right - 3)
        c.arrow(ends[not to_consumers], y, ends[to_consumers], y + SLANT)
        c.text((left + right) / 2, y + SLANT / 2 - 11, words, 12)


def draw(c: Canvas) -> None:
    c.size(720, 548)
    _draw(c, 210, 509, 13)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 548)
    _draw(c, 114, 235, 12)
