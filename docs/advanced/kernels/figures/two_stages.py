"""One buffer: fetch and compute take turns. Two buffers: the next tile is fetched while one is computed."""

W = 84


def draw(c):
    c.size(720, 236)
    c.text(10, 14, "one buffer", 14, "start", "strong")
    for i in range(3):
        c.box(100 + 2 * i * W, 28, W, 30, f"fetch {i}", "memory")
        c.box(100 + (2 * i + 1) * W, 28, W, 30, f"compute {i}", "gpu")
    c.text(10, 92, "two buffers", 14, "start", "strong")
    c.text(90, 121, "copies", 13, "end", "muted")
    c.text(90, 161, "threads", 13, "end", "muted")
    for i in range(4):
        c.box(100 + i * W, 106, W, 30, f"fetch {i}", "memory")
        c.box(100 + (i + 1) * W, 146, W, 30, f"compute {i}", "gpu")
    c.arrow(100, 200, 700, 200)
    c.text(700, 216, "time", 12, "end", "muted")
    c.text(100, 226, "at each border: wait for the copy, and for those who still read", 13, "start", "muted")
