"""Which element thread 3 of block 2 works on."""


def draw(c):
    c.size(720, 244)
    c.text(360, 14, "1024 elements", size=13, kind="muted")
    for block in range(4):
        x = 10 + block * 175
        c.box(x, 30, 175, 44, f"block {block}: 256 threads", kind="gpu" if block == 2 else "plain")
        c.text(x + 4, 88, str(block * 256), size=12, anchor="start", kind="code")
    c.text(706, 88, "1023", size=12, anchor="end", kind="code")
    c.line(360, 74, 360, 182, dashed=True)
    c.arrow(10, 120, 358, 120)
    c.text(184, 136, "blockDim.x * blockIdx.x = 512", size=13, kind="code")
    c.arrow(360, 150, 528, 150)
    c.text(540, 150, "+ threadIdx.x = 3", size=13, anchor="start", kind="code")
    c.text(346, 195, "block 2 begins", size=13, anchor="end", kind="muted")
    elements = ["512", "513", "514", "515", "516", "..."]
    c.cells(360, 178, 56, 34, elements, ["accent" if e == "515" else "gpu" for e in elements])
    c.text(556, 229, "work index 515", size=13, kind="strong")
