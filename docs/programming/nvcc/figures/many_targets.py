"""One file, two virtual architectures, three images."""

from lockstep_sphinx.drawings.canvas import Canvas, Point

TARGETS = (("compute_80", "sm_80"), ("compute_90", "sm_90"))
BINARY = "fat binary:\ncubin 8.0\ncubin 9.0\nPTX 9.0"


def three_steps(c: Canvas, virtual: str, real: str, cicc: Point, ptx: Point, ptxas: Point) -> None:
    """The steps for one target, each at its x and y."""
    c.box(*cicc, 70, 44, "cicc", kind="gpu")
    c.box(*ptx, 110, 44, f"PTX\n{virtual}", kind="accent")
    c.box(*ptxas, 90, 44, f"ptxas\n{real}", kind="gpu")


def draw(c: Canvas) -> None:
    c.size(720, 210)
    c.box(8, 82, 82, 44, "kernel.cu", kind="plain")
    for y, (virtual, real), end in zip((24, 126), TARGETS, (62, 148), strict=True):
        three_steps(c, virtual, real, (150, y), (270, y), (430, y))
        c.arrow(90, 104, 150, y + 22)
        c.arrow(220, y + 22, 270, y + 22)
        c.arrow(380, y + 22, 430, y + 22)
        c.arrow(520, y + 22, 610, end)
    c.line(325, 170, 325, 192)
    c.line(325, 192, 660, 192)
    c.arrow(660, 192, 660, 168)
    c.box(610, 42, 104, 126, BINARY, kind="memory")


def draw_narrow(c: Canvas) -> None:
    c.size(336, 412)
    c.box(119, 8, 82, 44, "kernel.cu", kind="plain")
    for x, (virtual, real) in zip((80, 240), TARGETS, strict=True):
        three_steps(c, virtual, real, (x - 35, 88), (x - 55, 162), (x - 45, 236))
        c.arrow(160, 52, x, 88)
        for y in (132, 206, 280):
            c.arrow(x, y, x, y + 30)
    c.line(295, 184, 320, 184)
    c.line(320, 184, 320, 357)
    c.arrow(320, 357, 275, 357)
    c.box(45, 310, 230, 94, BINARY, kind="memory")
