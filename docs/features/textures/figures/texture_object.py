"""What a texture object joins: the memory with the texels, and the description of how to read them."""

from lockstep_sphinx.drawings.canvas import Canvas

MEMORY = "memory with texels\narray, pitched or linear"
HOW = "texture description\nfilter, edges, conversion"
MEMORY_NARROW, HOW_NARROW = "memory\nwith texels", "texture\ndescription"
FETCH = "fetch in a kernel\ntex2D<float4>(object, u, v)"


def draw(c: Canvas) -> None:
    c.size(720, 150)
    c.box(6, 8, 200, 56, MEMORY, "memory")
    c.box(6, 86, 200, 56, HOW, "plain")
    c.box(292, 47, 136, 56, "texture object", "accent")
    c.box(506, 47, 208, 56, FETCH, "gpu")
    c.arrow(208, 40, 290, 64)
    c.arrow(208, 110, 290, 86)
    c.arrow(430, 75, 504, 75, "argument")


def draw_narrow(c: Canvas) -> None:
    c.size(348, 250)
    c.box(6, 6, 164, 60, MEMORY_NARROW, "memory")
    c.box(178, 6, 164, 60, HOW_NARROW, "plain")
    c.arrow(88, 68, 140, 102)
    c.arrow(260, 68, 208, 102)
    c.box(94, 104, 160, 48, "texture object", "accent")
    c.arrow(174, 154, 174, 190, "argument")
    c.box(60, 192, 228, 52, FETCH, "gpu")
