"""Two processes share an allocation: what each does, and what travels between them."""

from lockstep_sphinx.drawings.canvas import Canvas

EXPORTER = (
    ("create and export the pool", "accent", 0),
    ("allocate, fill, record event", "gpu", 1),
    ("wait for the importer's event", "ghost", 5),
    ("check, free", "accent", 6),
)
IMPORTER = (
    ("import the pool", "accent", 2),
    ("import the pointer, wait", "ghost", 3),
    ("use, free, record event", "gpu", 4),
)


def columns(c: Canvas, width: float, gap: float, words: tuple[str, str]) -> None:
    top, step, height = 34, 44, 36
    right = width + gap
    c.text(width / 2, 18, "exporter", kind="strong")
    c.text(right + width / 2, 18, "importer", kind="strong")
    for text, kind, row in EXPORTER:
        c.box(0, top + step * row, width, height, text, kind)
    for text, kind, row in IMPORTER:
        c.box(right, top + step * row, width, height, text, kind)
    c.arrow(width + 4, top + step * 1 + 20, right - 4, top + step * 2 + 16)
    c.arrow(right - 4, top + step * 4 + 20, width + 4, top + step * 5 + 16)
    c.text(width + gap / 2, top + step * 1 - 6, words[0], 13)
    c.text(width + gap / 2, top + step * 4 - 6, words[1], 13)


def draw(c: Canvas) -> None:
    c.size(720, 350)
    columns(c, 270, 180, ("descriptor,\nexport data, event", "event"))


def draw_narrow(c: Canvas) -> None:
    c.size(348, 380)
    c.text(174, 16, "exporter, then importer, then exporter", 13)
    rows = (*EXPORTER[:2], *IMPORTER, *EXPORTER[2:])
    for i, (text, kind, _) in enumerate(rows):
        own = i in (2, 3, 4)
        c.box(70 if own else 8, 34 + 48 * i, 270, 38, text, kind)
