"""The path of the loads of two kernels, with what the profiler counted on each part of it."""

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "three_limiters_memory.csv"
KERNELS = ("add_arrays", "follow_list")
PLACES = (("SM", "gpu"), ("L1", "accent"), ("L2", "accent"), ("device\nmemory", "memory"))


def words(c: Canvas, kernel: str) -> tuple[list[str], list[str]]:
    """What stands in L1 and L2, and what beside the three arrows."""

    def cell(column: str, form: str) -> str:
        return c.cell(FILE, column, form, kernel=kernel)

    hits = [cell("~L1 hits", "{:.0f} %"), cell("~L2 read hits", "{:.0f} %")]
    moved = [
        cell("load requests", "{:.2f} million\nrequests"),
        cell("~sectors to L1", "{:.1f} million\nsectors"),
        cell("~read", "{:.0f} MB"),
    ]
    return hits, moved


def chain(c: Canvas, kernel: str, x: float, top: float, w: float, gap: float) -> None:
    """From left to right."""
    hits, moved = words(c, kernel)
    c.text(x, top, kernel, 14, "start", "code")
    for i, (name, kind) in enumerate(PLACES):
        left = x + i * (w + gap)
        c.box(left, top + 40, w, 54, f"{name}\nhits {hits[i - 1]}" if name in ("L1", "L2") else name, kind)
        if i:
            c.arrow(left - 4, top + 67, left - gap + 4, top + 67)
            c.text(left - gap / 2, top + 44, moved[i - 1], 12, kind="muted")


def draw(c: Canvas) -> None:
    c.size(720, 230)
    for i, kernel in enumerate(KERNELS):
        chain(c, kernel, 10, 14 + 112 * i, 96, 102)


def draw_narrow(c: Canvas) -> None:
    c.size(352, 400)
    for i, kernel in enumerate(KERNELS):
        hits, moved = words(c, kernel)
        x = 10 + 172 * i
        c.text(x + 60, 12, kernel, 13, kind="code")
        for j, (name, kind) in enumerate(PLACES):
            y = 30 + 96 * j
            text = f"{name}\nhits {hits[j - 1]}" if name in ("L1", "L2") else name
            c.box(x, y, 120, 46, text, kind)
            if j:
                c.arrow(x + 30, y - 3, x + 30, y - 47)
                c.text(x + 40, y - 25, moved[j - 1], 11, "start", "muted")
