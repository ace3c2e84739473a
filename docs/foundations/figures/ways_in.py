"""Five ways to use a GPU, by effort and control."""

from lockstep_sphinx.drawings.canvas import Canvas

RUNGS = (
    ("language", "NVIDIA Warp, OpenAI Triton", "memory"),
    ("framework", "neural networks", "memory"),
    ("library", "cuBLAS, cuFFT, cuDNN,\nCUTLASS, Thrust", "accent"),
    ("kernel", "CUDA C++: most of this site", "gpu"),
    ("PTX", "the GPU's assembly language", "cpu"),
)


def ladder(c: Canvas, left: float, top: float, width: float, between: str) -> None:
    for i, (name, what, kind) in enumerate(RUNGS):
        y = top + i * 47
        c.box(left, y, width, 38, name, kind=kind)
        c.text(left + width + 16, y + 19, what.replace("\n", between), size=13, anchor="start", kind="muted")


def draw(c: Canvas) -> None:
    c.size(700, 250)
    ladder(c, 10, 10, 130, " ")
    c.arrow(560, 14, 560, 236)
    c.text(576, 29, "less effort,\nless control", size=13, anchor="start", kind="muted")
    c.text(576, 217, "more effort,\nmore control", size=13, anchor="start", kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(346, 288)
    c.text(340, 12, "less effort, less control", size=13, anchor="end", kind="muted")
    ladder(c, 6, 30, 96, "\n")
    c.arrow(333, 28, 333, 260)
    c.text(340, 275, "more effort, more control", size=13, anchor="end", kind="muted")
