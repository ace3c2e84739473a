"""A tile of 8 x 8 words and one of 8 x 9, on eight banks."""

BANKS = ("gpu", "memory", "accent", "cpu", "warn", "muted", "plain", "ghost")
CELL = 32


def draw(c):
    c.size(720, 346)
    for padding in (0, 1):
        left = 34 + padding * 368
        width = 8 + padding
        c.text(left + width * CELL / 2, 14, f"tile[8][{width}]", kind="code", size=14)
        c.box(left - 4, 30, CELL + 8, 8 * CELL + 8, kind="ghost")
        for row in range(8):
            numbers = [(row * width + column) % 8 for column in range(width)]
            kinds = [BANKS[number] for number in numbers]
            c.cells(left, 34 + row * CELL, CELL, CELL, numbers, kinds)
        c.arrow(left + CELL / 2, 322, left + CELL / 2, 296)
        verdict = "all in bank 0: eight turns" if not padding else "eight banks: one turn"
        c.text(left - 4, 334, f"a column: {verdict}", size=13, anchor="start")
    c.text(34 + 368 + 8.5 * CELL, 34 + 8 * CELL + 14, "padding", size=12, kind="muted")
