"""A gate in a stream: a kernel that reads a flag of the host until it is raised."""


def draw(c):
    c.size(720, 170)
    c.text(8, 34, "host", size=13, anchor="start", kind="strong")
    c.text(8, 124, "stream", size=13, anchor="start", kind="strong")
    c.box(90, 16, 120, 36, "enqueues", kind="cpu")
    c.box(220, 16, 190, 36, "looks around", kind="cpu")
    c.box(420, 16, 100, 36, "opens", kind="accent")
    c.box(530, 16, 170, 36, "waits for the result", kind="cpu")
    c.box(90, 106, 400, 36, "gate: reads the flag, again and again", kind="warn")
    c.box(500, 106, 90, 36, "copy", kind="memory")
    c.box(600, 106, 100, 36, "kernel", kind="gpu")
    c.arrow(470, 54, 485, 104, "flag = 1")
    c.arrow(130, 54, 130, 104)
