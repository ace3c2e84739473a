"""Two kernels of a stream that overlap: the trigger, the prologue, the wait, and when results may be read."""

from lockstep_sphinx.drawings.canvas import Canvas

# track, begin, length, words, kind
PLAIN = (
    (0, 0, 300, "primary", "gpu"),
    (0, 335, 110, "prologue", "memory"),
    (0, 445, 150, "uses results", "accent"),
)
DEPENDENT = (
    (0, 0, 300, "primary", "gpu"),
    (1, 130, 110, "prologue", "memory"),
    (1, 240, 70, "waits", "ghost"),
    (1, 310, 150, "uses results", "accent"),
)


def draw(c: Canvas) -> None:
    c.size(720, 236)
    for top, name, boxes in (14, "plain launch", PLAIN), (96, "programmatic dependent launch", DEPENDENT):
        c.text(10, top, name, 14, "start", "strong")
        for track, begin, length, words, kind in boxes:
            c.box(60 + begin, top + 14 + 42 * track, length, 30, words, kind)
    c.text(378, 74, "launch", 12, "middle", "muted")
    c.arrow(180, 208, 180, 142)
    c.text(180, 220, "trigger: the secondary may start", 12, "middle", "muted")
    c.line(366, 106, 366, 208, dashed=True)
    c.text(372, 220, "primary complete,\nits writes are visible: the wait returns", 12, "start", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 482)
    for left, name, boxes in (6, "plain", PLAIN), (106, "dependent", DEPENDENT):
        c.text(left, 14, name, 14, "start", "strong")
        for track, begin, length, words, kind in boxes:
            c.box(left + 82 * track, 30 + begin * 0.75, 78, length * 0.75, words.replace(" ", "\n"), kind)
    c.text(45, 268, "launch", 12, "middle", "muted")
    c.arrow(266, 118, 186, 118)
    c.text(272, 118, "trigger", 12, "start", "muted")
    c.arrow(288, 260, 268, 260)
    c.text(292, 262, "primary\ncomplete,\nwait\nreturns", 11, "start", "muted")
