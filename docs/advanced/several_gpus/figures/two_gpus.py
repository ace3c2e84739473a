"""Two GPUs of one machine: their memories, the link between them, and the way through the host."""

from lockstep_sphinx.drawings.canvas import Canvas


def machine(c: Canvas, width: float, part: float) -> None:
    for device in (0, 1):
        x = 10 if device == 0 else width - 10 - part
        c.box(x, 8, part, 112, kind="plain")
        c.text(x + part / 2, 22, f"GPU {device}", kind="strong")
        c.box(x + 10, 36, part - 20, 34, "kernels", "gpu")
        c.box(x + 10, 76, part - 20, 34, "memory", "memory")
    left, right = 10 + part, width - 10 - part
    c.arrow(left - 9, 53, right + 8, 92)
    c.arrow(right + 9, 53, left - 8, 92)
    c.text(width / 2, 36, "NVLink: loads,\nstores, copies", 12)
    c.box(width / 2 - 75, 164, 150, 40, "host memory", "cpu")
    c.line(10 + part / 2, 122, width / 2 - 75, 180, dashed=True)
    c.line(width - 10 - part / 2, 122, width / 2 + 75, 180, dashed=True)
    c.text(width / 2, 150, "PCIe", 12, kind="muted")


def draw(c: Canvas) -> None:
    c.size(720, 214)
    machine(c, 720, 240)


def draw_narrow(c: Canvas) -> None:
    c.size(348, 214)
    machine(c, 348, 112)
