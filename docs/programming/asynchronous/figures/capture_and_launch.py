"""The life of a graph: captured once, instantiated once, launched many times."""


def draw(c):
    c.size(720, 150)
    h = 44
    c.box(10, 40, 190, h, "capture\nthe calls are written down", kind="cpu")
    c.box(250, 40, 190, h, "instantiate\nchecked and prepared", kind="cpu")
    for i in range(3):
        c.box(490, 10 + i * 46, 220, 36, "launch: one call", kind="gpu")
    c.arrow(202, 62, 246, 62)
    c.arrow(442, 62, 486, 62)
    c.text(105, 106, "once: cudaGraph_t", size=12, kind="muted")
    c.text(345, 106, "once: cudaGraphExec_t", size=12, kind="muted")
