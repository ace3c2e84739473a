"""A histogram spread over the shared memory of four blocks."""


def draw(c):
    c.size(720, 210)
    c.box(6, 26, 708, 150, kind="ghost")
    c.text(360, 14, "cluster of four blocks", size=13, kind="strong")
    for block in range(4):
        x = 18 + block * 174
        c.box(x, 40, 162, 50, f"block {block}\nthreads", kind="gpu")
        c.box(x, 122, 162, 44, f"bins {block * 100}...{block * 100 + 99}", kind="accent")
        if block != 2:
            c.line(x + 81, 90, x + 81, 122, dashed=True)
    c.arrow(150, 90, 400, 120)
    c.text(232, 106, "add 1 to bin 217", size=12, anchor="end")
    c.arrow(447, 90, 447, 120)
    c.text(360, 194, "map_shared_rank(mine, 2) + 17: the address of bin 217 for any thread of the cluster", size=13)
