"""Four resources of an SM, cut into portions for blocks of 256 threads with 48 KiB of shared memory."""

from lockstep_sphinx.drawings.canvas import Canvas

ROWS = (
    ("threads", "2048", "256", 8, 1.0),
    ("places for blocks", "32", "1", 32, 1.0),
    ("registers", "65,536", "256 × 32", 8, 1.0),
    ("shared memory", "228 KiB", "48 + 1 KiB", 4, 196 / 228),
)
HAS = "what an SM has,\nin portions of one block"
TAKES = "a block\ntakes"
RESULT = "Four blocks run. Shared memory decides;\nhalf of the SM holds no threads."


def headings(c: Canvas, left: float, y: float, width: float, between_lines: str) -> None:
    c.text(left + width / 2, y, HAS.replace("\n", between_lines), size=13, kind="muted")
    c.text(left + width + 20, y, TAKES.replace("\n", between_lines), size=13, anchor="start", kind="muted")


def bar(c: Canvas, left: float, y: float, width: float, portion: str, fit: int, used: float) -> None:
    kinds = ["gpu" if block < 4 else "plain" for block in range(fit)]
    c.cells(left, y, width * used / fit, 36, [""] * fit, kinds)
    if used < 1:
        c.box(left + width * used, y, width * (1 - used), 36, "left", kind="ghost")
    c.text(left + width + 20, y + 11, portion, size=13, anchor="start")
    c.text(left + width + 20, y + 28, f"{fit} fit", size=13, anchor="start", kind="strong")


def draw(c: Canvas) -> None:
    c.size(720, 236)
    headings(c, 170, 12, 400, " ")
    for number, (name, total, portion, fit, used) in enumerate(ROWS):
        y = 30 + number * 48
        c.text(160, y + 11, name, size=14, anchor="end")
        c.text(160, y + 28, total, size=12, anchor="end", kind="muted")
        bar(c, 170, y, 400, portion, fit, used)
    c.text(170, 228, RESULT.replace("\n", " "), size=13, anchor="start")


def draw_narrow(c: Canvas) -> None:
    c.size(348, 368)
    headings(c, 10, 20, 230, "\n")
    for number, (name, total, portion, fit, used) in enumerate(ROWS):
        y = 70 + number * 66
        c.text(10, y - 14, name, size=14, anchor="start")
        c.text(240, y - 14, total, size=12, anchor="end", kind="muted")
        bar(c, 10, y, 230, portion, fit, used)
    c.text(10, 338, RESULT, size=13, anchor="start")
