"""Three blocks of eight threads; thread 5 of block 2 has element 21."""

CELL = 28


def draw(c):
    c.size(720, 150)
    for block in range(3):
        left = 10 + block * (8 * CELL + 12)
        c.text(left + 4 * CELL, 14, f"block {block}", kind="strong")
        threads = ["accent" if (block, thread) == (2, 5) else "gpu" for thread in range(8)]
        c.cells(left, 28, CELL, CELL, range(8), threads)
        elements = ["accent" if 8 * block + thread == 21 else "memory" for thread in range(8)]
        c.cells(left, 92, CELL, CELL, [8 * block + thread for thread in range(8)], elements)
    x = 10 + 2 * (8 * CELL + 12) + 5.5 * CELL
    c.arrow(x, 58, x, 90)
    c.text(x - 10, 74, "2 × 8 + 5", size=13, anchor="end", kind="code")
    c.text(10, 136, "above: threads, by their number in the block; below: elements of the array", 13, "start", "muted")
