"""Three ways of a host thread to wait for the GPU: block, poll, callback."""

from lockstep_sphinx.drawings.canvas import Canvas

WAYS = ["block", "poll", "callback"]


def way(
    c: Canvas,
    name: str,
    y: float,
    times: tuple[float, float, float, float],
    height: float = 28,
    pieces: int = 5,
    function: str = "the enqueued function runs",
) -> None:
    left, begin, done, end = times
    gpu = y + height + 12
    c.box(left, y, begin - left - 6, height, "launch", kind="cpu")
    c.box(begin, gpu, done - begin, height, "kernel", kind="gpu")
    c.line(done, y - 8, done, gpu + height + 8, dashed=True)
    if name == "block":
        c.box(begin, y, done - begin, height, "cudaStreamSynchronize", kind="ghost")
        c.box(done, y, end - done, height, "uses the result", kind="cpu")
    elif name == "poll":
        piece = (done - begin) / pieces
        for k in range(pieces):
            c.box(begin + k * piece, y, piece - 14, height, "work", kind="cpu")
            c.box(begin + (k + 1) * piece - 14, y, 14, height, "?", kind="warn")
        c.box(done, y, end - done, height, "uses the result", kind="cpu")
    else:
        c.box(begin, y, end - begin, height, "work without asking", kind="cpu")
        c.box(done, gpu, end - done, height, function, kind="accent")


def draw(c: Canvas) -> None:
    c.size(720, 372)
    for i, name in enumerate(WAYS):
        y = 36 + i * 112
        c.text(74, y + 14, "host", size=13, anchor="end")
        c.text(74, y + 54, "GPU", size=13, anchor="end")
        c.text(8, y - 14, name, size=14, anchor="start", kind="strong")
        way(c, name, y, (90, 160, 490, 700))


def draw_narrow(c: Canvas) -> None:
    c.size(356, 446)
    for i, name in enumerate(WAYS):
        y = 50 + i * 150
        c.text(4, y - 36, name, size=14, anchor="start", kind="strong")
        c.text(29, y - 12, "host", size=13)
        c.text(29, y + 66, "GPU", size=13)
        way(c, name, y, (4, 60, 241, 354), height=36, pieces=3, function="the enqueued\nfunction runs")
