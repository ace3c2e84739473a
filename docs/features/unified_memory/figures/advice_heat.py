"""What each advice changed: the recorded time of each step, in a color that the recorded counts decide."""

from lockstep_sphinx.drawings.canvas import Canvas

DATA = "advice_counted.csv"
ADVICE = (
    "none",
    "unset again",
    "prefer GPU",
    "GPU and mapped",
    "read mostly",
    "prefer CPU",
    "accessed by GPU",
    "CPU and mapped",
)
STEPS = ("GPU 1", "GPU 2", "CPU reads", "GPU 3", "CPU writes", "GPU 4")
LEGEND = (("pages moved", "warn"), ("faults, no move", "memory"), ("neither", "plain"))


def count(c: Canvas, advice: str, step: str, *columns: str) -> float:
    """The sum of some recorded counts of a step."""
    return sum(float(c.cell(DATA, column, "{:.0f}", advice=advice, step=step)) for column in columns)


def kind(c: Canvas, advice: str, step: str) -> str:
    """The color of a step: whether pages moved, or faults happened without a move."""
    if count(c, advice, step, "~to_gpu_mib", "~to_cpu_mib") >= 1:
        return "warn"
    return "memory" if count(c, advice, step, "~gpu_faults", "~cpu_faults") >= 1 else "plain"


def row(c: Canvas, x: float, y: float, w: float, h: float, advice: str) -> None:
    """The steps under one advice."""
    times = [c.cell(DATA, "~us", "{:,.0f}", advice=advice, step=step) for step in STEPS]
    c.cells(x, y, w, h, times, [kind(c, advice, step) for step in STEPS])


def legend(c: Canvas, x: float, y: float, step: float) -> None:
    for i, (words, color) in enumerate(LEGEND):
        c.box(x + step * i, y - 8, 18, 16, kind=color)
        c.text(x + step * i + 24, y, words, 12, "start", "muted")


def draw(c: Canvas) -> None:
    c.size(720, 316)
    left, w, h = 150, 92, 28
    c.text(10, 18, "time in µs", 13, "start", "muted")
    for i, step in enumerate(STEPS):
        c.text(left + w * (i + 0.5), 18, step, 13, kind="strong")
    for i, advice in enumerate(ADVICE):
        c.text(10, 46 + 30 * i, advice, 13, "start")
        row(c, left, 32 + 30 * i, w, h, advice)
    legend(c, left, 296, 170)


def draw_narrow(c: Canvas) -> None:
    c.size(344, 470)
    w = 56
    c.text(4, 12, "time in µs", 12, "start", "muted")
    for i, step in enumerate(STEPS):
        c.text(4 + w * (i + 0.5), 34, step.replace(" ", "\n"), 11, kind="strong")
    for i, advice in enumerate(ADVICE):
        c.text(4, 62 + 48 * i, advice, 12, "start")
        row(c, 4, 71 + 48 * i, w, 24, advice)
    legend(c, 4, 456, 116)
