"""One tail that launches several grids, which may run at the same time."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(640, 170)
    c.box(10, 20, 230, 120, kind="ghost")
    c.box(25, 60, 80, 40, "parent", "gpu")
    c.box(145, 35, 80, 36, "child", "plain")
    c.box(145, 90, 80, 36, "child", "plain")
    c.arrow(105, 76, 144, 56)
    c.arrow(105, 84, 144, 106)
    c.box(275, 20, 230, 120, kind="ghost")
    c.box(290, 60, 80, 40, "T", "gpu")
    c.box(410, 35, 80, 36, "C1", "plain")
    c.box(410, 90, 80, 36, "C2", "plain")
    c.arrow(370, 76, 409, 56)
    c.arrow(370, 84, 409, 106)
    c.box(545, 60, 85, 40, "next work", "memory")
    c.arrow(241, 80, 274, 80)
    c.arrow(506, 80, 544, 80)
    c.text(125, 154, "the grid and its children", 12, kind="muted")
    c.text(390, 154, "its tail", 12, kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(340, 350)
    c.box(20, 10, 300, 115, kind="ghost")
    c.box(40, 50, 90, 40, "parent", "gpu")
    c.box(205, 22, 90, 36, "child", "plain")
    c.box(205, 78, 90, 36, "child", "plain")
    c.arrow(130, 66, 204, 42)
    c.arrow(130, 74, 204, 94)
    c.box(20, 155, 300, 115, kind="ghost")
    c.box(40, 195, 90, 40, "T", "gpu")
    c.box(205, 167, 90, 36, "C1", "plain")
    c.box(205, 223, 90, 36, "C2", "plain")
    c.arrow(130, 211, 204, 187)
    c.arrow(130, 219, 204, 239)
    c.box(120, 302, 100, 40, "next work", "memory")
    c.arrow(170, 126, 170, 154)
    c.arrow(170, 271, 170, 301)
