"""A fault in a kernel: what the calls return, what the thread remembers, what the context is."""

from lockstep_sphinx.drawings.canvas import Canvas

ROWS = [
    ("the kernel is launched", "success", "success", "healthy"),
    ("the kernel faults", "-", "success", "broken"),
    ("cudaDeviceSynchronize", "the fault", "the fault", "broken"),
    ("cudaGetLastError", "the fault", "success", "broken"),
    ("cudaGetLastError", "success", "success", "broken"),
    ("cudaMalloc", "the fault", "the fault", "broken"),
    ("a new process: cudaMalloc", "success", "success", "healthy"),
]
KINDS = {"success": "plain", "-": "plain", "the fault": "warn", "healthy": "gpu", "broken": "warn"}


def titles(c: Canvas, left: float, width: float, words: list[str]) -> None:
    for i, title in enumerate(words):
        c.text(left + width * (i + 0.5), 26, title, size=13, kind="strong")


def font(event: str) -> str:
    return "code" if event.startswith("cuda") else "plain"


def draw(c: Canvas) -> None:
    left, top, width, height = 210, 44, 150, 34
    c.size(left + 3 * width + 10, top + height * len(ROWS) + 12)
    titles(c, left, width, ["call returns", "thread's last error", "context"])
    for row, (event, *states) in enumerate(ROWS):
        y = top + row * height
        c.text(left - 12, y + height / 2, event, size=13, anchor="end", kind=font(event))
        c.cells(left, y, width, height, states, [KINDS[state] for state in states])


def draw_narrow(c: Canvas) -> None:
    left, top, width, height = 8, 50, 112, 54
    c.size(352, top + height * len(ROWS) + 4)
    titles(c, left, width, ["call returns", "thread's\nlast error", "context"])
    for row, (event, *states) in enumerate(ROWS):
        y = top + row * height
        c.text(left, y + 10, event, size=13, anchor="start", kind=font(event))
        c.cells(left, y + 21, width, 27, states, [KINDS[state] for state in states])
