"""From CUDA C++ to machine code: at build time, or in the driver."""


def draw(c):
    c.size(720, 260)
    c.box(400, 10, 150, 194, kind="ghost")
    c.text(475, 196, "fat binary", size=13, kind="muted")
    c.box(10, 80, 96, 54, "CUDA C++\nkernel.cu", kind="plain")
    c.box(190, 80, 116, 54, "PTX\ncompute_80", kind="accent")
    c.box(415, 28, 120, 54, "cubin\nsm_80", kind="gpu")
    c.box(415, 116, 120, 54, "PTX\ncompute_80", kind="accent")
    c.box(610, 28, 100, 54, "machine code\non the GPU", kind="gpu")
    c.box(610, 116, 100, 54, "compiler in\nthe driver", kind="warn")
    c.arrow(106, 107, 190, 107, "nvcc")
    c.arrow(306, 96, 415, 58, "ptxas")
    c.arrow(306, 120, 415, 143)
    c.arrow(535, 55, 610, 55)
    c.arrow(535, 143, 610, 143, dashed=True)
    c.arrow(660, 116, 660, 82, dashed=True)
    c.line(573, 10, 573, 216, dashed=True)
    c.text(290, 240, "when the program is built", kind="strong")
    c.text(645, 240, "when it runs", kind="strong")
