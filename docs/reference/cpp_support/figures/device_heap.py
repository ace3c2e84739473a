"""Device memory: the heap that kernels allocate from, and the rest, which the host allocates."""

from lockstep_sphinx.drawings.canvas import Canvas


def area(c: Canvas, x: float, y: float, width: float, words: tuple[str, str, str, str]) -> None:
    """One part of device memory, what allocates and frees it above, and who accesses it below."""
    title, allocates, first, second = words
    c.text(x + width / 2, y + 14, allocates, 12, "middle", "muted")
    c.arrow(x + width / 2, y + 22, x + width / 2, y + 44)
    c.box(x, y + 48, width, 38, title, "gpu")
    c.text(x + width / 2, y + 106, first, 12, "middle", "plain")
    c.text(x + width / 2, y + 124, second, 12, "middle", "plain")


HEAP = ("device heap", "kernels: malloc, free", "kernels read and write", "the host cannot copy")
OTHER = ("other device memory", "host: cudaMalloc, cudaFree", "kernels read and write", "the host copies")


def draw(c: Canvas) -> None:
    c.size(420, 136)
    area(c, 10, 0, 190, HEAP)
    area(c, 220, 0, 190, OTHER)


def draw_narrow(c: Canvas) -> None:
    c.size(330, 136)
    area(c, 4, 0, 156, HEAP)
    area(c, 170, 0, 156, OTHER)
