"""Draws measured series as a small SVG: lines over numbers, bars over words.

Own code rather than matplotlib: a chart is a tenth of the size, draws in a millisecond rather than
after an import of a second, follows the theme through classes, and is the same on every machine.
"""

import math
from dataclasses import dataclass, field

from lockstep_sphinx.drawings import shapes
from lockstep_sphinx.drawings.shapes import Group, Path, Rectangle, Shape, Words

WIDTH, HEIGHT = 700, 360
NARROW = 328  # the width of a drawing for a phone
CHARACTER = 6.7  # mean width of a character of a tick's label, in pixels
MARKS = ("circle", "square", "triangle", "diamond", "cross", "plus")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 4 1 4")
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True)
class Line:
    """One series: its name and its points; x is a number or a word."""

    name: str
    points: list[tuple[float | str, float]]


@dataclass(frozen=True)
class Rung:
    """One bar of a ladder, in percent of the peak; `other` is what the vendor's library reached, or 0."""

    name: str
    percent: float
    low: float
    high: float
    other: float
    note: str


@dataclass(frozen=True)
class Axis:
    """A scale from data to pixels."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False
    ticks: list[tuple[float, str]] = field(default_factory=list)

    def at(self, value: float) -> float:
        if self.log:
            part = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            part = (value - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def spaced(self) -> list[tuple[float, str]]:
        """The ticks, or every second, third, … of them, so that their labels do not touch side by side."""
        widest = max((len(label) for _, label in self.ticks), default=0) * CHARACTER + 6
        for step in range(1, len(self.ticks) + 1):
            kept = self.ticks[::step]
            places = [self.at(value) for value, _ in kept]
            if all(b - a >= widest for a, b in zip(places, places[1:], strict=False)):
                return kept
        return self.ticks[:1]


def number(value: float) -> str:
    """A tick's label, short and without an exponent."""
    for limit, suffix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= limit:
            scale = 1e3 if suffix == "k" else limit
            return f"{value / scale:.3g} {suffix}"
    return (
        f"{value:.6g}"
        if abs(value) >= 1e-4 or value == 0
        else f"10{str(round(math.log10(value))).translate(_SUPERSCRIPT)}"
    )


def linear(values: list[float], start: float, end: float, zero: bool = True) -> Axis:
    """A linear scale with four to seven round ticks; from zero, unless that would hide the data."""
    low, high = min(values), max(values)
    if zero and low > 0:
        low = 0.0
    if high == low:
        high = low + 1
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next((m for m in (1, 2, 2.5, 5, 10) if (high - low) / (step * m) <= 6), 10)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = [(i * step, number(round(i * step, 10))) for i in range(first, last + 1)]
    return Axis(first * step, last * step, start, end, False, ticks)


def counted(values: list[float], start: float, end: float) -> Axis | None:
    """A scale for a few numbers that follow one another, such as the passes of a run; None for any others."""
    steps = sorted(set(values))
    if (
        not 1 < len(steps) <= 12
        or steps != [steps[0] + i for i in range(len(steps))]
        or not float(steps[0]).is_integer()
    ):
        return None
    return Axis(steps[0], steps[-1], start, end, False, [(step, number(step)) for step in steps])


def logarithmic(values: list[float], start: float, end: float) -> Axis:
    """A logarithmic scale; over powers of two its ticks are powers of two."""
    if min(values) <= 0:
        raise ValueError("a logarithmic axis takes positive numbers only")
    low, high = min(values), max(values)
    if all(math.log2(v).is_integer() for v in values) and high > low:
        exponents = range(int(math.log2(low)), int(math.log2(high)) + 1)
        step = max(1, math.ceil(len(exponents) / 9))
        big = high > 8192 or low < 1
        ticks = [(2.0**e, "2" + str(e).translate(_SUPERSCRIPT) if big else str(2**e)) for e in exponents[::step]]
        return Axis(low, high, start, end, True, ticks)
    bottom, top = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    if top - bottom <= 1:  # one decade has too few powers of ten
        candidates = [m * 10.0**e for e in range(bottom, top + 1) for m in (1, 2, 5)]
        below = max((c for c in candidates if c <= low * 1.0001), default=low)
        above = min((c for c in candidates if c >= high * 0.9999), default=high)
        ticks = [(c, number(c)) for c in candidates if below <= c <= above]
        return Axis(below, above if above > below else below * 10, start, end, True, ticks)
    return Axis(10.0**bottom, 10.0**top, start, end, True, [(10.0**e, number(10.0**e)) for e in range(bottom, top + 1)])


def svg(lines: list[Line], *, title: str, x_label: str, y_label: str, log: str = "", width: int = WIDTH) -> str:
    """The chart. `title` is its text for those who cannot see it."""
    if not lines or not any(line.points for line in lines):
        raise ValueError("no points to draw")
    words = any(isinstance(x, str) for line in lines for x, _ in line.points)
    ys = [y for line in lines for _, y in line.points]
    wide = width >= WIDTH
    legend = _places(lines, 72 if wide else 4, width) if len(lines) > 1 else []
    top = 44 + 18 * legend[-1][1] if legend else 16
    height: float = HEIGHT if wide else top + 250
    bottom = height - 52
    y_axis = logarithmic(ys, bottom, top) if "y" in log else linear(ys, bottom, top)
    left, right = 72.0, width - 18
    if not wide:  # no wider a margin than the labels need
        left, right = 36 + max(len(label) for _, label in y_axis.ticks) * CHARACTER, width - 4
    parts: list[Shape] = _grid(y_axis, left, right)
    if words:
        parts += _bars(lines, y_axis, left, right, bottom)
    else:
        xs = [x for line in lines for x, _ in line.points if not isinstance(x, str)]
        spread = max(xs) > 2 * min(xs) or min(xs) <= 0
        x_axis = (
            logarithmic(xs, left + 14, right - 14)
            if "x" in log
            else counted(xs, left + 14, right - 14) or linear(xs, left + 14, right - 14, zero=spread)
        )
        parts += [_text(x_axis.at(v), bottom + 18, label, 12, "middle") for v, label in x_axis.spaced()]
        parts += [_curve(line, i, x_axis, y_axis) for i, line in enumerate(lines)]
    parts.append(Path("lc-axis", f"M{left:.0f} {bottom}H{right}"))
    parts.append(_text((left + right) / 2 if wide else width / 2, height - 10, x_label, 13, "middle", width))
    size = _fitting(y_label, 13, bottom - top + 40)
    turned = f"translate(15 {(top + bottom) / 2:.0f}) rotate(-90)"
    parts.append(Words("lf-middle lt-plain", y_label, f"{size:g}", turned=turned))
    if legend:
        parts += _legend(lines, legend, words)
    return shapes.svg(parts, title, f"{width}", f"{height}")


def _fitting(text: str, size: float, room: float) -> float:
    """The size, or a smaller one at which the text fits into the room."""
    return max(9, min(size, int(room / max(len(text), 1) / 0.56)))


def _text(x: float, y: float, text: str, size: float, anchor: str, room: float = math.inf) -> Words:
    size = size if room == math.inf else _fitting(text, size, room)
    return Words(f"lf-{anchor} lt-plain", text, f"{size:g}", f"{x:.1f}", f"{y:.1f}")


def _grid(axis: Axis, left: float, right: float) -> list[Shape]:
    rows = [f"M{left:.0f} {axis.at(value):.1f}H{right}" for value, _ in axis.ticks]
    labels = [_text(left - 8, axis.at(value) + 4, label, 12, "end") for value, label in axis.ticks]
    return [Path("lc-grid", "".join(rows)), *labels]


def _curve(line: Line, index: int, x_axis: Axis, y_axis: Axis) -> Group:
    points = [(x_axis.at(x), y_axis.at(y)) for x, y in sorted(line.points) if not isinstance(x, str)]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    marks = "".join(_mark(index, x, y) for x, y in points) if len(points) <= 40 else ""
    return _in_color(index, Path("lc-line", path, DASHES[index % len(DASHES)]), Path("lc-mark", marks or "M0 0"))


def _in_color(index: int, *parts: Shape) -> Group:
    """Shapes in the color of a series."""
    return Group(f"lc-{index % 6 + 1}", parts)


def _mark(index: int, x: float, y: float) -> str:
    """A marker as a piece of path, so that a series is one node."""
    match MARKS[index % len(MARKS)]:
        case "circle":
            return f"M{x - 3.5:.1f} {y:.1f}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z"
        case "square":
            return f"M{x - 3.2:.1f} {y - 3.2:.1f}h6.4v6.4h-6.4z"
        case "triangle":
            return f"M{x:.1f} {y - 4.2:.1f}l4 7h-8z"
        case "diamond":
            return f"M{x:.1f} {y - 4.6:.1f}l4.6 4.6l-4.6 4.6l-4.6-4.6z"
        case "cross":
            return f"M{x - 3.5:.1f} {y - 3.5:.1f}l7 7m0-7l-7 7"
    return f"M{x - 4:.1f} {y:.1f}h8m-4-4v8"


def _bars(lines: list[Line], y_axis: Axis, left: float, right: float, bottom: float) -> list[Shape]:
    names = list(dict.fromkeys(str(x) for line in lines for x, _ in line.points))
    room = (right - left) / len(names)
    width = min(56, room * 0.8 / len(lines))
    parts: list[Shape] = []
    for i, name in enumerate(names):
        middle = left + (i + 0.5) * room
        parts.append(_text(middle, bottom + 18, name, 12, "middle", room))
        for j, line in enumerate(lines):
            for y in (y for x, y in line.points if str(x) == name):
                x, top = middle + (j - len(lines) / 2) * width, y_axis.at(y)
                height = max(bottom - top, 0.5)
                parts.append(_in_color(j, _bar(f"{x + 1:.1f}", f"{top:.1f}", f"{width - 2:.1f}", f"{height:.1f}")))
                if width >= 26:
                    label = f"{y:.3g}" if abs(y) < 1000 else number(y)
                    parts.append(_text(x + width / 2, top - 4, label, 10, "middle"))
    return parts


def _bar(x: str, y: str, width: str, height: str) -> Rectangle:
    return Rectangle("lc-bar", x, y, width, height)


def _places(lines: list[Line], left: float, end: float) -> list[tuple[float, int]]:
    """Where each name of the legend begins, and in which row."""
    places, x, row = [], left, 0
    for line in lines:
        width = 54 + len(line.name) * 6.8
        if x > left and x + width > end:
            x, row = left, row + 1
        places.append((x, row))
        x += width
    return places


def _legend(lines: list[Line], places: list[tuple[float, int]], bars: bool) -> list[Shape]:
    parts: list[Shape] = []
    for i, (line, (x, row)) in enumerate(zip(lines, places, strict=True)):
        y = 17 + 18 * row
        if bars:
            sample = _in_color(i, _bar(f"{x:.0f}", f"{y - 5}", "22", "10"))
        else:
            stroke = Path("lc-line", f"M{x:.0f} {y}h26", DASHES[i % len(DASHES)])
            sample = _in_color(i, stroke, Path("lc-mark", _mark(i, x + 13, y)))
        parts += [sample, _text(x + 32, y + 4, line.name, 12, "start")]
    return parts


def ladder(rungs: list[Rung], *, title: str, label: str, vendor: str = "", width: int = WIDTH) -> str:
    """A horizontal bar for each rung, with its spread, and a mark for the vendor's library beside it."""
    if not rungs:
        raise ValueError("no rungs to draw")
    if width >= WIDTH:  # the words stand beside the bars, else above them
        left, row, above = 24 + max(len(rung.name) for rung in rungs) * 7.2, 34, 0
        right = width - 22 - max(len(rung.note) for rung in rungs) * 6.4
    else:
        left, row, above, right = 4, 52, 20, width - 12
    top = 40 if vendor else 16
    bottom = top + row * len(rungs)
    axis = linear([0.0, 100.0, *(max(rung.high, rung.other) for rung in rungs)], left, right)
    columns = [f"M{axis.at(value):.1f} {top}V{bottom}" for value, _ in axis.ticks]
    parts: list[Shape] = [Path("lc-grid", "".join(columns))]
    parts += [_text(axis.at(value), bottom + 18, name, 12, "middle") for value, name in axis.spaced()]
    for i, rung in enumerate(rungs):
        y = top + row * i + above
        end = axis.at(rung.percent)
        parts.append(_in_color(0, _bar(f"{left:.1f}", f"{y + 6}", f"{end - left:.1f}", "22")))
        low, high = axis.at(rung.low), axis.at(rung.high)
        spread = f"M{low:.1f} {y + 17}H{high:.1f}M{low:.1f} {y + 12}v10M{high:.1f} {y + 12}v10"
        parts.append(Path("lc-axis", spread))
        if above:
            parts.append(_text(left, y, rung.name, 13, "start"))
            parts.append(_text(width - 4, y, rung.note, 12, "end"))
        else:
            mark = max(end, high, axis.at(rung.other) + 5 if rung.other else 0) + 6
            parts.append(_text(left - 8, y + 21, rung.name, 13, "end"))
            parts.append(_text(mark, y + 21, rung.note, 12, "start"))
        if rung.other:
            parts.append(_in_color(1, Path("lc-mark", _mark(3, axis.at(rung.other), y + 17))))
    parts.append(Path("lc-axis", f"M{left:.1f} {top}V{bottom}"))
    parts.append(_text(width / 2 if above else (left + right) / 2, bottom + 40, label, 13, "middle", width))
    if vendor:
        parts.append(_in_color(1, Path("lc-mark", _mark(3, left + 13, 17))))
        parts.append(_text(left + 26, 21, f"{vendor}, same run", 12, "start"))
    return shapes.svg(parts, title, f"{width}", f"{bottom + 52}")
