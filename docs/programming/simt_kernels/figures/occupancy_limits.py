"""Four resources of a multiprocessor, cut into portions for blocks of 256 threads with 48 KiB of shared memory."""

LEFT = 170
WIDTH = 400
ROWS = (
    ("threads", "2048", "256", 8, 1.0),
    ("places for blocks", "32", "1", 32, 1.0),
    ("registers", "65,536", "256 × 32", 8, 1.0),
    ("shared memory", "228 KiB", "48 + 1 KiB", 4, 196 / 228),
)


def draw(c):
    c.size(720, 236)
    c.text(LEFT + WIDTH / 2, 12, "what a multiprocessor has, in portions of one block", size=13, kind="muted")
    c.text(LEFT + WIDTH + 20, 12, "a block takes", size=13, anchor="start", kind="muted")
    for number, (name, total, portion, fit, used) in enumerate(ROWS):
        y = 30 + number * 48
        c.text(LEFT - 10, y + 11, name, size=14, anchor="end")
        c.text(LEFT - 10, y + 28, total, size=12, anchor="end", kind="muted")
        kinds = ["gpu" if block < 4 else "plain" for block in range(fit)]
        c.cells(LEFT, y, WIDTH * used / fit, 36, [""] * fit, kinds)
        if used < 1:
            c.box(LEFT + WIDTH * used, y, WIDTH * (1 - used), 36, "left", kind="ghost")
        c.text(LEFT + WIDTH + 20, y + 11, portion, size=13, anchor="start")
        c.text(LEFT + WIDTH + 20, y + 28, f"{fit} fit", size=13, anchor="start", kind="strong")
    c.text(
        LEFT,
        228,
        "Four blocks run. Shared memory decides; half of the threads' places stay empty.",
        size=13,
        anchor="start",
    )
