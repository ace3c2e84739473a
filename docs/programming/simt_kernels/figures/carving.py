"""Three arrays cut out of one piece of shared memory, aligned and not."""


def draw(c):
    c.size(720, 250)
    rows = (
        ("128 shorts", 256, 0, "aligned"),
        ("127 shorts, as they come", 254, 0, "byte 254: no multiple of 4"),
        ("127 shorts, rounded up", 254, 2, "aligned again"),
    )
    for row, (title, shorts, gap, verdict) in enumerate(rows):
        y = 24 + row * 76
        c.text(10, y, title, size=13, anchor="start", kind="strong")
        y += 14
        split = 250 - (0 if row == 0 else 14)
        c.box(10, y, split - 10, 30, "shorts", kind="gpu")
        if gap:
            c.box(split, y, 14, 30, kind="ghost")
            split += 14
        c.box(split, y, 340, 30, "floats", kind="warn" if row == 1 else "accent")
        c.box(split + 340, y, 710 - split - 340, 30, "chars", kind="memory")
        c.text(10, y + 40, "0", size=12, kind="muted")
        c.text(
            split, y + 40, f"{shorts + gap}: {verdict}" if row != 1 else verdict, size=12, kind="muted", anchor="start"
        )
