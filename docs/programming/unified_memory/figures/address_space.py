"""The addresses of a process: ranges of host, GPUs and managed memory."""

from lockstep_sphinx.drawings.canvas import Canvas

RANGES = (
    (10, 110, "pageable:\nmalloc, new", "cpu"),
    (132, 130, "pinned:\ncudaMallocHost", "cpu"),
    (276, 120, "GPU 0:\ncudaMalloc", "gpu"),
    (410, 120, "GPU 1:\ncudaMalloc", "gpu"),
    (546, 164, "managed:\ncudaMallocManaged", "accent"),
)
HOST, GPU, EITHER = "lies in\nhost memory", "lies in the\nGPU's memory", "in either,\npage by page"


def draw(c: Canvas) -> None:
    c.size(720, 150)
    c.line(10, 44, 710, 44)
    for x, w, text, kind in RANGES:
        c.box(x, 20, w, 48, text, kind=kind)
    c.text(10, 88, "low addresses", size=12, kind="muted", anchor="start")
    c.text(710, 88, "high addresses", size=12, kind="muted", anchor="end")
    for x1, x2, middle, text in ((10, 262, 200, HOST), (276, 530, 402, GPU), (546, 710, 628, EITHER)):
        c.line(x1, 104, x2, 104)
        c.text(middle, 122, text.replace("\n", " "), size=13)


def draw_narrow(c: Canvas) -> None:
    c.size(330, 352)
    c.text(105, 14, "low addresses", size=12, kind="muted")
    c.line(105, 28, 105, 324)
    for number, (_, _, text, kind) in enumerate(RANGES):
        c.box(20, 28 + number * 62, 170, 48, text, kind=kind)
    c.text(105, 340, "high addresses", size=12, kind="muted")
    for y1, y2, text in ((28, 138, HOST), (152, 262, GPU), (276, 324, EITHER)):
        c.line(206, y1, 206, y2)
        c.text(216, (y1 + y2) / 2, text, size=13, anchor="start")
