"""Short kernels beside a kernel that writes over a link: in the same domain, and in another one."""

from lockstep_sphinx.drawings.canvas import Canvas

PANELS = (
    ("all kernels in one domain", (("compute", 90, "gpu"), ("end waits for the sender's writes", 310, "warn"))),
    ("the sender in a domain of its own", (("compute", 90, "gpu"), ("end", 43, "warn")) * 3),
)


def _panel(c: Canvas, panel: int, x: float, top: float, scale: float) -> None:
    title, bars = PANELS[panel]
    c.text(x, top + 10, title, 14, "start", "strong")
    c.box(x, top + 26, 400 * scale, 30, "sender: writes over PCIe or NVLink", "accent")
    left = x
    for text, width, kind in bars:
        c.box(left, top + 62, width * scale, 30, text, kind)
        left += width * scale


def draw(c: Canvas) -> None:
    c.size(720, 220)
    for panel in range(2):
        top = 4 + 112 * panel
        c.text(112, top + 41, "sender", 13, "end", "muted")
        c.text(112, top + 77, "short kernels", 13, "end", "muted")
        _panel(c, panel, 124, top, 1.45)


def draw_narrow(c: Canvas) -> None:
    c.size(348, 220)
    for panel in range(2):
        _panel(c, panel, 4, 4 + 112 * panel, 0.85)
