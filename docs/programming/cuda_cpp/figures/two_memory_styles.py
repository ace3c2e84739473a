"""Unified and explicit memory as data flow."""


def draw(c):
    c.size(720, 300)
    c.text(10, 16, "unified", anchor="start", kind="strong")
    c.box(10, 36, 130, 60, "CPU", kind="cpu")
    c.box(250, 36, 220, 60, "one array,\none pointer", kind="memory")
    c.box(580, 36, 130, 60, "GPU", kind="gpu")
    c.arrow(140, 66, 248, 66, "writes, reads")
    c.arrow(580, 66, 472, 66, "reads, writes")
    c.text(360, 112, "pages move when they are touched", size=13, kind="muted")
    c.text(10, 160, "explicit", anchor="start", kind="strong")
    c.box(10, 190, 110, 60, "CPU", kind="cpu")
    c.box(160, 190, 130, 60, "a\nhost memory", kind="memory")
    c.box(430, 190, 130, 60, "d_a\ndevice memory", kind="memory")
    c.box(600, 190, 110, 60, "GPU", kind="gpu")
    c.line(120, 220, 160, 220)
    c.line(560, 220, 600, 220)
    c.arrow(290, 206, 428, 206, "cudaMemcpy in")
    c.arrow(430, 236, 292, 236)
    c.text(360, 252, "cudaMemcpy out", size=12, kind="muted")
    c.text(360, 284, "you say when, and what", size=13, kind="muted")
