"""Two threads and two arrays over time: one barrier an iteration is enough."""

from lockstep_sphinx.drawings.canvas import Canvas

# thread (0 is fast, 1 is slow), begin and end in time, words, kind
STEPS = (
    (0, 0, 60, "write A", "gpu"),
    (0, 74, 134, "read A", "gpu"),
    (0, 138, 198, "write B", "accent"),
    (0, 202, 346, "waits", "ghost"),
    (0, 360, 420, "read B", "accent"),
    (0, 424, 484, "write A", "gpu"),
    (1, 0, 60, "write A", "gpu"),
    (1, 74, 278, "read A", "gpu"),
    (1, 282, 346, "write B", "accent"),
    (1, 360, 552, "read B", "accent"),
)
BARRIERS = (67, 0), (353, 1)


def draw(c: Canvas) -> None:
    c.size(720, 176)
    left = 112
    for thread, name in enumerate(("fast thread", "slow thread")):
        c.text(left - 12, 56 + 44 * thread, name, 13, "end")
    for thread, begin, end, words, kind in STEPS:
        c.box(left + begin, 40 + 44 * thread, end - begin, 32, words, kind)
    for at, number in BARRIERS:
        c.line(left + at, 26, left + at, 128, dashed=True)
        c.text(left + at, 14, f"barrier {number}", 12, "middle", "muted")
    c.arrow(left, 146, left + 580, 146)
    c.text(left - 12, 146, "time", 13, "end", "muted")
    c.text(left + 168, 164, "B is written, A is still read", 12, "middle", "muted")
    c.text(left + 454, 164, "A is written again", 12, "middle", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(344, 500)

    def scale(at: float) -> float:
        return 36 + at * 0.8

    for thread, name in enumerate(("fast thread", "slow thread")):
        c.text(60 + 96 * thread, 14, name, 13)
    for thread, begin, end, words, kind in STEPS:
        c.box(16 + 96 * thread, scale(begin), 88, (end - begin) * 0.8, words, kind)
    for at, number in BARRIERS:
        c.line(10, scale(at), 212, scale(at), dashed=True)
        c.text(218, scale(at), f"barrier {number}", 12, "start", "muted")
    c.text(218, scale(168), "B is written,\nA is still read", 12, "start", "muted")
    c.text(218, scale(454), "A is written\nagain", 12, "start", "muted")
