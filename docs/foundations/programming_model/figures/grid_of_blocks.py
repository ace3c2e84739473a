"""A grid of 3 x 2 blocks; one block enlarged to its 4 x 3 threads."""


def draw(c):
    c.size(720, 270)
    c.text(165, 16, "grid: gridDim = (3, 2)", kind="code", size=13)
    for y in range(2):
        for x in range(3):
            kind = "gpu" if (x, y) == (2, 1) else "plain"
            c.box(10 + x * 105, 34 + y * 92, 98, 84, f"block\n({x}, {y})", kind=kind)
    c.text(545, 16, "block (2, 1): blockDim = (4, 3)", kind="code", size=13)
    for y in range(3):
        kinds = ["accent" if (x, y) == (1, 2) else "gpu" for x in range(4)]
        c.cells(380, 34 + y * 58, 82, 58, [f"({x}, {y})" for x in range(4)], kinds)
    c.line(318, 128, 380, 34, dashed=True)
    c.line(318, 208, 380, 208, dashed=True)
    c.text(545, 240, "threadIdx = (1, 2) is highlighted", size=13, kind="muted")
    c.text(165, 240, "blockIdx = (2, 1) is highlighted", size=13, kind="muted")
