"""Whole-program compilation, separate compilation, link-time optimization."""

from lockstep_sphinx.drawings.canvas import Canvas, Point

ROWS = (
    ("whole\nprogram", "machine code", "gpu", "host link", "cpu", "each file complete:\nno call crosses over"),
    ("separate", "relocatable code", "gpu", "device link\n+ host link", "warn", "calls cross over,\nand remain calls"),
    (
        "link-time\noptimization",
        "intermediate code",
        "accent",
        "optimize +\nboth links",
        "warn",
        "calls cross over,\nand may be inlined",
    ),
)


def two_files(c: Canvas, top: float, files: Point, codes: Point, links: Point, row: tuple[str, ...]) -> None:
    """Two files up to the link; three columns, each with its x and its width."""
    _, code, code_kind, link, link_kind, _ = row
    for k, name in enumerate(("a.cu", "b.cu")):
        y = top + 38 * k
        c.box(files[0], y, files[1], 30, name, kind="plain")
        c.box(codes[0], y, codes[1], 30, code, kind=code_kind)
        c.arrow(sum(files), y + 15, codes[0], y + 15)
        c.arrow(sum(codes), y + 15, links[0], top + 34)
    c.box(links[0], top + 10, links[1], 48, link, kind=link_kind)


def draw(c: Canvas) -> None:
    c.size(720, 330)
    for k, row in enumerate(ROWS):
        y = 20 + 104 * k
        c.text(52, y + 36, row[0], kind="strong")
        two_files(c, y, (116, 64), (236, 150), (440, 110), row)
        c.arrow(550, y + 34, 600, y + 34)
        c.box(600, y + 18, 100, 32, "executable", kind="memory")
        c.text(410, y + 86, row[-1].replace("\n", " "), size=13, kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(356, 488)
    for k, row in enumerate(ROWS):
        y = 28 + 164 * k
        c.text(4, y - 16, row[0].replace("\n", " "), anchor="start", kind="strong")
        two_files(c, y, (4, 44), (68, 140), (248, 104), row)
        c.arrow(300, y + 58, 300, y + 84)
        c.box(248, y + 84, 104, 32, "executable", kind="memory")
        c.text(138, y + 96, row[-1], size=13, kind="muted")
