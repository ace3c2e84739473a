"""The ring of three buffers after each event of the recorded run: one row for each event."""

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "features/pipelines/ring/three_stage_ring.csv"
TILES, STAGES = 7, 3
EVENTS = (("released", "plain", "released"), ("issued", "memory", "copy issued"), ("taken", "gpu", "taken for use"))
LEGEND = (("memory", "in flight or full"), ("gpu", "in use"), ("plain", "free"))


def states(c: Canvas) -> list[tuple[str, int, list[tuple[str, str]]]]:
    """Each event of the run in the order of time, with its tile and what it leaves in the buffers: tile and kind."""
    moments = sorted(
        (int(c.cell(FILE, f"~{event}", "{:.0f}", tile=tile)), order, tile)
        for tile in range(TILES)
        for order, (event, _, _) in enumerate(EVENTS)
    )
    ring = [("", "plain")] * STAGES
    found = []
    for _, order, tile in moments:
        event, kind, _ = EVENTS[order]
        ring[tile % STAGES] = ("" if kind == "plain" else str(tile), kind)
        found.append((event, tile, list(ring)))
    return found


def buffers(c: Canvas, width: float) -> None:
    for stage in range(STAGES):
        c.text(30 + (stage + 0.5) * width, 12, f"buffer {stage}", 11)


def legend(c: Canvas, y: float) -> None:
    x = 10.0
    for kind, words in LEGEND:
        c.box(x, y, 14, 14, kind=kind)
        c.text(x + 20, y + 7, words, 12, "start")
        x += 34 + 6.6 * len(words)


def draw(c: Canvas) -> None:
    steps = states(c)
    said = {event: words for event, _, words in EVENTS}
    row, width = 19, 54
    c.size(352, 66 + row * len(steps))
    buffers(c, width)
    for number, (event, tile, ring) in enumerate(steps):
        y = 24 + row * number
        c.text(22, y + row / 2, str(number + 1), 11, "end", "muted")
        c.cells(30, y, width, row, [label for label, _ in ring], [kind for _, kind in ring])
        c.text(44 + STAGES * width, y + row / 2, f"tile {tile}: {said[event]}", 12, "start")
    legend(c, 38 + row * len(steps))
