"""An executable with its fat binary: two cubins and one PTX text."""

from lockstep_sphinx.drawings.canvas import Canvas

IMAGES = [
    ("cubin sm_80", "gpu", "GPU 8.0,\n8.6, 8.9"),
    ("cubin sm_90", "gpu", "GPU 9.0"),
    ("PTX compute_90", "accent", "GPU 10.0,\n12.0 ..."),
]


def executable(c: Canvas, left: float, w: float, margin: float) -> None:
    c.box(left, 10, w, 270)
    c.text(left + w / 2, 34, "executable", kind="strong")
    c.box(left + margin + 8, 46, w - 2 * margin - 16, 36, "code for the CPU", kind="cpu")
    c.box(left + margin, 92, w - 2 * margin, 178, kind="ghost")
    c.text(left + w / 2, 112, "fat binary", size=13, kind="muted")


def images(c: Canvas, x: float, w: float, gpu_x: float, gpu_w: float, fold: str, note: str) -> None:
    for i, (image, kind, gpu) in enumerate(IMAGES):
        y = 124 + 48 * i
        late = image.startswith("PTX")
        c.box(x, y, w, 38, image, kind=kind)
        c.box(gpu_x, y, gpu_w, 38, gpu.replace("\n", fold), kind="gpu")
        c.arrow(x + w, y + 19, gpu_x, y + 19, note if late else "", dashed=late)


def draw(c: Canvas) -> None:
    c.size(640, 290)
    executable(c, 10, 230, 12)
    images(c, 32, 186, 450, 180, " ", "compiled on arrival")


def draw_narrow(c: Canvas) -> None:
    c.size(356, 290)
    executable(c, 4, 168, 6)
    images(c, 20, 136, 262, 90, "\n", "compiled")
    c.text(209, 249, "on arrival", size=12, kind="muted")
