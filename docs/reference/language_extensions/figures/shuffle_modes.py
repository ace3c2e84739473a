"""The four shuffles over a section of eight lanes: who reads from whom."""

from collections.abc import Callable

from lockstep_sphinx.drawings.canvas import Canvas

# The call, and the lane that each lane reads.
MODES: tuple[tuple[str, Callable[[int], int]], ...] = (
    ("__shfl_sync(mask, v, 2, 8)", lambda lane: 2),
    ("__shfl_up_sync(mask, v, 3, 8)", lambda lane: lane - 3 if lane >= 3 else lane),
    ("__shfl_down_sync(mask, v, 3, 8)", lambda lane: lane + 3 if lane < 5 else lane),
    ("__shfl_xor_sync(mask, v, 1, 8)", lambda lane: lane ^ 1),
)
CELL, ROW, GAP, LEFT = 35, 28, 58, 60


def mode(c: Canvas, x: float, y: float, call: str, source: Callable[[int], int]) -> None:
    """One call: the lanes above, what they receive below, and an arrow from each source."""
    top, bottom = y + 20, y + 20 + ROW + GAP
    sources = [source(lane) for lane in range(8)]
    without = [call.startswith(("__shfl_up", "__shfl_down")) and sources[lane] == lane for lane in range(8)]
    c.text(x + LEFT, y + 6, call, 13, "start", "code")
    c.text(x + LEFT - 6, top + ROW / 2, "lane", 12, "end", "muted")
    c.text(x + LEFT - 6, bottom + ROW / 2, "receives", 12, "end", "muted")
    c.cells(x + LEFT, top, CELL, ROW, range(8), ["gpu" if lane in sources else "plain" for lane in range(8)])
    c.cells(x + LEFT, bottom, CELL, ROW, sources, ["ghost" if none else "accent" for none in without])
    for lane, read in enumerate(sources):
        begin, end = (x + LEFT + (i + 0.5) * CELL for i in (read, lane))
        c.arrow(begin, top + ROW + 2, end, bottom - 2, dashed=without[lane])


def draw(c: Canvas) -> None:
    c.size(712, 318)
    for i, (call, source) in enumerate(MODES):
        mode(c, i % 2 * 366, 4 + i // 2 * 168, call, source)


def draw_narrow(c: Canvas) -> None:
    c.size(348, 634)
    for i, (call, source) in enumerate(MODES):
        mode(c, 0, 4 + i * 162, call, source)
