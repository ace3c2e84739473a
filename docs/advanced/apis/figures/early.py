"""Two kernels in a stream: one after the other, and with a programmatic dependent launch."""

from lockstep_sphinx.drawings.canvas import Canvas

# track, begin, length, words, kind
PLAIN = (
    (0, 0, 300, "first kernel", "gpu"),
    (0, 335, 110, "prologue", "memory"),
    (0, 445, 150, "uses results", "accent"),
)
DEPENDENT = (
    (0, 0, 300, "first kernel", "gpu"),
    (1, 130, 110, "prologue", "memory"),
    (1, 240, 62, "waits", "ghost"),
    (1, 304, 150, "uses results", "accent"),
)


def draw(c: Canvas) -> None:
    c.size(720, 232)
    for top, name, boxes in (14, "plain", PLAIN), (104, "dependent launch", DEPENDENT):
        c.text(10, top, name, 14, "start", "strong")
        for track, begin, length, words, kind in boxes:
            c.box(60 + begin, top + 14 + 40 * track, length, 30, words, kind)
    c.text(378, 74, "launch", 12, "middle", "muted")
    c.arrow(180, 206, 180, 150)
    c.text(172, 216, "trigger", 12, "middle", "muted")
    c.arrow(362, 206, 362, 190)
    c.text(362, 216, "first kernel complete", 12, "middle", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 482)
    for left, name, boxes in (6, "plain", PLAIN), (106, "dependent launch", DEPENDENT):
        c.text(left, 14, name, 14, "start", "strong")
        for track, begin, length, words, kind in boxes:
            c.box(left + 82 * track, 30 + begin * 0.75, 78, length * 0.75, words.replace(" ", "\n"), kind)
    c.text(45, 268, "launch", 12, "middle", "muted")
    c.arrow(266, 118, 186, 118)
    c.text(272, 118, "trigger", 12, "start", "muted")
    c.arrow(288, 257, 268, 257)
    c.text(292, 257, "first\nkernel\ncomplete", 12, "start", "muted")
