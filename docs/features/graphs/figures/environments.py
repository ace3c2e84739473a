"""Execution environments: what contains what, when graphs launch graphs."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(720, 210)
    c.box(6, 6, 708, 198, kind="ghost")
    c.text(20, 22, "stream environment", size=12, anchor="start", kind="muted")
    c.box(20, 40, 330, 90, kind="plain")
    c.text(34, 54, "environment of the parent", size=12, anchor="start", kind="muted")
    c.box(34, 72, 110, 44, "parent", kind="gpu")
    c.box(220, 72, 116, 44, "child", kind="accent")
    c.arrow(146, 94, 216, 94, "launches")
    c.box(440, 40, 260, 90, kind="plain")
    c.text(454, 54, "environment of the tail", size=12, anchor="start", kind="muted")
    c.box(515, 72, 110, 44, "tail", kind="gpu")
    c.arrow(352, 94, 436, 94, "complete")
    c.box(220, 150, 405, 40, "sibling", kind="accent")
    c.arrow(90, 118, 216, 168)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 390)
    c.box(4, 4, 344, 382, kind="ghost")
    c.text(14, 20, "stream environment", size=12, anchor="start", kind="muted")
    c.box(14, 36, 230, 170, kind="plain")
    c.text(24, 52, "environment of the parent", size=12, anchor="start", kind="muted")
    c.box(30, 70, 110, 40, "parent", kind="gpu")
    c.box(30, 154, 110, 40, "child", kind="accent")
    c.arrow(85, 112, 85, 151, "launches")
    c.box(258, 70, 84, 300, "sibling", kind="accent")
    c.arrow(142, 90, 255, 90)
    c.box(14, 270, 230, 100, kind="plain")
    c.text(24, 286, "environment of the tail", size=12, anchor="start", kind="muted")
    c.box(60, 308, 110, 44, "tail", kind="gpu")
    c.arrow(120, 208, 120, 267, "complete")
