"""A barrier with count 3, step by step: which arrivals are missing, and which waits would pass, from the recorded log."""

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "features/asynchronous_barriers/phases/phase_log.csv"
COUNT = 3
STEPS = 7
ROWS = (("parity 0", "even"), ("parity 1", "odd"))


def _step(c: Canvas, entry: int, x: float, y: float, width: float) -> None:
    """One step: its name, the phase, a box for each missing arrival, and the two waits."""
    done, within = divmod(entry, COUNT)
    words = "init" if entry == 0 else f"arrival {(entry - 1) % COUNT + 1}"
    c.text(x + width / 2, y + 8, words, 12, kind="strong")
    c.box(x, y + 20, width, 24, f"phase {done}", "gpu" if done % 2 == 0 else "accent")
    for slot in range(COUNT):
        here = slot < within
        c.box(x + 3, y + 50 + 24 * slot, width - 6, 20, "arrived" if here else "", "memory" if here else "plain")
    for i, (_, column) in enumerate(ROWS):
        passes = c.cell(FILE, column, "{:.0f}", entry=entry) == "1"
        c.box(x, y + 128 + 28 * i, width, 24, "passes" if passes else "blocks", "plain" if passes else "warn")


def draw(c: Canvas) -> None:
    c.size(720, 194)
    for i, (label, _) in enumerate(ROWS):
        c.text(84, 140 + 28 * i, f"wait, {label}", 12, "end", "muted")
    c.text(84, 84, "arrivals", 12, "end", "muted")
    for entry in range(STEPS):
        _step(c, entry, 94 + 89 * entry, 2, 82)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 420)
    for top, entries in ((2, range(4)), (212, range(4, STEPS))):
        for i, (label, _) in enumerate(ROWS):
            c.text(52, top + 140 + 28 * i, label, 12, "end", "muted")
        for column, entry in enumerate(entries):
            _step(c, entry, 58 + 73 * column, top, 68)
