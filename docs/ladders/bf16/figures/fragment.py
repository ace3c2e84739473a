"""Which lane of a warp keeps which numbers of 16 x 16: pieces of 8 x 8, two neighbours for each lane."""


def draw(c):
    c.size(720, 330)
    size = 130
    for py in range(2):
        for px in range(2):
            x0, y0 = 40 + px * (size + 14), 24 + py * (size + 14)
            for row in range(8):
                y = y0 + row * size / 8
                kinds = ["gpu", "cpu", "gpu", "cpu"] if row % 2 == 0 else ["cpu", "gpu", "cpu", "gpu"]
                for k in range(4):
                    c.cells(x0 + k * size / 4, y, size / 4, size / 8, [str(4 * row + k)], [kinds[k]])
    for px in range(2):
        c.text(40 + px * (size + 14) + size / 2, 12, f"columns {8 * px} to {8 * px + 7}", size=12, kind="muted")
    c.text(430, 60, "32 cells of a piece: 32 lanes.", size=14, anchor="start")
    c.text(430, 84, "Each cell: two neighbours,", size=14, anchor="start")
    c.text(430, 104, "together one register.", size=14, anchor="start")
    c.text(430, 144, "Four pieces: four registers,", size=14, anchor="start")
    c.text(430, 164, "filled by one ldmatrix.", size=14, anchor="start")
