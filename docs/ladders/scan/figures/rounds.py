"""Three blocks, round by round: what they announce early, and what block 1 adds up."""

from lockstep_sphinx.drawings.canvas import Canvas

SUMS = ((3, 1, 4), (2, 6, 5), (1, 2, 7))  # of the tiles, by round and block
ME = 1  # the block whose sums are followed


def carry(number: int) -> int:
    """The sum of all rounds before one."""
    return sum(sum(tiles) for tiles in SUMS[:number])


def table(c: Canvas, x: float, y: float, width: float, pitch: float) -> None:
    """The sums of tiles; those of the rounds that block 1 has used up to round 1 are colored."""
    for block in range(3):
        c.text(x + (block + 0.5) * width, y - 12, f"block {block}", 13, kind="muted")
    for number, sums in enumerate(SUMS):
        kinds = ["muted" if number < 1 else "accent" if number == 1 and block < ME else "memory" for block in range(3)]
        if number == 2:
            kinds = ["ghost"] * 3
        c.text(x - 8, y + number * pitch + 17, f"round {number}", 13, "end", "muted")
        c.cells(x, y + number * pitch, width, 34, sums, kinds)


def notes() -> tuple[str, str, str]:
    low = sum(SUMS[1][:ME])
    return (
        f"carry: {carry(1)} = 3 + 1 + 4, added up in round 0",
        f"low: {low}, of block 0; so {carry(1)} + {low} = {carry(1) + low} lies before\nthe tile. The next carry: {carry(1)} + 2 + 6 + 5 = {carry(2)}",
        "announced in round 1, used in round 2",
    )


def draw(c: Canvas) -> None:
    c.size(640, 176)
    c.text(300, 14, "Block 1 in round 1", 13, "start", "strong")
    table(c, 70, 34, 68, 48)
    for number, words in enumerate(notes()):
        c.text(300, 51 + 48 * number, words, 13, "start")


def draw_narrow(c: Canvas) -> None:
    c.size(352, 282)
    table(c, 66, 26, 60, 40)
    c.text(4, 166, "Block 1 in round 1:", 13, "start", "strong")
    y = 192
    for words in notes():
        lines = words.count("\n") + 1
        c.text(4, y + 9 * (lines - 1), words, 12, "start")
        y += 18 * lines + 12
