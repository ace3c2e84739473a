"""Whole-program compilation, separate compilation, link-time optimization."""


def draw(c):
    c.size(720, 330)
    rows = (
        (
            20,
            "whole program",
            ("machine code", "machine code"),
            "host link",
            "each file complete: no call crosses over",
        ),
        (
            124,
            "separate",
            ("relocatable code", "relocatable code"),
            "device link\n+ host link",
            "calls cross over, and remain calls",
        ),
        (
            228,
            "link-time\noptimization",
            ("intermediate code", "intermediate code"),
            "optimize +\nboth links",
            "calls cross over, and may be inlined",
        ),
    )
    for y, title, code, link, note in rows:
        c.text(52, y + 36, title, kind="strong")
        for k, name in enumerate(("a.cu", "b.cu")):
            c.box(116, y + 38 * k, 64, 30, name, kind="plain")
            c.box(236, y + 38 * k, 150, 30, code[k], kind="gpu" if y < 200 else "accent")
            c.arrow(180, y + 38 * k + 15, 236, y + 38 * k + 15)
            c.arrow(386, y + 38 * k + 15, 440, y + 34)
        c.box(440, y + 10, 110, 48, link, kind="cpu" if y < 100 else "warn")
        c.arrow(550, y + 34, 600, y + 34)
        c.box(600, y + 18, 100, 32, "executable", kind="memory")
        c.text(410, y + 86, note, size=13, kind="muted")
