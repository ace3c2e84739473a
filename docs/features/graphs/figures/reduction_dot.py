"""The graph of graph_reduce_two_ways, drawn from the text that cudaGraphDebugDotPrint wrote."""

import re

from lockstep_sphinx.drawings.canvas import Canvas, CanvasError

PROGRAM = "graph_reduce_two_ways"
NODE = re.compile(r'"(graph_\d+_node_\d+)"\s*\[[^"]*(?:"[^"]*"[^"]*?)*?label="([^"]*)"', re.DOTALL)
EDGE = re.compile(r'"(graph_\d+_node_\d+)"\s*->\s*"(graph_\d+_node_\d+)"')
MANGLED = re.compile(r"_Z(\d+)(\w+)")


def name(label: str) -> str:
    """What a node is called: the first words after its number, a kernel without what the compiler added."""
    words = [line.strip(" {}|") for line in re.split(r"\\n|\n|\|", label)]
    for word in words:
        if found := MANGLED.match(word):
            return found[2][: int(found[1])]
    return next((word for word in words if word and not word.isdigit()), label)


def rows(c: Canvas) -> tuple[list[list[str]], dict[str, str], list[tuple[str, str]]]:
    """The nodes by their longest way from a root, their names, and the edges."""
    text = "\n".join(c.lines(PROGRAM, "reduce.dot"))
    names = {node: name(label) for node, label in NODE.findall(text)}
    edges = EDGE.findall(text)
    if not names or not edges:
        raise CanvasError(f"{PROGRAM} recorded no graph; record it with --dot, and cat reduce.dot")
    depth = dict.fromkeys(names, 0)
    for _ in names:
        for before, after in edges:
            depth[after] = max(depth[after], depth[before] + 1)
    for node in names:  # a node without dependencies stands right before the first that needs it
        needed = [depth[after] for before, after in edges if before == node]
        if needed and not any(after == node for _, after in edges):
            depth[node] = min(needed) - 1
    return [[n for n in names if depth[n] == d] for d in range(max(depth.values()) + 1)], names, edges


def paint(c: Canvas, width: float, step: float) -> None:
    levels, names, edges = rows(c)
    c.size(width, 24 + len(levels) * step)
    w, h = 150.0, 34.0
    at: dict[str, tuple[float, float]] = {}
    for row, level in enumerate(levels):
        for i, node in enumerate(level):
            at[node] = (width * (2 * i + 1) / (2 * len(level)), 14 + row * step + h / 2)
    for node, (x, y) in at.items():
        kind = "gpu" if any(ch.islower() for ch in names[node]) else "memory"
        c.box(x - w / 2, y - h / 2, w, h, names[node], "cpu" if "HOST" in names[node].upper() else kind)
    for before, after in edges:
        (x1, y1), (x2, y2) = at[before], at[after]
        lean = (x2 - x1) * 0.25
        c.arrow(x1 + lean, y1 + h / 2 + 2, x2 - lean, y2 - h / 2 - 3)


def draw(c: Canvas) -> None:
    paint(c, 520, 66)


def draw_narrow(c: Canvas) -> None:
    paint(c, 350, 66)
