"""Three ways of a host thread to wait for the GPU: block, poll, callback."""


def draw(c):
    left, top, row = 90, 36, 112
    c.size(720, top + 3 * row)
    begin, done, end = left + 70, left + 400, 700
    for i, name in enumerate(["block", "poll", "callback"]):
        y = top + i * row
        c.text(left - 16, y + 14, "host", size=13, anchor="end")
        c.text(left - 16, y + 54, "GPU", size=13, anchor="end")
        c.text(8, y - 14, name, size=14, anchor="start", kind="strong")
        c.box(left, y, 64, 28, "launch", kind="cpu")
        c.box(begin, y + 40, done - begin, 28, "kernel", kind="gpu")
        c.line(done, y - 8, done, y + 76, dashed=True)
        if name == "block":
            c.box(begin, y, done - begin, 28, "cudaStreamSynchronize", kind="ghost")
            c.box(done, y, end - done, 28, "uses the result", kind="cpu")
        elif name == "poll":
            piece = 66
            for k in range(5):
                c.box(begin + k * piece, y, piece - 14, 28, "work", kind="cpu")
                c.box(begin + k * piece + piece - 14, y, 14, 28, "?", kind="warn")
            c.box(done, y, end - done, 28, "uses the result", kind="cpu")
        else:
            c.box(begin, y, end - begin, 28, "work, and no question", kind="cpu")
            c.box(done, y + 40, end - done, 28, "the function left behind runs", kind="accent")
