"""Unified and explicit memory as data flow."""

from lockstep_sphinx.drawings.canvas import Box, Canvas


def unified(c: Canvas, left: float, right: float, side: float, array: float) -> None:
    middle, y = (left + right) / 2, 36
    c.text(left, 16, "unified", anchor="start", kind="strong")
    c.box(left, y, side, 60, "CPU", kind="cpu")
    c.box(middle - array / 2, y, array, 60, "one array,\none pointer", kind="memory")
    c.box(right - side, y, side, 60, "GPU", kind="gpu")
    c.arrow(left + side, y + 30, middle - array / 2 - 2, y + 30)
    c.arrow(right - side, y + 30, middle + array / 2 + 2, y + 30)
    c.text(middle, 112, "pages move when they are touched", size=13, kind="muted")


def explicit(c: Canvas, cpu: Box, a: Box, d_a: Box, gpu: Box, gap: str = " ") -> None:
    c.text(cpu[0], 160, "explicit", anchor="start", kind="strong")
    c.box(*cpu, "CPU", kind="cpu")
    c.box(*a, f"a\nhost{gap}memory", kind="memory")
    c.box(*d_a, f"d_a\ndevice{gap}memory", kind="memory")
    c.box(*gpu, "GPU", kind="gpu")
    begin, end, y = a[0] + a[2], d_a[0], a[1]
    c.arrow(begin, y + 16, end - 2, y + 16, "cudaMemcpy in")
    c.arrow(end, y + 46, begin + 2, y + 46)
    c.text((begin + end) / 2, y + 62, "cudaMemcpy out", size=12, kind="muted")
    c.text((begin + end) / 2, y + 94, "you say when, and what", size=13, kind="muted")


def draw(c: Canvas) -> None:
    c.size(720, 300)
    unified(c, 10, 710, 130, 220)
    c.text(194, 57, "writes, reads", size=12, kind="muted")
    c.text(526, 57, "reads, writes", size=12, kind="muted")
    explicit(c, (10, 190, 110, 60), (160, 190, 130, 60), (430, 190, 130, 60), (600, 190, 110, 60))
    c.line(120, 220, 160, 220)
    c.line(560, 220, 600, 220)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 364)
    unified(c, 8, 344, 50, 98)
    c.text(92, 46, "writes,\nreads", size=12, kind="muted")
    c.text(260, 46, "reads,\nwrites", size=12, kind="muted")
    explicit(c, (8, 180, 98, 44), (8, 250, 98, 66), (246, 250, 98, 66), (246, 180, 98, 44), gap="\n")
    c.line(57, 224, 57, 250)
    c.line(295, 224, 295, 250)
