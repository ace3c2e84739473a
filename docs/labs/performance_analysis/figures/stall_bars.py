"""Why the warps of four kernels waited: shares of the cycles between two instructions of a warp."""

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "three_limiters_stalls.csv"
KERNELS = ("add_arrays", "halve_64", "halve_1024", "follow_list")
REASONS = (
    ("long scoreboard", "memory"),
    ("LG throttle", "accent"),
    ("math pipe throttle", "gpu"),
    ("dispatch stall", "cpu"),
    ("wait", "warn"),
    ("not selected", "muted"),
)


def bars(c: Canvas, left: float, width: float, h: float, above: bool) -> None:
    for row, kernel in enumerate(KERNELS):
        y = (20 if above else 8) + row * (h + (26 if above else 12))
        every = float(c.cell(FILE, "~all cycles", "{:.6f}", kernel=kernel))
        cycles = c.cell(FILE, "~all cycles", "{:.0f} cycles", kernel=kernel)
        if above:
            c.text(left, y - 9, f"{kernel}: {cycles}", 12, "start", "plain")
        else:
            c.text(left - 8, y + h / 2, kernel, 13, "end", "code")
            c.text(left + width + 8, y + h / 2, cycles, 12, "start", "muted")
        x = left
        for reason, kind in REASONS:
            share = float(c.cell(FILE, f"~{reason}", "{:.6f}", kernel=kernel)) / every
            part = min(share * width, left + width - x)
            if part > 0.5:
                c.box(x, y, part, h, kind=kind)
            x += max(part, 0)
        if left + width - x > 0.5:
            c.box(x, y, left + width - x, h, kind="ghost")


def legend(c: Canvas, left: float, top: float, columns: int, width: float) -> None:
    for i, (reason, kind) in enumerate((*REASONS, ("other reasons", "ghost"))):
        x, y = left + i % columns * width, top + i // columns * 22
        c.box(x, y, 14, 12, kind=kind)
        c.text(x + 20, y + 6, reason, 12, "start")


def draw(c: Canvas) -> None:
    c.size(720, 226)
    bars(c, 110, 500, 28, above=False)
    legend(c, 110, 176, 4, 148)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 326)
    bars(c, 10, 332, 26, above=True)
    legend(c, 10, 232, 2, 170)
