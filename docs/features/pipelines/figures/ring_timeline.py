"""The recorded run of the ring on its time axis: one track for each buffer."""

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "features/pipelines/ring/three_stage_ring.csv"
TILES, STAGES = 7, 3
LEGEND = (("memory", "in flight or full"), ("gpu", "in use"))


def moments(c: Canvas) -> list[list[float]]:
    """For each tile: issued, taken, released."""
    names = ("~issued", "~taken", "~released")
    return [[float(c.cell(FILE, name, "{:.0f}", tile=tile)) for name in names] for tile in range(TILES)]


def legend(c: Canvas, x: float, y: float) -> None:
    for kind, words in LEGEND:
        c.box(x, y, 14, 14, kind=kind)
        c.text(x + 20, y + 7, words, 12, "start")
        x += 34 + 6.6 * len(words)


def draw(c: Canvas) -> None:
    c.size(720, 190)
    when = moments(c)
    scale = 620 / when[-1][2]
    for stage in range(STAGES):
        c.text(74, 28 + 42 * stage, f"buffer {stage}", 13, "end", "muted")
    for tile, (issued, taken, released) in enumerate(when):
        y = 12 + 42 * (tile % STAGES)
        c.box(84 + scale * issued, y, scale * (taken - issued), 32, str(tile), "memory")
        c.box(84 + scale * taken, y, scale * (released - taken), 32, str(tile), "gpu")
    c.arrow(84, 146, 710, 146)
    c.text(710, 162, "time", 12, "end", "muted")
    legend(c, 84, 166)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 480)
    when = moments(c)
    scale = 400 / when[-1][2]
    for stage in range(STAGES):
        c.text(54 + 100 * stage, 14, f"buffer {stage}", 13, "middle", "muted")
    for tile, (issued, taken, released) in enumerate(when):
        x = 10 + 100 * (tile % STAGES)
        c.box(x, 28 + scale * issued, 88, scale * (taken - issued), str(tile), "memory")
        c.box(x, 28 + scale * taken, 88, scale * (released - taken), str(tile), "gpu")
    c.arrow(326, 28, 326, 430)
    c.text(326, 442, "time", 12, "middle", "muted")
    legend(c, 10, 456)
