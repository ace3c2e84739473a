"""Addresses, physical memory, mappings and rights: four separate things."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(720, 250)
    c.text(0, 16, "range of addresses (cuMemAddressReserve)", 13, "start", "strong")
    c.box(0, 32, 200, 44, "mapped,\nread and write", "gpu")
    c.box(200, 32, 200, 44, "mapped,\nno access", "accent")
    c.box(400, 32, 320, 44, "reserved only", "ghost")
    c.text(0, 230, "physical memory (cuMemCreate)", 13, "start", "strong")
    c.box(60, 170, 200, 44, "memory 1", "plain")
    c.box(330, 170, 200, 44, "memory 2", "plain")
    c.arrow(100, 78, 150, 168)
    c.arrow(300, 78, 420, 168)
    c.text(165, 122, "mappings (cuMemMap)", 13, "start", "muted")
    c.text(560, 122, "rights of each mapping:\ncuMemSetAccess", 13, "middle", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(348, 270)
    c.text(0, 14, "range of addresses", 13, "start", "strong")
    c.box(0, 30, 110, 50, "mapped,\nread, write", "gpu")
    c.box(110, 30, 110, 50, "mapped,\nno access", "accent")
    c.box(220, 30, 128, 50, "reserved\nonly", "ghost")
    c.box(20, 190, 130, 44, "memory 1", "plain")
    c.box(190, 190, 130, 44, "memory 2", "plain")
    c.text(0, 254, "physical memory", 13, "start", "strong")
    c.arrow(55, 82, 80, 188)
    c.arrow(165, 82, 240, 188)
    c.text(210, 110, "mappings", 13, "start", "muted")
