"""Which element thread 3 of block 2 works on."""


def draw(c):
    c.size(720, 210)
    for block in range(4):
        c.box(10 + block * 175, 34, 171, 44, f"block {block}: 256 threads", kind="gpu" if block == 2 else "plain")
        c.text(10 + block * 175, 94, str(block * 256), size=12, anchor="start", kind="code")
        c.text(181 + block * 175, 94, str(block * 256 + 255), size=12, anchor="end", kind="code")
    c.text(360, 16, "1024 elements", size=13, kind="muted")
    c.arrow(10, 124, 358, 124)
    c.text(184, 140, "blockDim.x * blockIdx.x = 512", size=13, kind="code")
    c.line(360, 80, 360, 160, dashed=True)
    c.arrow(360, 174, 376, 174)
    c.text(386, 174, "+ threadIdx.x = 3", size=13, anchor="start", kind="code")
    c.text(386, 196, "work index 515", size=13, anchor="start", kind="strong")
