"""`.. timeline::` - what ran on the GPU when, drawn from a recorded series."""

from docutils.parsers.rst import directives

from lockstep.series import Row
from lockstep_sphinx.canvas import Canvas
from lockstep_sphinx.chart import Chart, ChartError

COLUMNS = ["row", "kind", "name", "~start_us", "~end_us"]

LABEL_WIDTH = 92
ROW_HEIGHT = 30
BAR_HEIGHT = 22
WIDTH = 720
CHARACTER = 6.6  # width of a label's character, in pixels

# Kinds of box (canvas.py) by what a row of the series says.
_COPIES = {"host to device": "memory", "device to host": "accent"}
_KERNELS = ("gpu", "cpu", "warn", "plain")


def _kind(row: Row, kernels: list[str]) -> str:
    if row["kind"] == "kernel":
        return _KERNELS[kernels.index(row["name"]) % len(_KERNELS)]
    return {"copy": _COPIES.get(row["name"], "muted"), "set": "muted", "api": "ghost"}[row["kind"]]


def tick_step(span: float) -> float:
    """A round distance that divides `span` into four to nine parts."""
    step = 1e-3
    while True:
        for factor in (1, 2, 5):
            if span / (step * factor) <= 8:
                return step * factor
        step *= 10


def draw(canvas, rows: list[Row]) -> None:
    """Draws one line a stream (and one for the host), a bar for each thing that ran, and a time axis.

    `rows` are those of a series written by the timeline library: row, kind, name, ~start_us, ~end_us.
    """
    lanes = list(dict.fromkeys(row["row"] for row in rows))
    kernels = list(dict.fromkeys(row["name"] for row in rows if row["kind"] == "kernel"))
    begin = min(float(row["~start_us"]) for row in rows)
    end = max(float(row["~end_us"]) for row in rows)
    unit, name = (1e3, "ms") if end - begin >= 2000 else (1, "µs")
    scale = (WIDTH - LABEL_WIDTH - 16) / (end - begin)
    legend = list(dict.fromkeys((_kind(row, kernels), row["name"]) for row in rows if row["kind"] != "api"))
    bottom = len(lanes) * ROW_HEIGHT + 8
    canvas.size(WIDTH, bottom + 28 + 24)

    step = tick_step((end - begin) / unit)
    tick = 0.0
    while tick * unit <= end - begin:
        x = LABEL_WIDTH + tick * unit * scale
        canvas.line(x, 4, x, bottom, dashed=True)
        canvas.text(x, bottom + 16, f"{tick:g}" + (f" {name}" if tick == 0 else ""), size=12, kind="muted")
        tick += step
    for number, lane in enumerate(lanes):
        y = number * ROW_HEIGHT + 8
        canvas.text(LABEL_WIDTH - 10, y + 16, lane, size=13, anchor="end")
        for row in rows:
            if row["row"] != lane:
                continue
            left = LABEL_WIDTH + (float(row["~start_us"]) - begin) * scale
            width = max((float(row["~end_us"]) - float(row["~start_us"])) * scale, 1.5)
            label = row["name"] if len(row["name"]) * CHARACTER < width - 6 else ""
            canvas.box(left, y, width, BAR_HEIGHT, label, kind=_kind(row, kernels))
    x = LABEL_WIDTH
    for kind, label in legend:
        canvas.box(x, bottom + 30, 14, 12, kind=kind)
        canvas.text(x + 20, bottom + 41, label, size=12, anchor="start")
        x += 36 + len(label) * 7


class Timeline(Chart):
    """Draws a file that the timeline library wrote."""

    needed = ("alt",)
    option_spec = {"alt": directives.unchanged_required}

    def svg(self, rows: list[Row], title: str) -> str:
        if not rows or list(rows[0]) != COLUMNS:
            raise ChartError(f"this is no timeline; its columns are {', '.join(COLUMNS)}")
        canvas = Canvas()
        draw(canvas, rows)
        return canvas.svg("head-timeline", title)


def setup(app):
    app.add_directive("timeline", Timeline)
