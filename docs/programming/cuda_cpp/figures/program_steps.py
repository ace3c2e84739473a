"""The five steps of a CUDA program on the host, and the pages that explain them."""

from lockstep_sphinx.drawings.canvas import Canvas

STEPS = ("allocate", "copy input", "launch", "wait", "copy result")
PAGES = ("memory", "memory", "kernels,\nindexing", "synchronization", "memory")


def draw(c: Canvas) -> None:
    c.size(720, 262)
    c.text(70, 62, "host", 13, "end")
    c.text(70, 152, "device", 13, "end")
    for i, (step, page) in enumerate(zip(STEPS, PAGES, strict=True)):
        x = 84 + i * 127
        c.text(x + 57, 22, page, 12, "middle", "muted")
        c.box(x, 44, 114, 36, step, "accent" if step == "launch" else "cpu")
    c.box(395, 134, 198, 36, "kernel", "gpu")
    c.box(84, 190, 622, 34, "device memory", "memory")
    c.arrow(268, 80, 268, 188)
    c.arrow(395, 80, 420, 132, dashed=True)
    c.arrow(560, 132, 530, 82, dashed=True)
    c.arrow(649, 190, 649, 82)
    c.text(395, 246, "each call returns a status: error checking", 12, "middle", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(350, 366)
    c.text(70, 14, "host", 13)
    c.text(266, 14, "device", 13)
    for i, (step, page) in enumerate(zip(STEPS, PAGES, strict=True)):
        y = 30 + i * 60
        c.box(10, y, 120, 32, step, "accent" if step == "launch" else "cpu")
        c.text(70, y + 43, page.replace("\n", " "), 11, "middle", "muted")
    c.box(182, 156, 72, 80, "kernel", "gpu")
    c.box(274, 90, 70, 212, "device\nmemory", "memory")
    c.arrow(130, 106, 272, 106)
    c.arrow(130, 166, 180, 172, dashed=True)
    c.arrow(182, 226, 132, 226, dashed=True)
    c.arrow(274, 286, 132, 286)
    c.text(175, 350, "each call returns a status: error checking", 12, "middle", "muted")
