"""The roofline of the recorded GPU, with the operations of the ladders on it."""

from math import log2, log10

from lockstep_sphinx.drawings.canvas import Canvas

POINTS = [
    # operation, arithmetic intensity (least traffic), file, column, factor from its unit to TFLOP/s
    ("scan", 1 / 8, "scan_rounds.csv", "~gb_per_s", 1e-3 / 8),
    ("reduction", 1 / 4, "reduce_vector.csv", "~gb_per_s", 1e-3 / 4),
    ("SGEMM,\nfirst rung", 4096 / 6, "sgemm_naive.csv", "~tflop_per_s", 1),
    ("SGEMM,\nlast rung", 4096 / 6, "sgemm_banks.csv", "~tflop_per_s", 1),
    ("bf16 product", 8192 / 3, "bf16_cluster.csv", "~tflop_per_s", 1),
]


def rate(c: Canvas, what: str) -> float:
    return float(c.cell("this_card.csv", "~rate", "{:.4f}", what=what))


def roof(c: Canvas, left: float, top: float, w: float, h: float, size: float) -> None:
    def x(intensity: float) -> float:
        return left + w * (log2(intensity) + 4) / 17

    def y(tflops: float) -> float:
        return top + h * (3 - log10(tflops)) / 4

    c.line(left, top, left, top + h)
    c.line(left, top + h, left + w, top + h)
    for tick in (1 / 16, 1, 16, 256, 4096):
        c.line(x(tick), top + h, x(tick), top + h + 5)
        c.text(x(tick), top + h + 14, "1/16" if tick < 1 else str(tick), size=size - 1, kind="muted")
    for tick in (0.1, 1, 10, 100, 1000):
        c.line(left - 5, y(tick), left, y(tick))
        c.text(left - 8, y(tick), str(tick), size=size - 1, anchor="end", kind="muted")
    memory = rate(c, "memory, read") * 1e-3
    single = rate(c, "cuBLAS float, 8192")
    tensor = rate(c, "cuBLASLt bf16, 4096")
    c.line(x(1 / 16), y(memory / 16), x(tensor / memory), y(tensor))
    c.line(x(single / memory), y(single), x(8192), y(single))
    c.line(x(tensor / memory), y(tensor), x(8192), y(tensor))
    c.text(x(8192), y(single) - size * 0.9, "FP32 (cuBLAS)", size=size, anchor="end", kind="strong")
    c.text(x(8192), y(tensor) - size * 0.9, "bf16 tensor cores (cuBLASLt)", size=size, anchor="end", kind="strong")
    c.text(x(2.2), y(memory * 1.6), "memory bandwidth", size=size, anchor="start", kind="strong")
    for name, intensity, file, column, factor in POINTS:
        reached = float(c.cell(file, column, "{:.4f}")) * factor
        c.box(x(intensity) - 4, y(reached) - 4, 8, 8, kind="accent")
        if name.startswith("bf16"):
            c.text(x(intensity) - 8, y(reached) + size * 1.3, name, size=size)
        elif "last" in name or "first" in name:
            c.text(x(intensity), y(reached) + size * 1.9, name, size=size)
        else:
            c.text(x(intensity) + 9, y(reached) + size * 0.6, name, size=size, anchor="start")


def draw(c: Canvas) -> None:
    c.size(720, 380)
    roof(c, 66, 24, 640, 294, 13)
    c.text(10, 10, "tera-operations per second", size=12, anchor="start")
    c.text(386, 362, "arithmetic intensity: operations for each byte of device memory", size=12)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 350)
    roof(c, 44, 26, 300, 262, 11)
    c.text(4, 10, "tera-operations per second", size=11, anchor="start")
    c.text(190, 328, "arithmetic intensity:\noperations for each byte of device memory", size=11)
