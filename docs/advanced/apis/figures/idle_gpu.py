"""Where a GPU idles between pieces of work: three kinds of gaps on one time line."""

from lockstep_sphinx.drawings.canvas import Canvas

GAPS = (
    ("1", "the next kernel has to be started"),
    ("2", "the host waits, and submits the next kernel only then"),
    ("3", "one call of the host for each small copy"),
)


def line(c: Canvas, scale: float, top: float) -> None:
    def piece(begin: float, length: float, words: str, kind: str) -> None:
        c.box(8 + begin * scale, top, length * scale, 36, words, kind)

    piece(0, 140, "kernel", "gpu")
    piece(142, 26, "1", "ghost")
    piece(170, 140, "kernel", "gpu")
    piece(312, 78, "2", "ghost")
    piece(392, 140, "kernel", "gpu")
    for i in range(4):
        piece(534 + 42 * i, 22, "3", "ghost")
        piece(558 + 42 * i, 16, "", "memory")


def draw(c: Canvas) -> None:
    c.size(720, 148)
    c.text(8, 14, "the GPU, over time", 14, "start", "strong")
    line(c, 1, 28)
    for i, (number, words) in enumerate(GAPS):
        c.text(8, 84 + 22 * i, f"{number}: {words}", 13, "start")


def draw_narrow(c: Canvas) -> None:
    c.size(356, 200)
    c.text(8, 14, "the GPU, over time", 14, "start", "strong")

    def piece(begin: float, length: float, top: float, words: str, kind: str) -> None:
        c.box(8 + begin, top, length, 36, words, kind)

    piece(0, 96, 28, "kernel", "gpu")
    piece(98, 26, 28, "1", "ghost")
    piece(126, 96, 28, "kernel", "gpu")
    piece(224, 60, 28, "2", "ghost")
    piece(0, 96, 72, "kernel", "gpu")
    for i in range(4):
        piece(98 + 44 * i, 24, 72, "3", "ghost")
        piece(124 + 44 * i, 16, 72, "", "memory")
    for i, (number, words) in enumerate(GAPS):
        c.text(8, 130 + 22 * i, f"{number}: {words}", 12, "start")
