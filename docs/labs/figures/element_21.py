"""Three blocks of eight threads; thread 5 of block 2 has element 21."""

from lockstep_sphinx.drawings.canvas import Canvas

CELL = 28


def block(c: Canvas, number: int, left: float, top: float, width: float = CELL) -> None:
    c.text(left + 4 * width, top, f"block {number}", kind="strong")
    threads = ["accent" if (number, thread) == (2, 5) else "gpu" for thread in range(8)]
    c.cells(left, top + 14, width, CELL, range(8), threads)
    elements = range(8 * number, 8 * number + 8)
    c.cells(left, top + 78, width, CELL, elements, ["accent" if i == 21 else "memory" for i in elements])
    if number == 2:
        x = left + 5.5 * width
        c.arrow(x, top + 44, x, top + 76)
        c.text(x - 10, top + 60, "2 × 8 + 5", size=13, anchor="end", kind="code")


def draw(c: Canvas) -> None:
    c.size(720, 150)
    for number in range(3):
        block(c, number, 10 + number * (8 * CELL + 12), 14)
    c.text(10, 136, "above: threads, by their number in the block; below: elements of the array", 13, "start", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(340, 428)
    for number in range(3):
        block(c, number, 10, 14 + number * 126, width=40)
    c.text(10, 400, "above: threads, by their number in the block;\nbelow: elements of the array", 13, "start", "muted")
