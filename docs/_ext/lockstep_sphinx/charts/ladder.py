"""`.. ladder::` - the rungs of a ladder in one plot, with their data."""

from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from lockstep.recordings.series import Row
from lockstep_sphinx.charts import chart, plot
from lockstep_sphinx.charts.chart import ChartError, label_of

SUFFIX = "percent_of_"
NAMES = {"cublas": "cuBLAS", "cub": "CUB", "memcpy": "cudaMemcpyAsync", "reading": "reading alone", "copy": "a copy"}
UNITS = {"~gb_per_s": "GB/s", "~tflop_per_s": "TFLOP/s"}  # of the column with the rate
TIMES = ("~us", "~low_us", "~high_us")


def rate_column(row: Row) -> str:
    """The column with the rate."""
    found = next((name for name in UNITS if name in row), "")
    if not found:
        raise ChartError(f"no column with a rate; it is one of {', '.join(UNITS)}")
    return found


def rungs(rows: list[dict[str, str]], peak: str, vendor: str) -> list[plot.Rung]:
    """What the plot shows of each row; the names of peak and vendor are those of columns."""
    needed = ("rung", *TIMES, f"~{SUFFIX}{peak}", *([f"~{SUFFIX}{vendor}"] if vendor else []))
    for column in needed:
        if column not in rows[0]:
            raise ChartError(f"no column {column}; there are {', '.join(rows[0])}")
    rate = rate_column(rows[0])
    found = []
    for row in rows:
        try:
            median, low, high = (float(row[name]) for name in TIMES)
            percent = float(row[f"~{SUFFIX}{peak}"])
            other = percent / float(row[f"~{SUFFIX}{vendor}"]) * 100 if vendor else 0
            time = f"{median / 1000:.3g} ms" if median >= 1000 else f"{median:.3g} µs"
            note = f"{float(row[rate]):.4g} {UNITS[rate]}, {time}"
        except (TypeError, ValueError) as error:
            raise ChartError(f"the row of {row['rung']} holds something that is no number") from error
        found.append(plot.Rung(row["rung"], percent, percent * median / high, percent * median / low, other, note))
    return found


class Ladder(chart.Chart):
    """Draws one row of each of several data files as a bar: percent of a peak that was measured in the same run."""

    final_argument_whitespace = True
    needed = ("peak", "alt")
    option_spec = {
        "peak": directives.unchanged_required,
        "vendor": directives.unchanged_required,
        "alt": directives.unchanged_required,
    }

    def svg(self, rows: list[Row], title: str, width: int) -> str:
        peak, vendor = self.options["peak"], self.options.get("vendor", "")
        bars = rungs(rows, peak, vendor)
        heights = ", ".join(f"{bar.name} {bar.percent:.0f}" for bar in bars)  # what a reader who hears it needs
        return plot.ladder(
            bars,
            title=f"{title} {heights}.",
            label=self._label(),
            vendor=NAMES.get(vendor, label_of(vendor)),
            width=width,
        )

    def compared(self) -> dict[str, str]:
        return {"kind": "ladder", "y": f"~{SUFFIX}{self.options['peak']}", "xlabel": self._label()}

    def _label(self) -> str:
        peak = self.options["peak"]
        return f"percent of {NAMES.get(peak, label_of(peak))}, same run"


def setup(app: Sphinx) -> None:
    app.add_directive("ladder", Ladder)
