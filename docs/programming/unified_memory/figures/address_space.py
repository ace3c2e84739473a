"""The addresses of a process: ranges of host, GPUs and managed memory."""


def draw(c):
    c.size(720, 150)
    ranges = (
        (10, 110, "pageable:\nmalloc, new", "cpu"),
        (132, 130, "pinned:\ncudaMallocHost", "cpu"),
        (276, 120, "GPU 0:\ncudaMalloc", "gpu"),
        (410, 120, "GPU 1:\ncudaMalloc", "gpu"),
        (546, 164, "managed:\ncudaMallocManaged", "accent"),
    )
    c.line(10, 44, 710, 44)
    for x, w, text, kind in ranges:
        c.box(x, 20, w, 48, text, kind=kind)
    c.text(10, 88, "low addresses", size=12, kind="muted", anchor="start")
    c.text(710, 88, "high addresses", size=12, kind="muted", anchor="end")
    c.text(200, 122, "lies in host memory", size=13)
    c.text(402, 122, "lies in the GPU's memory", size=13)
    c.text(628, 122, "in either, page by page", size=13)
    for x1, x2 in ((10, 262), (276, 530), (546, 710)):
        c.line(x1, 104, x2, 104)
