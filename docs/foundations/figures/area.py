"""Where a CPU and a GPU spend their transistors; a schematic."""


def draw(c):
    c.size(700, 270)
    c.text(165, 16, "CPU", kind="strong")
    c.box(10, 32, 150, 80, "control", kind="accent")
    for i in range(4):
        c.box(170 + i % 2 * 78, 32 + i // 2 * 42, 72, 38, "core", kind="cpu")
    c.box(10, 120, 310, 90, "caches", kind="memory")
    c.box(10, 218, 310, 40, "DRAM", kind="ghost")
    c.text(535, 16, "GPU", kind="strong")
    for row in range(8):
        y = 32 + row * 20
        c.box(380, y, 22, 16, kind="accent")
        c.cells(406, y, 14.2, 16, [""] * 20, "gpu")
    c.box(380, 193, 310, 18, "cache", kind="memory")
    c.box(380, 218, 310, 40, "DRAM", kind="ghost")
