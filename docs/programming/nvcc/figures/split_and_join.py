"""nvcc splits a file into host code and device code, has each compiled, and joins the results."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(720, 196)
    c.box(10, 72, 104, 44, "hello.cu")
    c.box(174, 20, 110, 44, "host code", "cpu")
    c.box(174, 124, 110, 44, "device code", "gpu")
    c.box(344, 20, 150, 44, "C++ compiler", "cpu")
    c.box(344, 124, 150, 44, "device compilers", "gpu")
    c.box(554, 56, 156, 76, "hello.o:\nhost code, and code\nfor one or more GPUs", "memory")
    c.arrow(114, 86, 172, 46)
    c.arrow(114, 102, 172, 142)
    c.arrow(284, 42, 342, 42)
    c.arrow(284, 146, 342, 146)
    c.arrow(494, 46, 552, 80)
    c.arrow(494, 142, 552, 108)
    c.text(62, 138, "nvcc splits", 12, "middle", "muted")
    c.text(419, 96, "nvcc calls both", 12, "middle", "muted")
    c.text(632, 154, "nvcc joins", 12, "middle", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(340, 330)
    c.box(110, 8, 120, 38, "hello.cu")
    c.text(244, 27, "nvcc splits", 12, "start", "muted")
    c.box(14, 82, 140, 38, "host code", "cpu")
    c.box(186, 82, 140, 38, "device code", "gpu")
    c.box(14, 156, 140, 38, "C++ compiler", "cpu")
    c.box(186, 156, 140, 38, "device compilers", "gpu")
    c.box(80, 236, 180, 66, "hello.o:\nhost code, and code\nfor one or more GPUs", "memory")
    c.arrow(146, 46, 100, 80)
    c.arrow(194, 46, 240, 80)
    c.arrow(84, 120, 84, 154)
    c.arrow(256, 120, 256, 154)
    c.arrow(84, 194, 120, 234)
    c.arrow(256, 194, 220, 234)
    c.text(170, 212, "nvcc joins", 12, "middle", "muted")
