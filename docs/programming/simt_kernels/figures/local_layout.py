"""Local memory of a warp of eight lanes: rows of words, all lanes side by side."""

from lockstep_sphinx.drawings.canvas import Canvas


def same_index(c: Canvas, left: float, top: float) -> None:
    layout(c, left, top, "all lanes use index 1", [1] * 8, "one row: 4 sectors for 32 lanes")


def own_index(c: Canvas, left: float, top: float) -> None:
    words = [(lane + 1) % 6 for lane in range(8)]
    layout(c, left, top, "each lane its own index", words, "many rows: up to 32 sectors")


def layout(c: Canvas, left: float, top: float, title: str, words: list[int], caption: str) -> None:
    c.text(left + 112, top, title, size=13, kind="strong")
    for lane in range(8):
        c.text(left + 14 + lane * 28, top + 22, str(lane), size=12, kind="muted")
    for word in range(6):
        c.text(left - 10, top + 48 + word * 26, f"own[{word}]", size=12, anchor="end", kind="code")
        kinds = ["accent" if used == word else "memory" for used in words]
        c.cells(left, top + 36 + word * 26, 28, 24, [""] * 8, kinds)
    c.text(left + 112, top + 204, caption, size=13)


def draw(c: Canvas) -> None:
    c.size(720, 230)
    same_index(c, 80, 14)
    own_index(c, 430, 14)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 474)
    same_index(c, 88, 14)
    own_index(c, 88, 258)
