"""Grid, cluster, block, warp, thread: nested, with what each level shares."""


def draw(c):
    c.size(720, 340)
    c.box(10, 10, 430, 320, kind="memory")
    c.text(24, 28, "grid", kind="strong", anchor="start")
    for cluster in range(2):
        x = 26 + cluster * 204
        c.box(x, 46, 194, 270, kind="ghost")
        c.text(x + 14, 62, "cluster", kind="strong", anchor="start")
        for block in range(2):
            y = 78 + block * 118
            c.box(x + 12, y, 170, 108, kind="accent")
            c.text(x + 24, y + 16, "block", kind="strong", anchor="start")
            for warp in range(2):
                top = y + 32 + warp * 37
                c.text(x + 24, top + 14, "warp", size=12, anchor="start")
                c.cells(x + 62, top, 14, 28, [""] * 8, "gpu")
    for y, what, shared in (
        (28, "grid", "global memory"),
        (62, "cluster", "runs together; distributed\nshared memory, a barrier"),
        (124, "block", "one SM; shared memory,\na barrier"),
        (176, "warp", "32 threads, one instruction\nat a time"),
        (228, "thread", "its own registers, its own\nplace in the code"),
    ):
        c.text(460, y, what, kind="strong", anchor="start")
        c.text(520, y, shared, size=13, anchor="start")
