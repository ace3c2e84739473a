"""Two halves of a problem on two GPUs, and the border rows that travel before each step."""


def draw(c):
    c.size(720, 250)
    for device in (0, 1):
        x = 40 + device * 380
        c.text(x + 130, 14, f"GPU {device}", kind="strong")
        first = 60 if device else 30
        for i in range(4):
            border = i == (0 if device else 3)
            c.box(x, first + i * 36, 260, 32, "border row" if border else "own row", "accent" if border else "gpu")
        c.box(x, 26 if device else 174, 260, 30, "halo", "ghost")
    c.arrow(302, 154, 418, 46)
    c.arrow(418, 80, 302, 186)
    c.text(360, 226, "before each step: my border becomes the other's halo", 13)
