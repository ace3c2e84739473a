"""One CPU, one GPU, their memories, and the link."""

from lockstep_sphinx.drawings.canvas import Canvas


def cpu(c: Canvas, x: float) -> None:
    c.box(x, 30, 190, 170, kind="ghost")
    c.text(x + 95, 46, "CPU", size=13)
    for i in range(4):
        c.box(x + 18 + i % 2 * 80, 62 + i // 2 * 64, 72, 54, "core", kind="cpu")


def gpu(c: Canvas, x: float, y: float, pitch: float) -> None:
    w = 4 * pitch + 12
    c.box(x, y, 2 * w + 38, 170, kind="ghost")
    c.text(x + w + 19, y + 16, "GPU", size=13)
    for gpc in range(2):
        left = x + 16 + gpc * (w + 8)
        c.box(left, y + 30, w, 82, kind="ghost")
        c.text(left + w / 2, y + 43, "GPC", size=12, kind="muted")
        for sm in range(4):
            c.box(left + 8 + sm * pitch, y + 56, pitch - 4, 46, "SM", kind="gpu")
    c.box(x + 16, y + 122, 2 * w + 8, 38, "L2 cache", kind="accent")
    c.box(x, y + 206, 2 * w + 38, 54, "global memory", kind="memory")
    c.line(x + w + 19, y + 160, x + w + 19, y + 206)


def draw(c: Canvas) -> None:
    c.size(720, 300)
    c.text(105, 14, "host", kind="strong")
    cpu(c, 10)
    c.box(10, 236, 190, 54, "host memory", kind="memory")
    c.line(105, 200, 105, 236)
    c.text(500, 14, "device", kind="strong")
    gpu(c, 280, 30, 46)
    c.line(200, 118, 280, 118)
    c.text(240, 104, "PCIe or", size=12, kind="muted")
    c.text(240, 134, "NVLink", size=12, kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(356, 528)
    c.text(178, 14, "host", kind="strong")
    cpu(c, 3)
    c.box(237, 62, 116, 106, "host\nmemory", kind="memory")
    c.line(193, 115, 237, 115)
    c.text(178, 248, "device", kind="strong")
    gpu(c, 3, 264, 36)
    c.line(98, 200, 98, 264)
    c.text(106, 220, "PCIe or NVLink", size=12, anchor="start", kind="muted")
