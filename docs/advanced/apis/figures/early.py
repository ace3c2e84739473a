"""Two kernels in a stream: one after the other, and with a programmatic dependent launch."""


def draw(c):
    c.size(720, 232)
    c.text(10, 14, "plain", 14, "start", "strong")
    c.box(60, 28, 300, 30, "first kernel", "gpu")
    c.box(395, 28, 110, 30, "prologue", "memory")
    c.box(505, 28, 150, 30, "needs results", "accent")
    c.text(378, 74, "launch", 12, "middle", "muted")
    c.text(10, 104, "dependent launch", 14, "start", "strong")
    c.box(60, 118, 300, 30, "first kernel", "gpu")
    c.box(190, 158, 110, 30, "prologue", "memory")
    c.box(300, 158, 62, 30, "waits", "ghost")
    c.box(364, 158, 150, 30, "needs results", "accent")
    c.arrow(180, 206, 180, 150)
    c.text(172, 216, "trigger", 12, "middle", "muted")
    c.arrow(362, 206, 362, 190)
    c.text(362, 216, "all of the first has ended", 12, "middle", "muted")
