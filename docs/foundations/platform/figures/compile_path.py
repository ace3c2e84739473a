"""From CUDA C++ to machine code: at build time, or in the driver."""

from lockstep_sphinx.drawings.canvas import Canvas

BOXES = (
    ("CUDA C++\nkernel.cu", "plain"),
    ("PTX\ncompute_80", "accent"),
    ("cubin\nsm_80", "gpu"),
    ("PTX\ncompute_80", "accent"),
    ("machine code\non the GPU", "gpu"),
    ("compiler in\nthe driver", "warn"),
)


def boxes(c: Canvas, *places: tuple[float, ...]) -> None:
    for (text, kind), (x, y, w) in zip(BOXES, places, strict=True):
        c.box(x, y, w, 54, text, kind=kind)


def draw(c: Canvas) -> None:
    c.size(720, 260)
    c.box(400, 10, 150, 194, kind="ghost")
    c.text(475, 196, "fat binary", size=13, kind="muted")
    boxes(c, (10, 80, 96), (190, 80, 116), (415, 28, 120), (415, 116, 120), (610, 28, 100), (610, 116, 100))
    c.arrow(106, 107, 190, 107, "nvcc")
    c.arrow(306, 96, 415, 58, "ptxas")
    c.arrow(306, 120, 415, 143)
    c.arrow(535, 55, 610, 55)
    c.arrow(535, 143, 610, 143, dashed=True)
    c.arrow(660, 116, 660, 82, dashed=True)
    c.line(573, 10, 573, 216, dashed=True)
    c.text(290, 240, "when the program is built", kind="strong")
    c.text(645, 240, "when it runs", kind="strong")


def draw_narrow(c: Canvas) -> None:
    c.size(340, 456)
    c.box(15, 216, 310, 96, kind="ghost")
    c.text(170, 298, "fat binary", size=13, kind="muted")
    boxes(c, (112, 30, 116), (112, 120, 116), (27, 228, 116), (197, 228, 116), (27, 392, 116), (197, 392, 116))
    c.arrow(170, 84, 170, 120, "nvcc")
    c.arrow(136, 174, 85, 228, "ptxas")
    c.arrow(204, 174, 255, 228)
    c.arrow(85, 282, 85, 392)
    c.arrow(255, 282, 255, 392, dashed=True)
    c.arrow(197, 419, 143, 419, dashed=True)
    c.line(6, 336, 334, 336, dashed=True)
    c.text(170, 14, "when the program is built", kind="strong")
    c.text(170, 360, "when it runs", kind="strong")
