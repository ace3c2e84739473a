"""A parent, its children and its tail in time: the grid outlives its threads."""

from lockstep_sphinx.drawings.canvas import Canvas

THREADS_END, CHILDREN_COMPLETE, COMPLETE = 0.32, 0.60, 0.82
# name, beginning and end as shares of the time axis, kind
GRIDS = (
    ("child x", 0.14, 0.45, "plain"),
    ("child y", 0.22, CHILDREN_COMPLETE, "plain"),
    ("tail", 0.64, COMPLETE, "accent"),
)
ROW, BAR = 38, 28


def _draw(c: Canvas, left: float, right: float, top: float, words: tuple[str, str]) -> None:
    """The bars between `left` and `right`; `words` are those of the parent's bar."""

    def at(share: float) -> float:
        return left + share * (right - left)

    bottom = top + 5 * ROW
    for share in (CHILDREN_COMPLETE, COMPLETE):
        c.line(at(share), top - 10, at(share), top)
        c.line(at(share), top + BAR, at(share), bottom, dashed=True)
    c.text(left - 8, top + BAR / 2, "parent", 13, "end")
    c.box(at(THREADS_END), top, at(COMPLETE) - at(THREADS_END), BAR, words[1], "ghost")
    c.box(left, top, at(THREADS_END) - left, BAR, words[0], "gpu")
    for i, (name, begin, end, kind) in enumerate(GRIDS, 1):
        c.text(left - 8, top + i * ROW + BAR / 2, name, 13, "end")
        c.box(at(begin), top + i * ROW, at(end) - at(begin), BAR, kind=kind)
    c.text(left - 8, top + 4 * ROW + BAR / 2, "next\nkernel", 13, "end")
    c.box(at(0.85), top + 4 * ROW, at(0.97) - at(0.85), BAR, kind="memory")
    c.arrow(left, bottom + 4, right, bottom + 4)
    c.text(left - 8, bottom + 4, "time", 12, "end", "muted")


def draw(c: Canvas) -> None:
    c.size(720, 246)
    left, right = 67, 712
    c.text(left + CHILDREN_COMPLETE * (right - left), 15, "children complete:\nthe tail may begin", 12, kind="muted")
    c.text(left + COMPLETE * (right - left), 15, "parent complete: the\nnext kernel may begin", 12, kind="muted")
    _draw(c, left, right, 44, ("threads run", "threads have ended, grid not complete"))


def draw_narrow(c: Canvas) -> None:
    c.size(350, 246)
    left, right = 62, 346
    x = left + CHILDREN_COMPLETE * (right - left) + 6
    c.text(x, 15, "children complete:\nthe tail may begin", 12, "end", "muted")
    c.text(left + COMPLETE * (right - left), 15, "parent\ncomplete", 12, kind="muted")
    _draw(c, left, right, 44, ("threads run", "grid not complete"))
