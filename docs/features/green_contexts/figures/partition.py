"""The SMs that two kernels ran on, each in a green context: one cell for each SM, by its number."""

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "features/green_contexts/creating/two_green_contexts.csv"
SMS = 132
COLUMNS = 16  # the marked numbers repeat after so many
KINDS = {"0": "plain", "1": "gpu", "2": "accent"}
LEGEND = (("gpu", "first context"), ("accent", "second context"), ("plain", "neither"))


def grid(c: Canvas, width: float, height: float) -> None:
    kinds = [KINDS[c.cell(FILE, "~context", "{:.0f}", sm=sm)] for sm in range(SMS)]
    rows = -(-SMS // COLUMNS)
    c.size(COLUMNS * width + 2, rows * height + 36)
    for row in range(rows):
        numbers = list(range(row * COLUMNS, min(SMS, (row + 1) * COLUMNS)))
        c.cells(1, 1 + row * height, width, height, numbers, [kinds[sm] for sm in numbers])
    x = 1.0
    for kind, words in LEGEND:
        c.box(x, rows * height + 14, 14, 14, kind=kind)
        c.text(x + 20, rows * height + 21, words, size=12, anchor="start")
        x += 34 + 6.6 * len(words)


def draw(c: Canvas) -> None:
    grid(c, 44, 28)


def draw_narrow(c: Canvas) -> None:
    grid(c, 22, 22)
