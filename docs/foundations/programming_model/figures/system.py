"""One CPU, one GPU, their memories, and the link."""


def draw(c):
    c.size(720, 300)
    c.text(105, 14, "host", kind="strong")
    c.box(10, 30, 190, 170, kind="ghost")
    c.text(105, 46, "CPU", size=13)
    for i in range(4):
        c.box(28 + i % 2 * 80, 62 + i // 2 * 64, 72, 54, "core", kind="cpu")
    c.box(10, 236, 190, 54, "host memory", kind="memory")
    c.line(105, 200, 105, 236)
    c.text(500, 14, "device", kind="strong")
    c.box(280, 30, 430, 170, kind="ghost")
    c.text(495, 46, "GPU", size=13)
    for gpc in range(2):
        x = 296 + gpc * 204
        c.box(x, 60, 196, 82, kind="ghost")
        c.text(x + 98, 73, "GPC", size=12, kind="muted")
        for sm in range(4):
            c.box(x + 8 + sm * 46, 86, 42, 46, "SM", kind="gpu")
    c.box(296, 152, 400, 38, "L2 cache", kind="accent")
    c.box(280, 236, 430, 54, "global memory", kind="memory")
    c.line(495, 190, 495, 236)
    c.line(200, 118, 280, 118)
    c.text(240, 104, "PCIe or", size=12, kind="muted")
    c.text(240, 134, "NVLink", size=12, kind="muted")
