"""The life of an IPC memory handle across two processes."""

from lockstep_sphinx.drawings.canvas import Canvas

OWNER = (
    ("cudaMalloc", "gpu", 0),
    ("cudaIpcGetMemHandle, send", "accent", 1),
    ("wait for the answer", "ghost", 4),
    ("cudaFree", "gpu", 6),
)
OTHER = (
    ("cudaIpcOpenMemHandle", "accent", 2),
    ("use the memory", "gpu", 3),
    ("cudaIpcCloseMemHandle, answer", "accent", 5),
)


def draw(c: Canvas) -> None:
    c.size(720, 350)
    width, gap, top, step, height = 270, 180, 34, 44, 36
    right = width + gap
    c.text(width / 2, 18, "owner", kind="strong")
    c.text(right + width / 2, 18, "other process", kind="strong")
    for text, kind, row in OWNER:
        c.box(0, top + step * row, width, height, text, kind)
    for text, kind, row in OTHER:
        c.box(right, top + step * row, width, height, text, kind)
    c.arrow(width + 4, top + step * 1 + 20, right - 4, top + step * 2 + 16)
    c.arrow(right - 4, top + step * 5 + 20, width + 4, top + step * 6 + 16)
    c.text(width + gap / 2, top + step * 1 - 6, "64 bytes", 13)
    c.text(width + gap / 2, top + step * 5 - 6, "any message", 13)


def draw_narrow(c: Canvas) -> None:
    c.size(348, 380)
    c.text(174, 16, "left: owner, right: other process", 13)
    rows = sorted((*((*row, False) for row in OWNER), *((*row, True) for row in OTHER)), key=lambda row: row[2])
    for i, (text, kind, _, other) in enumerate(rows):
        c.box(70 if other else 8, 34 + 48 * i, 270, 38, text, kind)
