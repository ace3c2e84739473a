"""The paths from a GPU to the memory of three CPUs: its own, another of the machine, and one of another machine."""

from lockstep_sphinx.drawings.canvas import Canvas

W, MEMORY, CPU, LINK, GPU = 84, 32, 36, 54, 40  # width of a CPU and its GPU; heights from top to bottom
BETWEEN, APART = 96, 72  # from a CPU to its neighbor, in the same machine and in another one
PAD, HEAD, FOOT = 12, 26, 20  # of the frame of a machine
HEIGHT = MEMORY + CPU + LINK + GPU
NETWORK = 40


def _machine(c: Canvas, x: float, y: float, w: float, words: str) -> None:
    """The frame of a machine whose CPUs begin at (x, y)."""
    c.box(x - PAD, y - HEAD, w + 2 * PAD, HEIGHT + HEAD + FOOT, "", "ghost")
    c.text(x + w / 2, y - HEAD / 2, words, 12, kind="muted")


def _pair(c: Canvas, x: float, y: float, cpu: str, gpu: str, target: bool = False) -> None:
    """A CPU with its memory, and its GPU."""
    c.box(x, y, W, MEMORY, "memory", "memory" if target else "plain")
    c.box(x, y + MEMORY, W, CPU, cpu, "cpu")
    c.box(x, y + MEMORY + CPU + LINK, W, GPU, gpu, "gpu")


def _c2c(c: Canvas, x: float, y: float, dashed: bool = False) -> None:
    """The way from a GPU to its CPU."""
    bottom = y + MEMORY + CPU + LINK
    c.arrow(x + W / 2, bottom - 3, x + W / 2, bottom - LINK + 3, dashed=dashed)
    c.text(x + W / 2 - 8, bottom - LINK / 2, "C2C", 12, "end")


def _own(c: Canvas, x: float, y: float) -> None:
    c.text(x + W / 2, y - HEAD - 15, "its own CPU", 13, kind="strong")
    _machine(c, x, y, W, "one machine")
    _pair(c, x, y, "CPU 0", "GPU 0", target=True)
    _c2c(c, x, y)


def _other(c: Canvas, x: float, y: float) -> None:
    right = x + W + BETWEEN
    c.text(right - BETWEEN / 2, y - HEAD - 15, "another CPU of the machine", 13, kind="strong")
    _machine(c, x, y, right + W - x, "one machine")
    _pair(c, x, y, "CPU 0", "GPU 0")
    _pair(c, right, y, "CPU 3", "GPU 3", target=True)
    _c2c(c, x, y, dashed=True)
    level = y + MEMORY + CPU / 2
    c.arrow(x + W + 3, level, right - 3, level, dashed=True)
    c.text(right - BETWEEN / 2, level - 20, "links between\nthe CPUs", 12)
    level = y + HEIGHT - GPU / 2
    c.arrow(x + W + 3, level, right - 3, level)
    c.text(right - BETWEEN / 2, level - 11, "NVLink", 12)
    _c2c(c, right, y)


def _remote(c: Canvas, x: float, y: float) -> None:
    right = x + W + APART
    c.text(right - APART / 2, y - HEAD - 15, "a CPU of another machine", 13, kind="strong")
    _machine(c, x, y, W, "one machine")
    _machine(c, right, y, W, "another machine")
    _pair(c, x, y, "CPU 0", "GPU 0")
    _pair(c, right, y, "CPU", "GPU", target=True)
    _c2c(c, right, y)
    level, network = y + HEIGHT + 3, y + HEIGHT + FOOT + 20
    c.box(x - PAD, network, 2 * W + APART + 2 * PAD, NETWORK, "NVLink network,\nwith switches", "accent")
    c.arrow(x + W / 2, level, x + W / 2, network - 3)
    c.arrow(right + W / 2, network - 3, right + W / 2, level)


def _legend(c: Canvas, x: float, y: float) -> None:
    for dashed, words in ((False, "as EGM"), (True, "possible path without EGM")):
        c.arrow(x, y, x + 44, y, dashed=dashed)
        c.text(x + 54, y, words, 12, "start")
        y += 22


def draw(c: Canvas) -> None:
    c.size(720, 298)
    top = 54
    _own(c, 13, top)
    _other(c, 151, top)
    _remote(c, 467, top)
    _legend(c, 13, top + HEIGHT + FOOT + 29)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 862)
    _own(c, 133, 54)
    _other(c, 43, 308)
    _remote(c, 55, 562)
    _legend(c, 43, 826)
