"""Five equal blocks on two multiprocessors with room for two blocks each."""


def draw(c):
    c.size(720, 150)
    for sm in range(2):
        y = 8 + sm * 62
        c.text(66, y + 25, f"SM {sm}", size=13, anchor="end")
        for slot in range(2):
            block = sm * 2 + slot
            c.box(80, y + slot * 27, 300, 24, f"block {block}", kind="gpu")
            if block == 0:
                c.box(384, y, 300, 24, "block 4", kind="accent")
            else:
                c.box(384, y + slot * 27, 300, 24, "nothing to do", kind="ghost")
    c.arrow(80, 138, 690, 138, "")
    c.text(66, 138, "time", size=13, anchor="end", kind="muted")
