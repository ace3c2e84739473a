"""What counts what in a grid of eight blocks with clusters of four."""


def draw(c):
    c.size(720, 210)
    c.text(360, 14, "gridDim.x = 8 blocks", kind="code", size=13)
    for cluster in range(2):
        x = 10 + cluster * 355
        c.box(x, 30, 345, 128, kind="ghost")
        for rank in range(4):
            c.box(x + 10 + rank * 82, 44, 78, 50, f"blockIdx.x\n{cluster * 4 + rank}", kind="gpu")
            c.box(x + 10 + rank * 82, 98, 78, 50, f"block_rank\n{rank}", kind="accent")
        c.text(x + 172, 178, "num_blocks() = 4", kind="code", size=13)
        c.text(x + 172, 198, "one cluster", kind="muted", size=12)
