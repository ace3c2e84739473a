"""The two counters of a barrier with count 1, after each step of bytes_complete_the_phase."""

from lockstep_sphinx.drawings.canvas import Canvas

PROGRAM = "bytes_complete_the_phase"
# The operation, arrivals and bytes that are missing after it, and the label of the program's line about it, if any.
STEPS = (
    ("init(&barrier, 1)", 1, 0, None, "phase 0"),
    ("barrier_expect_tx\n(barrier, 1024)", 1, 1024, "1024 bytes are expected", "phase 0"),
    ("barrier.arrive()", 0, 1024, "and the thread has arrived", "phase 0"),
    ("the copy delivers\nits bytes", 0, 0, "and the bytes have arrived", "phase 0"),
    ("barrier_arrive_tx\n(barrier, 1, 0)", 0, 0, "arrival, 0 bytes", "phase 1"),
    ("barrier_arrive_tx\n(barrier, 1, 1024)", 0, 1024, "arrival, 1024 bytes", "phase 2"),
)
ROW = 42


def _rows(c: Canvas, columns: tuple[float, ...], widths: tuple[float, ...], size: float, last: str) -> None:
    """A row for each step: operation, phase, two counters, and whether the phase was complete."""
    heads = ("step", "phase", "arrivals\nmissing", "bytes\nmissing", last)
    for x, w, head in zip(columns, widths, heads, strict=True):
        c.text(x + w / 2, 16, head, 12, kind="strong")
    for i, (words, arrivals, left, label, phase) in enumerate(STEPS):
        y = 36 + ROW * i
        c.text(columns[0], y + ROW / 2, words, size, "start", "code" if "(" in words else "plain")
        c.text(columns[1] + widths[1] / 2, y + ROW / 2, phase, size)
        for column, missing in ((2, arrivals), (3, left)):
            c.box(columns[column], y + 5, widths[column], ROW - 10, str(missing), "warn" if missing else "plain")
        answer = "no" if label is None else c.measured(PROGRAM, label)
        complete = answer == "complete"
        c.box(columns[4], y + 5, widths[4], ROW - 10, "yes" if complete else "no", "gpu" if complete else "ghost")


def draw(c: Canvas) -> None:
    c.size(720, 36 + ROW * len(STEPS))
    _rows(c, (4, 222, 310, 430, 550), (200, 70, 100, 100, 130), 13, "phase complete?")


def draw_narrow(c: Canvas) -> None:
    c.size(350, 36 + ROW * len(STEPS))
    _rows(c, (2, 142, 192, 245, 302), (132, 46, 48, 52, 46), 11, "done?")
