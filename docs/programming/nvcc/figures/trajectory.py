"""What nvcc calls for one file and one target."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(720, 250)
    c.box(8, 98, 82, 44, "hello.cu", kind="plain")
    c.text(250, 18, "host code", kind="strong")
    c.box(150, 34, 96, 44, "preprocess", kind="cpu")
    c.box(290, 34, 96, 44, "cudafe++", kind="cpu")
    c.arrow(90, 108, 150, 62)
    c.arrow(246, 56, 290, 56)
    c.text(350, 236, "device code", kind="strong")
    c.box(130, 166, 92, 44, "preprocess", kind="gpu")
    c.box(252, 166, 60, 44, "cicc", kind="gpu")
    c.box(366, 166, 66, 44, "ptxas", kind="gpu")
    c.box(496, 166, 86, 44, "fatbinary", kind="gpu")
    c.arrow(90, 132, 130, 180)
    c.arrow(222, 188, 252, 188)
    c.arrow(312, 188, 366, 188)
    c.text(338, 152, "PTX", size=13)
    c.arrow(432, 188, 496, 188)
    c.text(464, 152, "cubin", size=13)
    c.box(496, 34, 96, 44, "compile", kind="cpu")
    c.arrow(386, 56, 496, 56)
    c.arrow(540, 166, 544, 78, "")
    c.text(586, 122, "fat binary", size=13)
    c.box(640, 34, 72, 44, "hello.o", kind="plain")
    c.arrow(592, 56, 640, 56)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 440)
    c.box(124, 8, 82, 44, "hello.cu", kind="plain")
    c.arrow(144, 52, 72, 92)
    c.arrow(186, 52, 268, 92)
    c.text(6, 60, "host code", anchor="start", kind="strong")
    for y, name in ((92, "preprocess"), (166, "cudafe++"), (314, "compile")):
        c.box(24, y, 96, 44, name, kind="cpu")
    c.arrow(72, 136, 72, 166)
    c.arrow(72, 210, 72, 314)
    c.arrow(72, 358, 72, 388)
    c.box(36, 388, 72, 44, "hello.o", kind="plain")
    c.text(334, 60, "device code", anchor="end", kind="strong")
    for k, name in enumerate(("preprocess", "cicc", "ptxas", "fatbinary")):
        c.box(220, 92 + 74 * k, 96, 44, name, kind="gpu")
    for y in (136, 210, 284):
        c.arrow(268, y, 268, y + 30)
    c.text(280, 224, "PTX", size=13, anchor="start")
    c.text(280, 298, "cubin", size=13, anchor="start")
    c.arrow(220, 336, 120, 336)
    c.text(170, 322, "fat binary", size=13)
