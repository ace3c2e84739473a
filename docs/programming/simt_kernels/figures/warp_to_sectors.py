"""Eight lanes of a warp and the sectors that they touch, for four patterns."""

from lockstep_sphinx.drawings.canvas import Canvas

PATTERNS = (
    ("stride 1", [lane for lane in range(8)], "one sector, all of it used"),
    ("shuffled", [5, 2, 7, 0, 4, 1, 6, 3], "one sector, all of it used"),
    ("stride 2", [2 * lane for lane in range(8)], "two sectors, half of each used"),
    ("stride 8", [8 * lane for lane in range(8)], "eight sectors, an eighth of each used"),
)


def touch(c: Canvas, left: float, y: float, words: list[int], lane_width: float, word_width: float) -> None:
    """The lanes, the sectors below them, and an arrow from each lane to its word."""
    c.cells(left, y, lane_width, 22, [f"{lane}" for lane in range(8)], "gpu")
    for sector in range(max(words) // 8 + 1):
        kinds = ["accent" if sector * 8 + word in words else "plain" for word in range(8)]
        c.cells(left + sector * 8 * word_width, y + 62, word_width, 18, [""] * 8, kinds)
    for lane, word in enumerate(words):
        c.arrow(left + (lane + 0.5) * lane_width, y + 22, left + (word + 0.5) * word_width, y + 61)


def draw(c: Canvas) -> None:
    c.size(720, 420)
    for number, (name, words, caption) in enumerate(PATTERNS):
        y = 6 + number * 105
        lane_width, word_width = (40, 10) if name == "stride 8" else (30, 30)
        right = 84 + 8 * lane_width
        c.text(4, y + 11, name, size=13, anchor="start", kind="strong")
        c.text(4, y + 71, "memory", size=12, anchor="start", kind="muted")
        c.text(right, y + 11, caption, 13, "start")
        if number == 0:
            c.text(right, y + 71, "lanes 0 to 7; the same for the other 24", 12, "start", "muted")
        touch(c, 70, y, words, lane_width, word_width)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 556)
    for number, (name, words, caption) in enumerate(PATTERNS):
        y = 26 + number * 140
        c.text(10, y - 14, name, size=13, anchor="start", kind="strong")
        c.text(78, y - 14, caption, 13, "start")
        c.text(10, y + 92, "memory", size=12, anchor="start", kind="muted")
        touch(c, 10, y, words, 20, 5 if name == "stride 8" else 20)
    c.text(184, 67, "lanes 0 to 7; the\nsame for the other 24", 12, "start", "muted")
