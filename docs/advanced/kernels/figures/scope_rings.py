"""Scopes inside each other, and where the stores of one meet the loads of another."""

RINGS = (
    ("system", "all GPUs and CPUs: L2 and their caches", "plain"),
    ("device", "one GPU: L2", "memory"),
    ("cluster", "some blocks: L2", "ghost"),
    ("block", "one multiprocessor: L1", "gpu"),
    ("thread", "nobody else", "accent"),
)


def draw(c):
    c.size(720, 250)
    for i, (name, where, kind) in enumerate(RINGS):
        x, y = 10 + 60 * i, 10 + 26 * i
        c.box(x, y, 700 - 2 * 60 * i, 230 - 2 * 26 * i, kind=kind)
        c.text(360, y + 14, f"{name}: {where}" if i < 4 else name, 13 if i < 4 else 12)
