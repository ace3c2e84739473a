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


def rows(c: Canvas, left: float, bit: float, words: bool) -> None:
    c.text(left, 12, "sign", 12, "start", "muted")
    c.text(left + 12 * bit + 30, 12, "exponent", 12, "middle", "muted")
    c.text(left + 40 * bit, 12, "fraction", 12, "middle", "muted")
    for row, (name, exponent, fraction) in enumerate(FORMATS):
        top = 26 + 27 * row
        c.text(left - 8, top + 10, name, 13, "end", "code")
        c.cells(left, top, bit, 20, [""], "warn")
        c.cells(left + bit, top, bit, 20, [""] * exponent, "gpu")
        c.cells(left + bit * (1 + exponent), top, bit, 20, [""] * fraction, "plain")
        if words or name != "double":
            c.text(
                left + bit * (1 + exponent + fraction) + 6, top + 10, f"{exponent} + {fraction}", 12, "start", "muted"
            )


def draw(c: Canvas) -> None:
    c.size(720, 300)
    rows(c, 84, 9, True)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 300)
    rows(c, 80, 4, False)
