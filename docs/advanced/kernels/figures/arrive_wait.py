"""Three warps, another one late in each step: with __syncthreads the times add up, with arrive and wait they overlap."""

from lockstep_sphinx.drawings.canvas import Canvas

LATE, OWN, WAIT = ("late", "warn"), ("independent", "gpu"), ("", "ghost")
# warp: (begin, length, what), in half steps; the late warp of step i is warp i
WHOLE = {
    warp: [
        part for step in range(3) for part in ((4 * step, 2, LATE if step == warp else WAIT), (4 * step + 2, 2, OWN))
    ]
    for warp in range(3)
}
SPLIT = {
    0: [(0, 2, LATE), (2, 2, OWN), (4, 2, OWN), (6, 2, OWN)],
    1: [(0, 2, OWN), (2, 2, LATE), (4, 2, OWN), (6, 2, OWN)],
    2: [(0, 2, OWN), (2, 2, OWN), (4, 2, LATE), (6, 2, OWN)],
}
TITLES = (("__syncthreads", WHOLE), ("arrive and wait", SPLIT))


def draw(c: Canvas) -> None:
    c.size(720, 300)
    for top, (title, warps) in zip((14, 146), TITLES, strict=True):
        c.text(10, top, title, 14, "start", "strong")
        for warp, parts in warps.items():
            c.text(68, top + 33 + 32 * warp, f"warp {warp}", 12, "end", "muted")
            for begin, length, (words, kind) in parts:
                c.box(76 + 52 * begin, top + 16 + 32 * warp, 52 * length, 26, words, kind)
    c.arrow(76, 276, 700, 276)
    c.text(700, 290, "time", 12, "end", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(350, 640)
    for top, (title, warps) in zip((14, 386), TITLES, strict=True):
        c.text(8, top, title, 14, "start", "strong")
        for warp, parts in warps.items():
            c.text(58 + 102 * warp, top + 22, f"warp {warp}", 12, "middle", "muted")
            for begin, length, (words, kind) in parts:
                c.box(8 + 102 * warp, top + 34 + 26 * begin, 98, 26 * length, words, kind)
    c.arrow(332, 48, 332, 620)
    c.text(338, 634, "time", 12, "end", "muted")
