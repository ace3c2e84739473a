"""An array that grows: a second array and a copy, or more memory after its end."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(720, 290)
    c.text(0, 12, "cudaMalloc: a larger array elsewhere, and a copy", 13, "start", "strong")
    c.box(0, 28, 220, 38, "old array", "gpu")
    c.box(220, 28, 120, 38, "in use", "muted")
    c.box(340, 28, 300, 38, "new array", "gpu")
    c.line(110, 68, 110, 84)
    c.line(110, 84, 490, 84)
    c.arrow(490, 84, 490, 68)
    c.text(300, 98, "copy all elements, replace all pointers", 12, kind="muted")
    c.text(0, 140, "virtual memory management: more memory after the end", 13, "start", "strong")
    c.box(0, 156, 220, 38, "array", "gpu")
    c.box(220, 156, 80, 38, "new part", "accent")
    c.box(300, 156, 420, 38, "reserved addresses, no memory yet", "ghost")
    c.arrow(110, 196, 110, 234)
    c.arrow(260, 196, 400, 234)
    c.box(0, 236, 220, 38, "physical memory", "memory")
    c.box(360, 236, 80, 38, "more of it", "memory")


def draw_narrow(c: Canvas) -> None:
    c.size(348, 300)
    c.text(0, 12, "cudaMalloc: a larger array, and a copy", 13, "start", "strong")
    c.box(0, 28, 110, 38, "old array", "gpu")
    c.box(110, 28, 60, 38, "in use", "muted")
    c.box(170, 28, 150, 38, "new array", "gpu")
    c.line(55, 68, 55, 84)
    c.line(55, 84, 245, 84)
    c.arrow(245, 84, 245, 68)
    c.text(150, 98, "copy, replace all pointers", 12, kind="muted")
    c.text(0, 140, "VMM: more memory after the end", 13, "start", "strong")
    c.box(0, 156, 110, 44, "array", "gpu")
    c.box(110, 156, 60, 44, "new\npart", "accent")
    c.box(170, 156, 178, 44, "reserved addresses,\nno memory yet", "ghost")
    c.arrow(55, 202, 55, 240)
    c.arrow(140, 202, 210, 240)
    c.box(0, 242, 130, 40, "physical memory", "memory")
    c.box(170, 242, 90, 40, "more of it", "memory")
