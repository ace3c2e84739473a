"""The four kernels on the roofline, from the counters of the profiler."""

from math import log2, log10

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "three_limiters_roofline.csv"
KERNELS = ("add_arrays", "halve_64", "halve_1024", "follow_list")
LANES = 132 * 128  # FMA lanes of an H200


def number(c: Canvas, column: str, kernel: str) -> float:
    return float(c.cell(FILE, column, "{:.6f}", kernel=kernel))


def place(c: Canvas, kernel: str) -> tuple[float, float]:
    """Operations for each byte of device memory, and tera-operations per second."""
    operations = number(c, "additions", kernel) + 2 * number(c, "multiply-adds", kernel)
    megabytes = number(c, "~read", kernel) + number(c, "~written", kernel)
    return operations / megabytes, operations / number(c, "~time", kernel)


def roof(c: Canvas, left: float, top: float, w: float, h: float, size: float) -> None:
    def x(intensity: float) -> float:
        return left + w * (log2(intensity) + 7) / 17

    def y(tflops: float) -> float:
        return top + h * (2.3 - log10(tflops)) / 5

    c.line(left, top, left, top + h)
    c.line(left, top + h, left + w, top + h)
    for tick in (1 / 16, 1, 16, 256):
        c.line(x(tick), top + h, x(tick), top + h + 5)
        c.text(x(tick), top + h + 14, "1/16" if tick < 1 else str(tick), size=size - 1, kind="muted")
    for tick in (0.01, 0.1, 1, 10, 100):
        c.line(left - 5, y(tick), left, y(tick))
        c.text(left - 8, y(tick), str(tick), size=size - 1, anchor="end", kind="muted")
    memory = float(c.cell("this_card.csv", "~rate", "{:.4f}", what="memory, read")) * 1e-3
    fma = LANES * 2 * float(c.measured("this_card", "clock after cuBLAS float").split()[0]) * 1e-6
    c.line(x(1 / 128), y(memory / 128), x(fma / memory), y(fma))
    c.line(x(fma / memory), y(fma), x(1024), y(fma))
    c.text(x(1024), y(fma) - size, "FMA pipes", size=size, anchor="end", kind="strong")
    c.text(x(0.5), y(memory * 0.5) - size * 1.6, "memory bandwidth", size=size, anchor="end", kind="strong")
    for kernel in KERNELS:
        intensity, tflops = place(c, kernel)
        c.box(x(intensity) - 4, y(tflops) - 4, 8, 8, kind="accent")
        drop = 2.6 if kernel == "halve_64" else 1.2
        anchor = "middle" if kernel == "halve_1024" else "start"
        c.text(x(intensity) + (0 if anchor == "middle" else 9), y(tflops) + size * drop, kernel, size, anchor, "code")


def draw(c: Canvas) -> None:
    c.size(720, 360)
    roof(c, 66, 24, 640, 276, 13)
    c.text(10, 10, "tera-operations per second", size=12, anchor="start")
    c.text(386, 342, "operations for each byte of device memory", size=12)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 330)
    roof(c, 48, 26, 296, 246, 11)
    c.text(4, 10, "tera-operations per second", size=11, anchor="start")
    c.text(196, 312, "operations for each byte of device memory", size=11)
