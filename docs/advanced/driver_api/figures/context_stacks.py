"""The stacks of current contexts in the program context_stack, at the points that it prints."""

from lockstep_sphinx.drawings.canvas import Canvas

# the lines of the output, and the stack of the thread that prints it, the bottom first
FIRST = (
    ("after creating\nA, then B", "AB"),
    ("after\npopping B", "A"),
    ("inside the\nlibrary call", "AB"),
    ("after the\nlibrary call", "A"),
)
SECOND = (("in a\nnew thread", ""), ("after\npushing B there", "B"))


def stacks(c: Canvas, left: float, top: float, step: float, name: str, points: tuple[tuple[str, str], ...]) -> None:
    c.text(left, top, name, 14, "start", "strong")
    for i, (words, contexts) in enumerate(points):
        x = left + i * step
        c.text(x + step / 2 - 5, top + 28, words, 12)
        for height in range(2):
            y = top + 92 - 32 * height
            if height < len(contexts):
                on_top = height == len(contexts) - 1
                c.box(x + step / 2 - 29, y, 48, 28, contexts[height], "accent" if on_top else "ghost")
        c.line(x + 10, top + 124, x + step - 20, top + 124)


def draw(c: Canvas) -> None:
    c.size(720, 152)
    stacks(c, 6, 14, 116, "first thread", FIRST)
    stacks(c, 490, 14, 116, "new thread", SECOND)


def draw_narrow(c: Canvas) -> None:
    c.size(356, 298)
    stacks(c, 4, 14, 88, "first thread", FIRST)
    stacks(c, 4, 162, 116, "new thread", SECOND)
