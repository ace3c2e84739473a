"""Producer, ring and consumers."""

from lockstep_sphinx.drawings.canvas import Canvas, Point


def parts(c: Canvas, producer: Point, stages: Point, consumers: list[Point]) -> None:
    c.box(*producer, 120, 56, "producer:\none thread", kind="cpu")
    for i in range(4):
        c.box(stages[0] + 62 * i, stages[1], 56, 44, f"stage\n{i}", kind="memory")
    for i, place in enumerate(consumers):
        c.box(*place, 120, 56, f"consumer {i}:\n64 rows", kind="gpu")


def draw(c: Canvas) -> None:
    c.size(720, 210)
    parts(c, (10, 76), (236, 82), [(590, 30), (590, 122)])
    c.arrow(130, 94, 236, 94)
    c.text(184, 80, "issues copies", size=12)
    c.arrow(484, 94, 590, 58)
    c.arrow(484, 110, 590, 150)
    c.text(532, 50, "full", size=13, kind="strong")
    c.line(640, 178, 640, 196)
    c.line(640, 196, 70, 196)
    c.arrow(70, 196, 70, 132)
    c.text(360, 184, "empty: both consumers have read a stage", size=13, kind="strong")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 306)
    parts(c, (74, 10), (13, 130), [(8, 240), (140, 240)])
    c.arrow(134, 66, 134, 126)
    c.text(124, 98, "issues copies", size=12, anchor="end")
    c.arrow(124, 180, 68, 240)
    c.arrow(144, 180, 200, 240)
    c.text(134, 222, "full", size=13, kind="strong")
    c.line(260, 268, 338, 268)
    c.line(338, 268, 338, 38)
    c.arrow(338, 38, 194, 38)
    c.text(328, 98, "empty: both consumers\nhave read a stage", size=13, anchor="end", kind="strong")
