"""When two kernels are loaded: at their first launches (lazy), or all at the start of the program (eager)."""

from lockstep_sphinx.drawings.canvas import Canvas

# Beginning and end as shares of the time axis, kind, words.
LAZY = (
    (0.00, 0.20, "plain", "start"),
    (0.22, 0.36, "accent", "load A"),
    (0.36, 0.44, "gpu", "A"),
    (0.46, 0.54, "gpu", "A"),
    (0.56, 0.70, "accent", "load B"),
    (0.70, 0.78, "gpu", "B"),
    (0.80, 0.88, "gpu", "A"),
)
EAGER = (
    (0.00, 0.20, "plain", "start"),
    (0.20, 0.50, "accent", "load all kernels"),
    (0.52, 0.60, "gpu", "A"),
    (0.62, 0.70, "gpu", "A"),
    (0.72, 0.80, "gpu", "B"),
    (0.82, 0.90, "gpu", "A"),
)


def _draw(c: Canvas, left: float, right: float, size: float, narrow: bool) -> None:
    for top, name, bars in ((8, "lazy", LAZY), (56, "eager", EAGER)):
        c.text(left - 8, top + 18, name, 13, "end", "strong")
        for begin, end, kind, words in bars:
            x, width = left + begin * (right - left), (end - begin) * (right - left)
            c.box(x, top, width, 36, "", kind)
            shown = words.replace(" ", "\n", 1) if narrow else words
            c.text(x + width / 2, top + 18, shown, size)
    c.arrow(left, 106, right, 106)
    c.text(left - 8, 106, "time", 12, "end", "muted")


def draw(c: Canvas) -> None:
    c.size(720, 118)
    _draw(c, 60, 712, 13, narrow=False)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 118)
    _draw(c, 48, 346, 11, narrow=True)
