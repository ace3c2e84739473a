"""Three arrays cut out of one piece of shared memory, aligned and not."""

from lockstep_sphinx.drawings.canvas import Canvas


def strips(c: Canvas, step: float, aligned: float, floats: float, end: float) -> None:
    """`aligned` is where the floats begin if they begin at byte 256, `floats` is how wide they are."""
    rows = (
        ("128 shorts", 0, 0, "accent", "256: aligned"),
        ("127 shorts, as they come", 14, 0, "warn", "byte 254: no multiple of 4"),
        ("127 shorts, rounded up", 14, 14, "accent", "256: aligned again"),
    )
    for row, (title, less, gap, kind, caption) in enumerate(rows):
        y = 24 + row * step
        c.text(10, y, title, size=13, anchor="start", kind="strong")
        y += 14
        split = aligned - less
        c.box(10, y, split - 10, 30, "shorts", kind="gpu")
        if gap:
            c.box(split, y, gap, 30, kind="ghost")
            split += gap
        c.box(split, y, floats, 30, "floats", kind=kind)
        c.box(split + floats, y, end - split - floats, 30, "chars", kind="memory")
        c.text(10, y + 40, "0", size=12, kind="muted")
        c.text(split, y + 40, caption, size=12, kind="muted", anchor="start")


def draw(c: Canvas) -> None:
    c.size(720, 250)
    strips(c, 76, 250, 340, 710)


def draw_narrow(c: Canvas) -> None:
    c.size(346, 270)
    strips(c, 86, 126, 154, 336)
