"""Eight numbers become one in three steps; half of the threads work in each."""

from lockstep_sphinx.drawings.canvas import Canvas

STEPS = ([3, 1, 4, 1, 5, 9, 2, 6], [8, 10, 6, 7], [14, 17], [31])


def tree(c: Canvas, left: float, cell: float, gap: float) -> None:
    for level, numbers in enumerate(STEPS):
        y = 10 + level * (34 + gap)
        count = len(numbers)
        c.cells(left, y, cell, 34, [*numbers, *[""] * (8 - count)], ["gpu"] * count + ["ghost"] * (8 - count))
        if level == 3:
            break
        half = count // 2
        begin, end = y + 36, y + 31 + gap
        for thread in range(half):
            c.arrow(left + (thread + half + 0.5) * cell, begin, left + (thread + 0.6) * cell, end)
            c.line(left + (thread + 0.4) * cell, begin, left + (thread + 0.4) * cell, end)
        c.text(left - 10, y + 34 + gap / 2, f"width {half}", 13, "end", "muted")


def draw(c: Canvas) -> None:
    c.size(720, 276)
    tree(c, 80, 70, 32)
    c.text(80, 262, "between two steps, a barrier: no thread adds before all others have stored", 13, "start", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(356, 348)
    tree(c, 64, 36, 50)
    c.text(10, 326, "between two steps, a barrier: no thread\nadds before all others have stored", 13, "start", "muted")
