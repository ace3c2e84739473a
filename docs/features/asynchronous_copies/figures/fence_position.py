"""Where the proxy fence stands: after the threads' stores, before the barrier, before TMA reads."""

from lockstep_sphinx.drawings.canvas import Canvas

# what happens, who does it, kind
STEPS = (
    ("store to the tile", "each thread", "gpu"),
    ("proxy fence", "each thread", "accent"),
    ("barrier of the block", "each thread", "gpu"),
    ("start the copy", "one thread", "gpu"),
    ("read the tile", "TMA", "memory"),
)


def draw(c: Canvas) -> None:
    c.size(720, 96)
    for i, (what, who, kind) in enumerate(STEPS):
        c.text(72 + 144 * i, 12, who, 12, "middle", "muted")
        c.box(6 + 144 * i, 26, 128, 40, what, kind)
        if i:
            c.arrow(134 + 144 * (i - 1), 46, 148 + 144 * (i - 1), 46)
    c.text(294, 84, "generic proxy", 12, "middle", "muted")
    c.text(648, 84, "async proxy", 12, "middle", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(350, 320)
    for i, (what, who, kind) in enumerate(STEPS):
        c.text(84, 28 + 62 * i, who, 12, "end", "muted")
        c.box(92, 8 + 62 * i, 160, 40, what, kind)
        if i:
            c.arrow(172, 48 + 62 * (i - 1), 172, 68 + 62 * (i - 1))
    c.text(258, 122, "generic\nproxy", 12, "start", "muted")
    c.text(258, 276, "async\nproxy", 12, "start", "muted")
