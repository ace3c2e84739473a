"""Which tool to ask: from what you see to who finds it."""

ROWS = (
    ("a call returns an error", "look the name up", "error atlas"),
    ("some later call fails", "launches that block", "then memcheck"),
    ("wrong now and then", "racecheck", "then synccheck"),
    ("other garbage each time", "initcheck", "then memcheck"),
    ("it hangs", "synccheck", "then cuda-gdb"),
    ("always the same wrong value", "cuda-gdb", "stop and look"),
)


def draw(c):
    c.size(720, 34 + 44 * len(ROWS))
    for x, head in ((115, "what you see"), (380, "ask first"), (615, "and then")):
        c.text(x, 14, head, kind="strong")
    for i, (seen, first, then) in enumerate(ROWS):
        y = 34 + 44 * i
        c.box(5, y, 225, 32, seen, "warn")
        c.arrow(232, y + 16, 283, y + 16)
        c.box(285, y, 190, 32, first, "accent")
        c.arrow(477, y + 16, 528, y + 16)
        c.box(530, y, 170, 32, then)
