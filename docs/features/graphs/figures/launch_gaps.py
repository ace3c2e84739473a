"""Four short kernels, launched one at a time and as a graph."""

from lockstep_sphinx.drawings.canvas import Canvas

KERNELS = ("A", "B", "C", "D")


def rows(c: Canvas, x: float, y: float) -> None:
    """The names of the two rows."""
    c.text(x, y + 14, "CPU", size=12, anchor="start", kind="muted")
    c.text(x, y + 52, "GPU", size=12, anchor="start", kind="muted")


def stream(c: Canvas, x: float, y: float, launch: float, kernel: float) -> None:
    for i, name in enumerate(KERNELS):
        c.box(x + i * launch, y, launch - 4, 28, f"launch {name}", kind="cpu")
        c.box(x + (i + 1) * launch - 4, y + 38, kernel, 28, name, kind="gpu")


def graph(c: Canvas, x: float, y: float, launch: float, kernel: float) -> None:
    c.box(x, y, launch - 4, 28, "launch", kind="cpu")
    for i, name in enumerate(KERNELS):
        c.box(x + launch - 4 + i * (kernel + 3), y + 38, kernel, 28, name, kind="gpu")


def paint(c: Canvas, left: float, launch: float, kernel: float) -> None:
    c.text(6, 12, "in a stream", anchor="start", kind="strong")
    rows(c, 6, 26)
    stream(c, left, 26, launch, kernel)
    c.text(6, 122, "as a graph", anchor="start", kind="strong")
    rows(c, 6, 136)
    graph(c, left, 136, launch, kernel)


def draw(c: Canvas) -> None:
    c.size(720, 210)
    paint(c, 50, 150, 40)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 210)
    paint(c, 40, 68, 24)
