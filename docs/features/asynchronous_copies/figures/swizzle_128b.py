"""Shared memory after a copy with the swizzle of 128 bytes: which chunk of the tile lies in which banks.

Other figures of this page use `layout` and `reading`; each names the recorded file itself, so it is drawn again with it.
"""

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "swizzle_banks.csv"
LINES = 8  # of 128 bytes
CHUNKS = 8  # in a line, four banks each
LEFT, TOP, WIDTH, HEIGHT = 40, 44, 46, 25


def chunk(c: Canvas, file: str, mode: str, line: int, banks: int) -> tuple[int, int]:
    """Row and column of the chunk that lies in a line, in a group of four banks."""
    row, column = (int(c.cell(file, name, "{:.0f}", mode=mode, line=line, banks=banks)) for name in ("row", "column"))
    return row, column


def lines(c: Canvas, top: float, labels: list[list[str]], kinds: list[list[str]]) -> None:
    """Draws the lines of shared memory below the numbers of the banks."""
    c.text(LEFT + CHUNKS * WIDTH / 2, top - 32, "banks", 12, kind="muted")
    for banks in range(CHUNKS):
        c.text(LEFT + (banks + 0.5) * WIDTH, top - 14, f"{4 * banks}-{4 * banks + 3}", 12, kind="muted")
    for line in range(LINES):
        c.text(LEFT - 5, top + (line + 0.5) * HEIGHT, str(128 * line), 12, "end", "muted")
        c.cells(LEFT, top + line * HEIGHT, WIDTH, HEIGHT, labels[line], kinds[line])


def layout(c: Canvas, file: str, mode: str) -> None:
    """All chunks of a tile, those of column 0 marked."""
    c.size(LEFT + CHUNKS * WIDTH + 2, TOP + LINES * HEIGHT + 6)
    found = [[chunk(c, file, mode, line, banks) for banks in range(CHUNKS)] for line in range(LINES)]
    lines(
        c,
        TOP,
        [[f"{row}.{column}" for row, column in line] for line in found],
        [["accent" if column == 0 else "plain" for _, column in line] for line in found],
    )


def reading(c: Canvas, file: str, mode: str, column: int, words: str) -> None:
    """The chunks that 8 lanes read, one of each row, and in how many wavefronts."""
    top = TOP + 20
    c.size(LEFT + CHUNKS * WIDTH + 2, top + LINES * HEIGHT + 6)
    c.text(LEFT, 10, words, 13, "start", "strong")
    found = [[chunk(c, file, mode, line, banks) for banks in range(CHUNKS)] for line in range(LINES)]
    lines(
        c,
        top,
        [[f"{r}.{k}" for r, k in line] for line in found],
        [["warn" if k == column else "plain" for _, k in line] for line in found],
    )


def draw(c: Canvas) -> None:
    layout(c, FILE, "128B")
