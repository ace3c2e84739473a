"""Each memory and who sees it."""


def draw(c):
    c.size(720, 320)
    c.text(290, 14, "GPU", kind="strong")
    for block in range(2):
        x = 10 + block * 290
        c.box(x, 28, 276, 160, kind="ghost")
        c.text(x + 138, 42, f"block {block}, on one SM", size=13, kind="muted")
        for thread in range(2):
            c.box(x + 12 + thread * 130, 56, 122, 62, "thread:\nregisters,\nlocal memory", kind="gpu")
        c.box(x + 12, 126, 252, 50, "shared memory of the block", kind="accent")
    c.box(10, 200, 566, 34, "L2 cache", kind="muted")
    c.box(10, 244, 566, 66, "global memory, and constant memory:\nall threads of all grids", kind="memory")
    c.box(622, 200, 90, 110, "host\nmemory", kind="cpu")
    c.line(576, 277, 622, 277)
