"""Five equal blocks on two SMs with room for two blocks each."""

from lockstep_sphinx.drawings.canvas import Canvas


def waves(c: Canvas, left: float, wide: float) -> None:
    second = left + wide + 4
    for sm in range(2):
        y = 8 + sm * 62
        c.text(left - 14, y + 25, f"SM {sm}", size=13, anchor="end")
        for slot in range(2):
            block = sm * 2 + slot
            c.box(left, y + slot * 27, wide, 24, f"block {block}", kind="gpu")
            if block == 0:
                c.box(second, y, wide, 24, "block 4", kind="accent")
            else:
                c.box(second, y + slot * 27, wide, 24, "idle", kind="ghost")
    c.arrow(left, 138, second + wide + 6, 138, "")
    c.text(left - 14, 138, "time", size=13, anchor="end", kind="muted")


def draw(c: Canvas) -> None:
    c.size(720, 150)
    waves(c, 80, 300)


def draw_narrow(c: Canvas) -> None:
    c.size(344, 150)
    waves(c, 52, 138)
