"""How data of the CPU reaches a kernel: a copy into a second buffer, pages that move, or accesses across the link."""

from lockstep_sphinx.drawings.canvas import Canvas

KINDS = (
    ("explicit copies", "two buffers, two pointers; the program says what moves when"),
    ("managed memory", "one pointer; a page moves to the processor that touches it"),
    ("mapped memory", "one buffer in host memory; each access crosses the link"),
)


def kind(c: Canvas, x: float, y: float, width: float, number: int, lines: int) -> None:
    """One row: CPU memory on the left, GPU memory or the kernel on the right, and what crosses between them."""
    title, words = KINDS[number]
    c.text(x, y, title, 14, "start", "strong")
    if lines > 1:
        words = words.replace("; ", ";\n")
    c.text(x, y + 12 + 8 * lines, words, 12, "start", "muted")
    top, cell = y + 20 + 16 * lines, 24
    right = x + width - 4 * cell
    if number == 0:
        c.cells(x, top, cell, 30, [""] * 4, "cpu")
        c.cells(right, top, cell, 30, [""] * 4, "gpu")
        c.arrow(x + 4 * cell + 8, top + 15, right - 8, top + 15)
    elif number == 1:
        c.cells(x, top, cell, 30, [""] * 4, ["ghost", "ghost", "cpu", "cpu"])
        c.cells(right, top, cell, 30, [""] * 4, ["gpu", "gpu", "ghost", "ghost"])
        c.arrow(x + 4 * cell + 8, top + 8, right - 8, top + 8)
        c.arrow(right - 8, top + 22, x + 4 * cell + 8, top + 22)
    else:
        c.cells(x, top, cell, 30, [""] * 4, "cpu")
        c.box(right, top, 4 * cell, 30, "kernel", "gpu")
        c.arrow(right - 8, top + 15, x + 4 * cell + 8, top + 15, dashed=True)


def sides(c: Canvas, x: float, width: float) -> None:
    c.text(x, 12, "CPU memory", 12, "start", "muted")
    c.text(x + width, 12, "GPU memory", 12, "end", "muted")


def draw(c: Canvas) -> None:
    c.size(460, 296)
    sides(c, 10, 420)
    for number in range(3):
        kind(c, 10, 40 + 88 * number, 420, number, 1)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 350)
    sides(c, 8, 320)
    for number in range(3):
        kind(c, 8, 40 + 106 * number, 320, number, 2)
