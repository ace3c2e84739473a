"""Producer, ring and consumers."""


def draw(c):
    c.size(720, 210)
    c.box(10, 76, 120, 56, "producer:\none thread", kind="cpu")
    for i in range(4):
        c.box(236 + 62 * i, 82, 56, 44, f"stage\n{i}", kind="memory")
    c.box(590, 30, 120, 56, "consumer 0:\n64 rows", kind="gpu")
    c.box(590, 122, 120, 56, "consumer 1:\n64 rows", kind="gpu")
    c.arrow(130, 94, 236, 94)
    c.text(184, 80, "orders tiles", size=12)
    c.arrow(484, 94, 590, 58)
    c.arrow(484, 110, 590, 150)
    c.text(532, 50, "full", size=13, kind="strong")
    c.line(640, 178, 640, 196)
    c.line(640, 196, 70, 196)
    c.arrow(70, 196, 70, 132)
    c.text(360, 184, "empty: both consumers have left a stage", size=13, kind="strong")
