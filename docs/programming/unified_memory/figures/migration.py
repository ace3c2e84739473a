"""Pages of managed memory move when they are touched: three frames."""


def draw(c):
    c.size(720, 196)
    frames = (
        ("the CPU has written", "cccc"),
        ("a kernel touches pages 0 and 1", "ggcc"),
        ("the kernel has touched all", "gggg"),
    )
    for i, (title, where) in enumerate(frames):
        x = 10 + i * 240
        c.text(x + 105, 14, title, size=13, kind="strong")
        for row, (name, mark) in enumerate((("CPU memory", "c"), ("GPU memory", "g"))):
            y = 34 + row * 84
            c.text(x + 208, y + 8, name, size=12, kind="muted", anchor="end")
            kinds = [("cpu" if mark == "c" else "gpu") if page == mark else "ghost" for page in where]
            c.cells(x, y + 20, 52, 36, [str(n) if page == mark else "" for n, page in enumerate(where)], kinds)
        if i == 1:
            c.arrow(x + 34, 92, x + 34, 134)
            c.arrow(x + 86, 92, x + 86, 134)
