"""Eight numbers become one in three steps; half of the threads work in each."""

CELL = 70
STEPS = ([3, 1, 4, 1, 5, 9, 2, 6], [8, 10, 6, 7], [14, 17], [31])


def draw(c):
    c.size(720, 276)
    for level, numbers in enumerate(STEPS):
        y = 10 + level * 66
        count = len(numbers)
        c.cells(80, y, CELL, 34, [*numbers, *[""] * (8 - count)], ["gpu"] * count + ["ghost"] * (8 - count))
        if level == 3:
            break
        half = count // 2
        for thread in range(half):
            c.arrow(80 + (thread + half + 0.5) * CELL, y + 36, 80 + (thread + 0.6) * CELL, y + 63)
            c.line(80 + (thread + 0.4) * CELL, y + 36, 80 + (thread + 0.4) * CELL, y + 63)
        c.text(70, y + 50, f"width {half}", 13, "end", "muted")
    c.text(
        80, 262, "between two rows stands a barrier: nobody adds before the others have stored", 13, "start", "muted"
    )
