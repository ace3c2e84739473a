"""Host and device during an asynchronous launch."""

from lockstep_sphinx.drawings.canvas import Canvas

# begin, duration, text, kind
HOST = [
    (0, 80, "launch", "accent"),
    (86, 190, "continues", "cpu"),
    (282, 204, "cudaDeviceSynchronize", "muted"),
    (492, 130, "uses result", "cpu"),
]
DEVICE = [(126, 360, "kernel", "gpu")]


def draw(c: Canvas) -> None:
    c.size(720, 170)
    for name, y, steps in [("host", 28, HOST), ("device", 88, DEVICE)]:
        c.text(70, y + 18, name, anchor="end", size=13)
        for begin, duration, text, kind in steps:
            c.box(84 + begin, y, duration, 36, text, kind=kind)
    c.arrow(164, 64, 208, 90, dashed=True)
    c.arrow(570, 88, 576, 66, dashed=True)
    c.arrow(84, 146, 706, 146)
    c.text(395, 160, "time", size=12, kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(350, 420)
    for name, x, width, steps in [("host", 36, 188, HOST), ("device", 260, 86, DEVICE)]:
        c.text(x + width / 2, 14, name, size=13)
        for begin, duration, text, kind in steps:
            c.box(x, 30 + begin * 0.62, width, duration * 0.62, text, kind=kind)
    c.arrow(224, 78, 262, 107, dashed=True)
    c.arrow(260, 331, 226, 337, dashed=True)
    c.arrow(18, 30, 18, 416)
    c.text(18, 14, "time", size=12, kind="muted")
