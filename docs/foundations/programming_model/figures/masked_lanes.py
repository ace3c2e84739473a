"""A warp under a branch that only its even lanes take."""


def draw(c):
    c.size(720, 236)
    c.text(472, 14, "lanes 0 ... 7 of 32", size=13, kind="muted")
    steps = [
        ("before the branch", lambda lane: True),
        ("if (lane is even)", lambda lane: lane % 2 == 0),
        ("else", lambda lane: lane % 2 == 1),
        ("after the branch", lambda lane: True),
    ]
    for i, (label, active) in enumerate(steps):
        y = 30 + i * 50
        c.text(216, y + 20, label, anchor="end", kind="code", size=13)
        kinds = ["gpu" if active(lane) else "ghost" for lane in range(8)]
        c.cells(232, y, 60, 40, ["runs" if active(lane) else "masked" for lane in range(8)], kinds)
    c.arrow(28, 36, 28, 216)
    c.text(40, 126, "time", size=13, anchor="start", kind="muted")
