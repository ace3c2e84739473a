"""1000 elements under four blocks of 256 threads."""


def draw(c):
    c.size(720, 170)
    c.box(10, 34, 670, 36, "1000 elements", kind="memory")
    for block in range(4):
        c.box(10 + block * 171.5, 92, 171.5, 40, f"block {block}", kind="gpu")
    c.box(680, 92, 16, 40, kind="warn")
    c.line(680, 26, 680, 140, dashed=True)
    c.text(696, 152, "24 threads without an element", size=13, anchor="end", kind="muted")
    c.text(10, 16, "0", size=12, anchor="start", kind="code")
    c.text(678, 16, "999", size=12, anchor="end", kind="code")
