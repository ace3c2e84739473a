"""The canvas that figures are drawn on: simple shapes that become a small SVG.

Colors are classes that lockstep.css maps to the theme, so a figure has none of its own.
"""

from collections.abc import Iterable, Sequence

from lockstep.checks import typed_numbers
from lockstep.recordings import numbers
from lockstep.recordings.claims import FORMAT, Recordings
from lockstep_sphinx.drawings import shapes
from lockstep_sphinx.drawings.shapes import Rectangle, Shape, Stroke, Words

KINDS = ("plain", "cpu", "gpu", "memory", "accent", "warn", "muted", "ghost")
TEXT_KINDS = ("plain", "muted", "strong", "code")
ANCHORS = ("start", "middle", "end")
MAX_WIDTH = 720
LINE_HEIGHT = 1.3
SLACK = 8  # pixels: words are measured by their number of characters
CHARACTER = {"plain": 0.55, "muted": 0.55, "strong": 0.58, "code": 0.6}  # mean width, in font sizes


Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, width, height


class CanvasError(ValueError):
    """A figure that cannot be drawn as asked; the text says what to change."""


def _n(value: float) -> str:
    """A coordinate, as short as it can be."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _one_of(what: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise CanvasError(f"no {what} {value!r}; there are {', '.join(allowed)}")
    return value


class Canvas:
    """What a figure's `draw(c)` draws on; origin at the top left, units are pixels.

    A number of speed in its words comes from `measured` or `cell`; indices, sizes and counts are the figure's own.
    """

    def __init__(self, max_width: float = MAX_WIDTH, recordings: Recordings | None = None) -> None:
        self.width = self.height = 0.0
        self._recordings = recordings
        self._sourced: set[str] = set()
        self._max_width = max_width
        self._shapes: list[Shape] = []
        self._heads = False

    def size(self, width: float, height: float) -> None:
        """Sets the size of the figure; call it first."""
        if not 0 < width <= self._max_width or height <= 0:
            raise CanvasError(f"this figure is at most {self._max_width} wide, and not empty")
        self.width, self.height = width, height

    def measured(self, program: str, label: str, command: str | None = None) -> str:
        """What a program printed after a label, with its unit; see the role `measured`."""
        return self._from_source(numbers.bare(self._recorded().printed(program, label, command)))

    def lines(self, program: str, option: str) -> list[str]:
        """What a program printed in the recorded runs whose command has this option."""
        runs = self._recorded().transcript(program).commands
        return [line for run in runs if option in run.text.split() for line in run.output]

    def cell(self, file: str, column: str, form: str, **where: object) -> str:
        """The one number of a recorded data file that `where` picks, in the form `{:.0f} ns`."""
        if not FORMAT.holds(form):
            raise CanvasError(f"the form is {form!r}; expected {FORMAT.expected}")
        return self._from_source(form.format(self._recorded().cell(file, column, **where)))

    def _recorded(self) -> Recordings:
        if self._recordings is None:
            raise CanvasError("this canvas has no recordings")
        return self._recordings

    def _from_source(self, text: str) -> str:
        self._sourced.add(text)
        return text

    def _check_numbers(self, text: str) -> None:
        """Refuses numbers of speed that the figure's author typed."""
        for known in sorted(self._sourced, key=len, reverse=True):
            text = text.replace(known, "\0")
        if self._recordings is not None and (found := typed_numbers.typed(" ".join(text.split()))):
            raise CanvasError(
                f'the figure types "{found[0]}"; draw what c.measured(program, label) or c.cell(file, column, form) gives'
            )

    def box(self, x: float, y: float, w: float, h: float, text: str = "", kind: str = "plain") -> None:
        """A rounded rectangle with centered text, which may hold line breaks."""
        self._rectangle(x, y, w, h, kind, 5)
        if text:
            self._words(x + w / 2, y + h / 2, text, 14, "middle", "plain", room=w - 6)

    def text(
        self, x: float, y: float, text: str, size: float = 14, anchor: str = "middle", kind: str = "plain"
    ) -> None:
        """Text whose middle line is at y."""
        self._words(x, y, text, size, _one_of("anchor", anchor, ANCHORS), _one_of("kind", kind, TEXT_KINDS))

    def arrow(self, x1: float, y1: float, x2: float, y2: float, text: str = "", dashed: bool = False) -> None:
        """An arrow to (x2, y2), with text beside its middle."""
        self._heads = True
        self._stroke(x1, y1, x2, y2, dashed, head=True)
        if text:
            across = abs(x2 - x1) >= abs(y2 - y1)
            x, y = (x1 + x2) / 2, (y1 + y2) / 2
            if across:
                self._words(x, y - 9, text, 12, "middle", "muted")
            else:
                self._words(x + 7, y, text, 12, "start", "muted")

    def line(self, x1: float, y1: float, x2: float, y2: float, dashed: bool = False) -> None:
        """A line without a head."""
        self._stroke(x1, y1, x2, y2, dashed, head=False)

    def cells(
        self, x: float, y: float, w: float, h: float, labels: Iterable[object], kinds: str | Sequence[str] | None = None
    ) -> None:
        """A row of touching cells of one size; `kinds` is one kind, or one for each."""
        words = [str(label) for label in labels]
        kinds = [kinds or "plain"] * len(words) if kinds is None or isinstance(kinds, str) else list(kinds)
        if len(kinds) != len(words):
            raise CanvasError(f"{len(words)} cells but {len(kinds)} kinds")
        size = min(14, h * 0.55, min((w / (0.62 * max(len(label), 1)) for label in words), default=14))
        for i, (label, kind) in enumerate(zip(words, kinds, strict=True)):
            self._rectangle(x + i * w, y, w, h, kind, 0)
            if label:
                self._words(x + (i + 0.5) * w, y + h / 2, label, size, "middle", "code")

    def svg(self, marker: str, title: str) -> str:
        """The drawing; `marker` is a name for its arrow heads that is unique on the page."""
        if not self.width:
            raise CanvasError("the figure has no size; call c.size(width, height) first")
        return shapes.svg(self._shapes, title, _n(self.width), _n(self.height), marker if self._heads else "")

    def _rectangle(self, x: float, y: float, w: float, h: float, kind: str, radius: float) -> None:
        _one_of("kind", kind, KINDS)
        if x < 0 or y < 0 or x + w > self.width + 0.5 or y + h > self.height + 0.5:
            raise CanvasError(f"the box at ({x}, {y}), {w} by {h}, leaves the figure of {self.width} by {self.height}")
        rounded = _n(radius) if radius else ""
        self._shapes.append(Rectangle(f"lf-{kind}", _n(x), _n(y), _n(w), _n(h), rounded))

    def _stroke(self, x1: float, y1: float, x2: float, y2: float, dashed: bool, *, head: bool) -> None:
        self._shapes.append(Stroke("lf-line", _n(x1), _n(y1), _n(x2), _n(y2), dashed, head))

    def _words(
        self, x: float, y: float, text: str, size: float, anchor: str, kind: str, room: float | None = None
    ) -> None:
        self._check_numbers(text)
        lines = text.split("\n")
        if room:  # text that would leave its box is set smaller
            longest = max(map(len, lines)) * CHARACTER[kind]
            size = max(9, min(size, room / longest)) if longest else size
        length = max(map(len, lines)) * size * CHARACTER[kind] * 0.9
        begin = x - {"start": 0, "middle": length / 2, "end": length}[anchor]
        if begin < -SLACK or begin + length > self.width + SLACK or not 0 <= y <= self.height:
            raise CanvasError(f"the text {text!r} at ({x}, {y}) leaves the figure of {self.width} by {self.height}")
        top = y - (len(lines) - 1) * size * LINE_HEIGHT / 2
        for i, line in enumerate(lines):
            place = top + i * size * LINE_HEIGHT
            self._shapes.append(Words(f"lf-{anchor} lt-{kind}", line, _n(size), _n(x), _n(place + size * 0.35)))
