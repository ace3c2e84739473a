"""The SMs that two kernels ran on, each in a green context: one cell for each SM, by its number."""

from lockstep_sphinx.canvas import Canvas

FILE = "features/green_contexts/creating/two_green_contexts.csv"
SMS = 132
KINDS = {"0": "plain", "1": "gpu", "2": "accent"}
LEGEND = (("gpu", "first context"), ("accent", "second context"), ("plain", "neither"))


def grid(c: Canvas, columns: int, size: float) -> None:
    kinds = [KINDS[c.cell(FILE, "~context", "{:.0f}", sm=sm)] for sm in range(SMS)]
    rows = -(-SMS // columns)
    c.size(columns * size + 2, rows * size + 36)
    for row in range(rows):
        numbers = list(range(row * columns, min(SMS, (row + 1) * columns)))
        c.cells(1, 1 + row * size, size, size, numbers, [kinds[sm] for sm in numbers])
    x = 1.0
    for kind, words in LEGEND:
        c.box(x, rows * size + 14, 14, 14, kind=kind)
        c.text(x + 20, rows * size + 21, words, size=12, anchor="start")
        x += 34 + 6.6 * len(words)


def draw(c: Canvas) -> None:
    grid(c, 22, 32)


def draw_narrow(c: Canvas) -> None:
    grid(c, 12, 27)
