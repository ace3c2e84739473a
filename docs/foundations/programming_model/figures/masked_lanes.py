"""A warp under a branch that only its even lanes take."""

from collections.abc import Callable

from lockstep_sphinx.drawings.canvas import Canvas

STEPS: tuple[tuple[str, Callable[[int], bool]], ...] = (
    ("before\nthe branch", lambda lane: True),
    ("if (lane\nis even)", lambda lane: lane % 2 == 0),
    ("else", lambda lane: lane % 2 == 1),
    ("after\nthe branch", lambda lane: True),
)


def cells(c: Canvas, x: float, y: float, w: float, h: float, active: list[bool]) -> None:
    """A row of cells; `active` says of each whether its lane runs."""
    c.cells(x, y, w, h, ["runs" if a else "masked" for a in active], ["gpu" if a else "ghost" for a in active])


def draw(c: Canvas) -> None:
    c.size(720, 236)
    c.text(472, 14, "lanes 0 ... 7 of 32", size=13, kind="muted")
    for i, (label, active) in enumerate(STEPS):
        c.text(216, 50 + i * 50, label.replace("\n", " "), anchor="end", kind="code", size=13)
        cells(c, 232, 30 + i * 50, 60, 40, [active(lane) for lane in range(8)])
    c.arrow(28, 36, 28, 216)
    c.text(40, 126, "time", size=13, anchor="start", kind="muted")


def draw_narrow(c: Canvas) -> None:
    """Time runs to the right here: eight lanes side by side leave no room for the words."""
    c.size(356, 308)
    for i, (label, _) in enumerate(STEPS):
        c.text(95 + i * 74, 20, label, kind="code", size=12)
    c.text(4, 160, "lanes\n0 ... 7\nof 32", size=13, anchor="start", kind="muted")
    for lane in range(8):
        cells(c, 58, 42 + lane * 29, 74, 29, [active(lane) for _, active in STEPS])
    c.arrow(58, 292, 354, 292)
    c.text(4, 292, "time", size=13, anchor="start", kind="muted")
