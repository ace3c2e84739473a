"""Which unified memory: three attributes, four kinds; the recording machine's path is marked."""

from lockstep_sphinx.drawings.canvas import Box, Canvas

Branch = tuple[float, float, float, float, float, float]
BOXES = (
    ("concurrentManagedAccess?", "accent"),
    ("limited:\nWindows, WSL, some Tegra", "muted"),
    ("pageableMemoryAccess?", "accent"),
    ("full, for\nmanaged memory:\nthe recording machine", "gpu"),
    ("pageableMemoryAccessUsesHostPageTables?", "accent"),
    ("full, all memory,\nin software: HMM", "memory"),
    ("full, all memory,\nin hardware: ATS", "memory"),
)


def tree(c: Canvas, *places: tuple[Box, *tuple[Branch, ...]]) -> None:
    """For each box its place, and for a question both branches: the place of the answer, and the arrow."""
    for (text, kind), (place, *branches) in zip(BOXES, places, strict=True):
        c.box(*place, text, kind=kind)
        for answer, (x, y, x1, y1, x2, y2) in enumerate(branches):
            c.arrow(x1, y1, x2, y2)
            c.text(x, y, str(answer), size=13, anchor="start" if answer else "end")


def draw(c: Canvas) -> None:
    c.size(720, 330)
    tree(
        c,
        ((180, 8, 300, 34), (170, 58, 250, 42, 130, 84), (428, 58, 400, 42, 430, 84)),
        ((20, 86, 220, 44),),
        ((290, 86, 300, 34), (246, 136, 340, 120, 190, 166), (518, 136, 490, 120, 520, 166)),
        ((40, 168, 260, 60),),
        ((340, 168, 370, 34), (404, 224, 430, 202, 400, 256), (628, 224, 600, 202, 630, 256)),
        ((310, 258, 190, 60),),
        ((520, 258, 190, 60),),
    )


def draw_narrow(c: Canvas) -> None:
    c.size(352, 444)
    tree(
        c,
        ((8, 8, 336, 34), (81, 58, 88, 42, 88, 76), (271, 58, 264, 42, 264, 146)),
        ((8, 78, 220, 44),),
        ((8, 148, 336, 34), (81, 198, 88, 182, 88, 216), (271, 198, 264, 182, 264, 304)),
        ((8, 218, 220, 60),),
        ((8, 306, 336, 34), (81, 356, 88, 340, 88, 374), (271, 356, 264, 340, 264, 374)),
        ((8, 376, 160, 60),),
        ((184, 376, 160, 60),),
    )
