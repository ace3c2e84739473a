"""Which code of a kernel the driver loads, and the variables that remove a choice."""

from lockstep_sphinx.drawings.canvas import Canvas

STEPS = (
    ("cubin that fits,\nin the executable", "gpu", "CUDA_FORCE_PTX_JIT=1", "skips this"),
    ("machine code,\nin the compute cache", "memory", "CUDA_CACHE_DISABLE=1", "skips this"),
    ("PTX that fits,\ncompiled now", "accent", "CUDA_DISABLE_PTX_JIT=1", "forbids this"),
)


def draw(c: Canvas) -> None:
    c.size(720, 196)
    for i, (text, kind, variable, effect) in enumerate(STEPS):
        x = 10 + 190 * i
        c.box(x, 30, 146, 54, text, kind=kind)
        c.arrow(x + 146, 57, x + 190, 57, "no")
        c.text(x + 73, 120, variable, size=12, kind="code")
        c.text(x + 73, 140, effect, size=13, kind="muted")
    c.box(580, 30, 130, 54, "the call returns\nan error", kind="warn")
    c.text(10, 182, "The driver takes the first of the three that there is.", size=14, anchor="start")


def draw_narrow(c: Canvas) -> None:
    c.size(340, 400)
    for i, (text, kind, variable, effect) in enumerate(STEPS):
        y = 10 + 100 * i
        c.box(10, y, 150, 54, text, kind=kind)
        c.arrow(85, y + 54, 85, y + 100, "no")
        c.text(172, y + 22, variable, size=11, kind="code", anchor="start")
        c.text(172, y + 42, effect, size=13, kind="muted", anchor="start")
    c.box(10, 310, 150, 54, "the call returns\nan error", kind="warn")
    c.text(10, 390, "The driver takes the first that there is.", size=14, anchor="start")
