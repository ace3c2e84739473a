"""One round of cluster launch control: the block asks and computes, the hardware cancels and answers meanwhile."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(720, 300)
    c.text(130, 14, "running block", 14, "middle", "strong")
    c.text(580, 14, "hardware", 14, "middle", "strong")
    c.box(20, 34, 220, 40, "one thread asks: try_cancel", "gpu")
    c.box(20, 92, 220, 70, "all threads compute\nthe current tile", "gpu")
    c.box(20, 180, 220, 40, "wait at the mbarrier", "warn")
    c.box(20, 240, 220, 44, "canceled? if so, which block?\notherwise end", "plain")
    c.box(480, 60, 200, 44, "cancels a block\nthat has not started", "accent")
    c.box(480, 128, 200, 44, "writes 16 bytes into the\nasking block's shared memory", "accent")
    c.box(480, 196, 200, 30, "completes the mbarrier", "accent")
    c.arrow(240, 54, 478, 78, "request")
    c.arrow(580, 104, 580, 126)
    c.arrow(580, 172, 580, 194)
    c.arrow(478, 210, 242, 200, "response is there")
    c.arrow(130, 74, 130, 90)
    c.arrow(130, 162, 130, 178)
    c.arrow(130, 220, 130, 238)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 440)
    c.text(90, 14, "running block", 14, "middle", "strong")
    c.text(268, 14, "hardware", 14, "middle", "strong")
    c.box(8, 34, 150, 50, "one thread asks:\ntry_cancel", "gpu")
    c.box(8, 112, 150, 150, "all threads compute\nthe current tile", "gpu")
    c.box(8, 290, 150, 44, "wait at the mbarrier", "warn")
    c.box(8, 362, 150, 64, "canceled?\nif so, which block?\notherwise end", "plain")
    c.box(196, 92, 148, 62, "cancels a block\nthat has not\nstarted", "accent")
    c.box(196, 176, 148, 62, "writes 16 bytes\ninto the block's\nshared memory", "accent")
    c.box(196, 260, 148, 44, "completes\nthe mbarrier", "accent")
    c.arrow(158, 60, 240, 90)
    c.arrow(270, 154, 270, 174)
    c.arrow(270, 238, 270, 258)
    c.arrow(240, 304, 160, 314)
    c.arrow(83, 84, 83, 110)
    c.arrow(83, 262, 83, 288)
    c.arrow(83, 334, 83, 360)
