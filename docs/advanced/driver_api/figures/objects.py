"""The runtime on top of the driver API, and what a context owns on a device."""

from lockstep_sphinx.drawings.canvas import Canvas


def layers(c: Canvas, x: float, y: float, width: float) -> None:
    c.box(x, y, width, 34, "your program", "cpu")
    c.box(x, y + 46, width, 34, "runtime API: cuda...", "plain")
    c.box(x, y + 92, width, 34, "driver API: cu...", "accent")
    c.box(x, y + 138, width, 34, "driver and GPU", "gpu")
    for top in (34, 80, 126):
        c.arrow(x + width / 2, y + top, x + width / 2, y + top + 12)


def context(c: Canvas, x: float, y: float, width: float) -> None:
    c.box(x, y, width, 172, kind="plain")
    c.text(x + 12, y + 16, "a context on a device", 14, "start", "strong")
    half = (width - 36) / 2
    c.box(x + 12, y + 34, half, 126, kind="ghost")
    c.text(x + 12 + half / 2, y + 48, "module", 13)
    c.box(x + 22, y + 62, half - 20, 40, "functions\n(kernels)", "accent")
    c.box(x + 22, y + 110, half - 20, 40, "variables", "memory")
    right = x + 24 + half
    c.box(right, y + 34, half, 36, "device memory", "memory")
    c.box(right, y + 79, half, 36, "streams", "gpu")
    c.box(right, y + 124, half, 36, "events", "gpu")


def draw(c: Canvas) -> None:
    c.size(720, 192)
    layers(c, 10, 10, 250)
    context(c, 330, 10, 380)


def draw_narrow(c: Canvas) -> None:
    c.size(348, 380)
    layers(c, 40, 8, 268)
    context(c, 6, 198, 336)
