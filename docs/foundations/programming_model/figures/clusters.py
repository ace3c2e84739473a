"""Eight blocks in two clusters of four, each cluster on one GPC."""


def draw(c):
    c.size(720, 270)
    for cluster in range(2):
        x = 10 + cluster * 360
        c.box(x, 26, 340, 92, kind="ghost")
        c.text(x + 170, 13, f"cluster {cluster}", kind="strong")
        for rank in range(4):
            block = cluster * 4 + rank
            c.box(x + 10 + rank * 81, 40, 76, 64, f"block {block}\nrank {rank}", kind="gpu")
        c.box(x, 172, 340, 88, kind="ghost")
        c.text(x + 170, 186, f"GPC {cluster}", size=13, kind="muted")
        for sm in range(4):
            c.box(x + 10 + sm * 81, 200, 76, 48, "SM", kind="accent")
            c.arrow(x + 48 + sm * 81, 104, x + 48 + sm * 81, 200)
