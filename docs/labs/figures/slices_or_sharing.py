"""Two processes on one GPU: in turns, each with the GPU for itself, or together, as clients of one server."""

from lockstep_sphinx.drawings.canvas import Canvas

TURNS = (("A", "gpu"), ("B", "cpu"), ("A", "gpu"), ("B", "cpu"))


def picture(c: Canvas, left: float, width: float, top: float) -> None:
    """Above the turns, below them the same work side by side; the height of a box is its share of the SMs."""
    turn, gap, height = (width - 36) / 4, 12.0, 84.0
    c.text(left, top, "without the service: time slices", 13, "start", "strong")
    for number, (name, kind) in enumerate(TURNS):
        x = left + number * (turn + gap)
        c.box(x, top + 14, turn, height, "", "ghost")
        c.box(x, top + 14 + height - 28, turn, 28, name, kind)
    c.text(left, top + height + 30, "most SMs idle, and each change of process takes time", 12, "start", "muted")
    below = top + height + 62
    c.text(left, below, "clients of one server: together", 13, "start", "strong")
    half = 2 * turn + gap
    c.box(left, below + 14, half, height, "", "ghost")
    c.box(left, below + 14 + height - 56, half, 28, "B", "cpu")
    c.box(left, below + 14 + height - 28, half, 28, "A", "gpu")
    c.text(left, below + height + 30, "both run at the same moment, on different SMs", 12, "start", "muted")
    c.arrow(left, below + height + 50, left + width, below + height + 50)
    c.text(left + width, below + height + 64, "time", 12, "end", "muted")


def draw(c: Canvas) -> None:
    c.size(640, 316)
    picture(c, 10, 620, 14)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 316)
    picture(c, 8, 334, 14)
