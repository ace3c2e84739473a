"""The bits of each number format: sign, exponent and fraction, all to one scale."""

from lockstep_sphinx.drawings.canvas import Canvas

# name, exponent bits, fraction bits
FORMATS = (
    ("double", 11, 52),
    ("float", 8, 23),
    ("TF32", 8, 10),
    ("bfloat16", 8, 7),
    ("half", 5, 10),
    ("e5m2", 5, 2),
    ("e4m3", 4, 3),
    ("e3m2", 3, 2),
    ("e2m3", 2, 3),
    ("e2m1", 2, 1),
)


def rows(c: Canvas, left: float, bit: float) -> None:
    for row, (name, exponent, fraction) in enumerate(FORMATS):
        top = 6 + 27 * row
        c.text(left - 8, top + 10, name, 13, "end", "code")
        c.cells(left, top, bit, 20, [""], "warn")
        c.cells(left + bit, top, bit, 20, [""] * exponent, "gpu")
        c.cells(left + bit * (1 + exponent), top, bit, 20, [""] * fraction, "plain")
        end = left + bit * (1 + exponent + fraction)
        c.text(end + 6, top + 10, f"{exponent} + {fraction}", 12, "start", "muted")
    for place, (words, kind) in enumerate((("sign", "warn"), ("exponent", "gpu"), ("fraction", "plain"))):
        x = left + 90 * place
        c.cells(x, 288, 12, 14, [""], kind)
        c.text(x + 18, 295, words, 12, "start", "muted")


def draw(c: Canvas) -> None:
    c.size(720, 310)
    rows(c, 84, 9)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 310)
    rows(c, 70, 3.5)
