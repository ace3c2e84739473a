"""Which lane of a warp keeps which numbers of 16 x 16: matrices of 8 x 8, two neighbors for each lane."""

from lockstep_sphinx.drawings.canvas import Canvas


def draw(c: Canvas) -> None:
    c.size(380, 492)
    size, gap = 176, 12
    for py in range(2):
        for px in range(2):
            x0, y0 = 8 + px * (size + gap), 24 + py * (size + gap)
            for row in range(8):
                kinds = ["gpu", "cpu"] * 2 if row % 2 == 0 else ["cpu", "gpu"] * 2
                lanes = range(4 * row, 4 * row + 4)
                c.cells(x0, y0 + row * size / 8, size / 4, size / 8, lanes, kinds)
    for px in range(2):
        c.text(8 + px * (size + gap) + size / 2, 12, f"columns {8 * px} to {8 * px + 7}", size=12, kind="muted")
    c.text(8, 416, "32 cells of a matrix: 32 lanes.", anchor="start")
    c.text(8, 440, "Each cell: two neighbors, together one register.", anchor="start")
    c.text(8, 464, "Four matrices: four registers, one ldmatrix.", anchor="start")
