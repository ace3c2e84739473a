"""Local memory of a warp of eight lanes: rows of words, all lanes side by side."""


def draw(c):
    c.size(720, 230)
    for right in (0, 1):
        left = 80 + right * 350
        c.text(left + 112, 14, "each lane its own index" if right else "all lanes use index 1", size=13, kind="strong")
        for lane in range(8):
            c.text(left + 14 + lane * 28, 36, str(lane), size=12, kind="muted")
        for word in range(6):
            kinds = []
            for lane in range(8):
                used = word == (lane + 1) % 6 if right else word == 1
                kinds.append("accent" if used else "memory")
            c.text(left - 10, 62 + word * 26, f"own[{word}]", size=12, anchor="end", kind="code")
            c.cells(left, 50 + word * 26, 28, 24, [""] * 8, kinds)
    c.text(80 + 112, 218, "one row: 4 sectors for 32 lanes", size=13)
    c.text(430 + 112, 218, "many rows: up to 32 sectors", size=13)
