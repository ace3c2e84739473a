"""Application, runtime, driver and GPU, one on top of the other."""

from lockstep_sphinx.drawings.canvas import Canvas

LAYERS = (
    ("runtime API\nlibrary of the toolkit", "accent", "ask cudaRuntimeGetVersion", "changes with the toolkit"),
    ("driver API\nlibrary of the NVIDIA driver", "accent", "ask cudaDriverGetVersion", "changes with a driver update"),
    ("GPU", "gpu", "ask for the compute capability", "changes with the hardware"),
)


def program(c: Canvas, w: float) -> None:
    c.box(10, 10, w, 56, "your program\nCPU code, and GPU code for the driver", kind="cpu")


def layer(c: Canvas, number: int, y: float, w: float, h: float, text_y: float) -> None:
    text, kind = LAYERS[number][:2]
    c.box(10, y, w, h, kind=kind)
    c.text(10 + w / 2, text_y, text)


def note(c: Canvas, number: int, x: float, y: float, anchor: str) -> None:
    ask, changes = LAYERS[number][2:]
    c.text(x, y, ask, size=13, anchor=anchor, kind="muted")
    c.text(x, y + 20, changes, size=13, anchor=anchor, kind="muted")


def draw(c: Canvas) -> None:
    c.size(700, 350)
    program(c, 440)
    layer(c, 0, 106, 260, 56, 134)
    layer(c, 1, 202, 440, 56, 230)
    layer(c, 2, 294, 440, 46, 317)
    for number, y in enumerate((128, 224, 312)):
        note(c, number, 470, y, "start")
    c.arrow(140, 66, 140, 106)
    c.arrow(140, 162, 140, 202)
    c.arrow(360, 66, 360, 202)
    c.arrow(230, 258, 230, 294)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 466)
    program(c, 320)
    layer(c, 0, 102, 230, 100, 128)
    layer(c, 1, 238, 320, 100, 264)
    layer(c, 2, 374, 320, 82, 392)
    for number, (x, y) in enumerate(((125, 164), (170, 300), (170, 418))):
        note(c, number, x, y, "middle")
    c.arrow(125, 66, 125, 102)
    c.arrow(125, 202, 125, 238)
    c.arrow(285, 66, 285, 238)
    c.arrow(170, 338, 170, 374)
