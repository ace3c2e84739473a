"""`.. timeline::` - what ran on the GPU when, drawn from a recorded series."""

from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from lockstep.recordings.series import Row
from lockstep_sphinx.charts import plot
from lockstep_sphinx.charts.chart import Chart, ChartError
from lockstep_sphinx.drawings.canvas import Canvas

COLUMNS = ["row", "kind", "name", "~start_us", "~end_us"]

ROW_HEIGHT = 30
BAR_HEIGHT = 22
CHARACTER = 6.6  # width of a label's character, in pixels

# Kinds of box (canvas.py) by what a row of the series says.
_COPIES = {"host to device": "memory", "device to host": "accent"}
_IN_TURN = {"kernel": ("gpu", "cpu", "warn", "plain"), "range": ("warn", "plain", "ghost")}  # one for each name


def _kind(row: Row, names: dict[str, list[str]]) -> str:
    if kinds := _IN_TURN.get(row["kind"]):
        return kinds[names[row["kind"]].index(row["name"]) % len(kinds)]
    return {"copy": _COPIES.get(row["name"], "muted"), "set": "muted", "api": "ghost"}[row["kind"]]


def tick_step(span: float, most: int = 8) -> float:
    """A round distance that divides `span` into at most so many parts, and at least about half as many."""
    step = 1e-3
    while True:
        for factor in (1, 2, 5):
            if span / (step * factor) <= most:
                return step * factor
        step *= 10


def draw(canvas: Canvas, rows: list[Row], width: int) -> None:
    """Draws one line a stream (one for the host, one for NVTX ranges), a bar for each thing, and a time axis.

    `rows` are those of a series written by the timeline library: row, kind, name, ~start_us, ~end_us.
    """
    lanes = list(dict.fromkeys(row["row"] for row in rows))
    names = {kind: list(dict.fromkeys(row["name"] for row in rows if row["kind"] == kind)) for kind in _IN_TURN}
    begin = min(float(row["~start_us"]) for row in rows)
    end = max(float(row["~end_us"]) for row in rows)
    unit, name = (1e3, "ms") if end - begin >= 2000 else (1, "µs")
    wide = width >= plot.WIDTH
    left = 92 if wide else 16 + max(map(len, lanes)) * 7.2
    scale = (width - left - 16) / (end - begin)
    legend = []  # x, row, kind and text of each entry
    x = first = left if wide else 4
    row_of_legend = 0
    for kind, label in dict.fromkeys((_kind(row, names), row["name"]) for row in rows if row["kind"] != "api"):
        if x > first and x + 20 + len(label) * 7 > width:
            x, row_of_legend = first, row_of_legend + 1
        legend.append((x, row_of_legend, kind, label))
        x += 36 + len(label) * 7
    bottom = len(lanes) * ROW_HEIGHT + 8
    canvas.size(width, bottom + 28 + 24 + 20 * row_of_legend)

    step = tick_step((end - begin) / unit, most=round(width / 85))
    tick = 0.0
    while tick * unit <= end - begin:
        x = left + tick * unit * scale
        canvas.line(x, 4, x, bottom, dashed=True)
        canvas.text(x, bottom + 16, f"{tick:g}" + (f" {name}" if tick == 0 else ""), size=12, kind="muted")
        tick += step
    for number, lane in enumerate(lanes):
        y = number * ROW_HEIGHT + 8
        canvas.text(left - 10, y + 16, lane, size=13, anchor="end")
        for row in rows:
            if row["row"] != lane:
                continue
            start = left + (float(row["~start_us"]) - begin) * scale
            length = max((float(row["~end_us"]) - float(row["~start_us"])) * scale, 1.5)
            label = row["name"] if len(row["name"]) * CHARACTER < length - 6 else ""
            canvas.box(start, y, length, BAR_HEIGHT, label, kind=_kind(row, names))
    for x, number, kind, label in legend:
        y = bottom + 30 + 20 * number
        canvas.box(x, y, 14, 12, kind=kind)
        canvas.text(x + 20, y + 11, label, size=12, anchor="start")


class Timeline(Chart):
    """Draws a file that the timeline library wrote."""

    needed = ("alt",)
    option_spec = {"alt": directives.unchanged_required}

    def svg(self, rows: list[Row], title: str, width: int) -> str:
        if not rows or list(rows[0]) != COLUMNS:
            raise ChartError(f"this is no timeline; its columns are {', '.join(COLUMNS)}")
        canvas = Canvas()
        draw(canvas, rows, width)
        return canvas.svg("head-timeline", title)

    def compared(self) -> dict[str, str]:
        return {"kind": "timeline"}


def setup(app: Sphinx) -> None:
    app.add_directive("timeline", Timeline)
