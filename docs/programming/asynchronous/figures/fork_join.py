"""Work that forks into two branches and joins again."""


def draw(c):
    c.size(720, 220)
    rows = {"left": 40, "trunk": 110, "right": 180}
    for name, y in rows.items():
        c.text(8, y, name, size=13, anchor="start", kind="strong")
        c.line(64, y, 712, y, dashed=True)
    h = 40
    c.box(80, rows["trunk"] - h / 2, 110, h, "add 1 to all", kind="gpu")
    c.box(205, rows["trunk"] - 13, 60, 26, "forked", kind="accent")
    c.box(290, rows["left"] - h / 2, 120, h, "add 10 on\nthe left", kind="gpu")
    c.box(290, rows["right"] - h / 2, 120, h, "add 100 on\nthe right", kind="gpu")
    c.box(425, rows["left"] - 13, 76, 26, "left_done", kind="accent")
    c.box(425, rows["right"] - 13, 76, 26, "right_done", kind="accent")
    c.box(540, rows["trunk"] - h / 2, 60, h, "sum", kind="gpu")
    c.box(612, rows["trunk"] - h / 2, 96, h, "host\nfunction", kind="cpu")
    c.arrow(245, rows["trunk"] - 14, 298, rows["left"] + 21)
    c.arrow(245, rows["trunk"] + 14, 298, rows["right"] - 21)
    c.arrow(490, rows["left"] + 14, 550, rows["trunk"] - 21)
    c.arrow(490, rows["right"] - 14, 550, rows["trunk"] + 21)
