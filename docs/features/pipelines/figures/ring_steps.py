"""The ring of three buffers after each event of the recorded run: one row for each event."""

from lockstep_sphinx.canvas import Canvas

FILE = "features/pipelines/ring/three_stage_ring.csv"
TILES, STAGES = 7, 3
EVENTS = (("released", "plain", "released"), ("issued", "memory", "copy issued"), ("taken", "gpu", "taken for use"))
LEGEND = (("memory", "in flight or full"), ("gpu", "in use"), ("plain", "free"))


def draw(c: Canvas) -> None:
    steps = sorted(
        (int(c.cell(FILE, f"~{event}", "{:.0f}", tile=tile)), order, tile)
        for tile in range(TILES)
        for order, (event, _, _) in enumerate(EVENTS)
    )
    row, width = 19, 54
    c.size(352, 66 + row * len(steps))
    for stage in range(STAGES):
        c.text(30 + (stage + 0.5) * width, 12, f"buffer {stage}", 11)
    ring = [("", "plain")] * STAGES
    for number, (_, order, tile) in enumerate(steps):
        _, kind, words = EVENTS[order]
        ring[tile % STAGES] = ("" if kind == "plain" else str(tile), kind)
        y = 24 + row * number
        c.text(22, y + row / 2, str(number + 1), 11, "end", "muted")
        c.cells(30, y, width, row, [label for label, _ in ring], [kind for _, kind in ring])
        c.text(44 + STAGES * width, y + row / 2, f"tile {tile}: {words}", 12, "start")
    x, y = 10.0, 38 + row * len(steps)
    for kind, words in LEGEND:
        c.box(x, y, 14, 14, kind=kind)
        c.text(x + 20, y + 7, words, 12, "start")
        x += 34 + 6.6 * len(words)
