"""A column of a tile, without and with one word of padding in each row, over eight banks."""

from lockstep_sphinx.drawings.canvas import Canvas

BANKS = 8


def tile(c: Canvas, left: float, top: float, cell: float, title: str, width: int) -> None:
    """Draws words where they lie: word w in bank w % BANKS, one line for every BANKS words."""
    c.text(left + BANKS * cell / 2, top - 34, title, 13, kind="strong")
    for bank in range(BANKS):
        c.text(left + (bank + 0.5) * cell, top - 12, str(bank), 12, kind="muted")
    column = {row * width: row for row in range(BANKS)}
    lines = -(-BANKS * width // BANKS)
    for line in range(lines):
        words = range(line * BANKS, line * BANKS + BANKS)
        labels = [f"r{column[word]}" if word in column else "" for word in words]
        c.cells(
            left, top + line * cell * 0.8, cell, cell * 0.8, labels, ["accent" if label else "gpu" for label in labels]
        )


def draw(c: Canvas) -> None:
    c.size(720, 362)
    tile(c, 20, 52, 38, "rows of 8 words: all in bank 0", BANKS)
    tile(c, 390, 52, 38, "rows of 9 words: banks 0 to 7", BANKS + 1)
    c.text(20, 350, "columns of the drawing are banks; r3 is the word of column 0 in row 3", 13, "start", "muted")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 690)
    tile(c, 20, 52, 38, "rows of 8 words: all in bank 0", BANKS)
    tile(c, 20, 354, 38, "rows of 9 words: banks 0 to 7", BANKS + 1)
    c.text(10, 664, "columns of the drawing are banks;\nr3 is the word of column 0 in row 3", 12, "start", "muted")
