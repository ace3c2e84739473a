"""An executable with its fat binary: two cubins and one PTX text."""

IMAGES = [
    ("cubin sm_80", "gpu", "GPU 8.0, 8.6, 8.9", ""),
    ("cubin sm_90", "gpu", "GPU 9.0", ""),
    ("PTX compute_90", "accent", "GPU 10.0, 12.0 ...", "compiled on arrival"),
]


def draw(c):
    c.size(640, 290)
    c.box(10, 10, 230, 270)
    c.text(125, 34, "executable", kind="strong")
    c.box(30, 46, 190, 36, "code for the CPU", kind="cpu")
    c.box(22, 92, 206, 178, kind="ghost")
    c.text(125, 112, "fat binary", size=13, kind="muted")
    for i, (image, kind, gpu, note) in enumerate(IMAGES):
        y = 124 + 48 * i
        c.box(32, y, 186, 38, image, kind=kind)
        c.box(450, y, 180, 38, gpu, kind="gpu")
        c.arrow(218, y + 19, 450, y + 19, note, dashed=bool(note))
