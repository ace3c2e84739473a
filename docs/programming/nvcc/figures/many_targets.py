"""One file, two virtual architectures, three images."""


def draw(c):
    c.size(720, 210)
    c.box(8, 82, 82, 44, "kernel.cu", kind="plain")
    rows = ((24, "compute_80", "sm_80", False), (126, "compute_90", "sm_90", True))
    for y, virtual, real, kept in rows:
        c.box(150, y, 70, 44, "cicc", kind="gpu")
        c.box(270, y, 110, 44, f"PTX\n{virtual}", kind="accent")
        c.box(430, y, 90, 44, f"ptxas\n{real}", kind="gpu")
        c.arrow(90, 104, 150, y + 22)
        c.arrow(220, y + 22, 270, y + 22)
        c.arrow(380, y + 22, 430, y + 22)
        c.arrow(520, y + 22, 610, y + 22 if kept else 62)
        if kept:
            c.line(325, 170, 325, 192)
            c.line(325, 192, 660, 192)
            c.arrow(660, 192, 660, 168)
    c.box(610, 42, 104, 126, "fat binary:\ncubin 8.0\ncubin 9.0\nPTX 9.0", kind="memory")
