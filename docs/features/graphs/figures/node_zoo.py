"""The ten nodes of graph_node_zoo, with the names of their handles."""

from lockstep_sphinx.drawings.canvas import Canvas

KINDS = {
    "event wait\nwaited": "accent",
    "memory copy\ncopied": "memory",
    "memory set\ncleared": "memory",
    "child graph\nnested": "gpu",
    "empty\njoined": "ghost",
    "kernel\nsummed[0]": "gpu",
    "kernel\nsummed[1]": "gpu",
    "memory copy\nback": "memory",
    "host function\naudited": "cpu",
    "event record\nrecorded": "accent",
}
W, H = 116, 44


def place(c: Canvas, at: dict[str, tuple[float, float]]) -> None:
    """Draws each node with its top left corner."""
    for name, (x, y) in at.items():
        c.box(x, y, W, H, name, kind=KINDS[name])


def draw(c: Canvas) -> None:
    c.size(720, 214)
    column = [6.0 + 148 * i for i in range(5)]
    first = ("event wait\nwaited", "memory copy\ncopied", "child graph\nnested")
    at = {name: (column[i], 8.0) for i, name in enumerate(first)}
    at["memory set\ncleared"] = (column[2], 82)
    at["empty\njoined"] = (column[3], 45)
    at["kernel\nsummed[0]"] = (column[4], 45)
    last = ("event record\nrecorded", "host function\naudited", "memory copy\nback", "kernel\nsummed[1]")
    at |= {name: (column[i + 1], 162.0) for i, name in enumerate(last)}
    place(c, at)
    for i in range(2):
        c.arrow(column[i] + W + 2, 30, column[i + 1] - 4, 30)
    c.arrow(column[2] + W + 2, 32, column[3] - 4, 58)
    c.arrow(column[2] + W + 2, 102, column[3] - 4, 78)
    c.arrow(column[3] + W + 2, 67, column[4] - 4, 67)
    c.arrow(column[4] + W / 2, 91, column[4] + W / 2, 158)
    for i in (4, 3, 2):
        c.arrow(column[i] - 2, 184, column[i - 1] + W + 4, 184)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 656)
    chain = [name for name in KINDS if name != "memory set\ncleared"]
    at = {name: (20.0, 8.0 + 74 * i) for i, name in enumerate(chain)}
    at["memory set\ncleared"] = (204, 8 + 74 * 2)
    place(c, at)
    for i in range(len(chain) - 1):
        c.arrow(20 + W / 2, 8 + 74 * i + H + 2, 20 + W / 2, 8 + 74 * (i + 1) - 4)
    c.arrow(240, 8 + 74 * 2 + H + 2, 20 + W + 4, 8 + 74 * 3 + 18)
