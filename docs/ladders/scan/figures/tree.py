"""The Blelloch scan of eight words: three levels up, the zero, three levels down."""

from lockstep_sphinx.drawings.canvas import Canvas

WORDS = (3, 1, 7, 0, 4, 1, 6, 3)


def levels() -> list[tuple[str, list[int], set[int]]]:
    """Each row: what happens, the words after it, and which of them it has written."""
    words = list(WORDS)
    rows: list[tuple[str, list[int], set[int]]] = [("words", list(words), set())]
    step = 1
    while step < len(words):
        written = set(range(2 * step - 1, len(words), 2 * step))
        for last in written:
            words[last] += words[last - step]
        rows.append((f"up, step {step}", list(words), written))
        step *= 2
    words[-1] = 0
    rows.append(("last word = 0", list(words), {len(words) - 1}))
    while step > 1:
        step //= 2
        written = set()
        for right in range(2 * step - 1, len(words), 2 * step):
            left = right - step
            words[left], words[right] = words[right], words[right] + words[left]
            written |= {left, right}
        rows.append((f"down, step {step}", list(words), written))
    return rows


def rows(c: Canvas, x: float, cell: float, pitch: float, size: float) -> None:
    for i, (what, words, written) in enumerate(levels()):
        y = 8 + i * pitch
        kind = "accent" if what.startswith("down") else "memory" if what.startswith("up") else "warn"
        c.text(x - 10, y + 13, what, size, "end", "muted")
        c.cells(x, y, cell, 26, words, [kind if k in written else "plain" for k in range(len(words))])
    c.text(x, 8 + len(levels()) * pitch + 8, "sums before each word: exclusive", size, "start")


def draw(c: Canvas) -> None:
    c.size(420, 330)
    rows(c, 118, 36, 37, 13)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 330)
    rows(c, 98, 29, 37, 12)
