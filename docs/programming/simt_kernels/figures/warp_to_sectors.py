"""Eight lanes of a warp and the sectors that they touch, for four patterns."""

LEFT = 70
PATTERNS = (
    ("stride 1", [lane for lane in range(8)], "one sector, all of it used"),
    ("shuffled", [5, 2, 7, 0, 4, 1, 6, 3], "one sector, all of it used"),
    ("stride 2", [2 * lane for lane in range(8)], "two sectors, half of each used"),
    ("stride 8", [8 * lane for lane in range(8)], "eight sectors, an eighth of each used"),
)


def draw(c):
    c.size(720, 420)
    for number, (name, words, verdict) in enumerate(PATTERNS):
        y = 6 + number * 105
        sectors = max(words) // 8 + 1
        wide = sectors == 8
        word_width = 10 if wide else 30
        lane_width = 40 if wide else 30
        c.text(4, y + 11, name, size=13, anchor="start", kind="strong")
        c.text(4, y + 71, "memory", size=12, anchor="start", kind="muted")
        c.cells(LEFT, y, lane_width, 22, [f"{lane}" for lane in range(8)], "gpu")
        c.text(LEFT + 8 * lane_width + 14, y + 11, verdict, 13, "start")
        if number == 0:
            c.text(LEFT + 8 * lane_width + 14, y + 71, "lanes 0 to 7; the other 24 do alike", 12, "start", "muted")
        for sector in range(sectors):
            kinds = ["accent" if sector * 8 + word in words else "plain" for word in range(8)]
            c.cells(LEFT + sector * 8 * word_width, y + 62, word_width, 18, [""] * 8, kinds)
        for lane, word in enumerate(words):
            c.arrow(LEFT + (lane + 0.5) * lane_width, y + 22, LEFT + (word + 0.5) * word_width, y + 61)
