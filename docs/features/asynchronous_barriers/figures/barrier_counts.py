"""What an asynchronous barrier counts: arrivals of threads and bytes of copies on one side, threads that wait on the other."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(720, 150)
    c.box(1, 12, 150, 50, "threads that\nhave finished a part", "gpu")
    c.box(1, 88, 150, 50, "TMA", "memory")
    c.arrow(153, 37, 283, 37, "arrive")
    c.arrow(153, 113, 283, 113, "bytes delivered")
    c.box(285, 12, 170, 126, "", "accent")
    c.text(370, 30, "barrier", 14, kind="strong")
    c.box(297, 46, 146, 32, "arrivals still missing", "plain")
    c.box(297, 90, 146, 32, "bytes still missing", "plain")
    c.arrow(457, 75, 557, 75, "both are 0")
    c.box(559, 40, 160, 70, "threads that wait:\nthe phase is complete,\nthe next one begins", "gpu")


def draw_narrow(c: Canvas) -> None:
    c.size(350, 318)
    c.box(1, 1, 166, 44, "threads that\nhave finished a part", "gpu")
    c.box(183, 1, 166, 44, "TMA", "memory")
    c.arrow(84, 47, 120, 88, "arrive")
    c.arrow(266, 47, 230, 88, "")
    c.text(300, 66, "bytes", 12, kind="muted")
    c.box(60, 90, 230, 116, "", "accent")
    c.text(175, 108, "barrier", 14, kind="strong")
    c.box(90, 124, 170, 32, "arrivals still missing", "plain")
    c.box(90, 164, 170, 32, "bytes still missing", "plain")
    c.arrow(175, 208, 175, 248, "both are 0")
    c.box(70, 250, 210, 64, "threads that wait:\nthe phase is complete,\nthe next one begins", "gpu")
