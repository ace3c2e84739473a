"""A page fault on a software-coherent system: three frames of two page tables and two memories."""

from lockstep_sphinx.drawings.canvas import Canvas

# title, entry of the CPU, entry of the GPU, where the page lies
FRAMES = (
    ("1. the CPU owns the page", "valid", "-", "c"),
    ("2. the owner loses it", "-", "-", "m"),
    ("3. the GPU owns the page", "-", "valid", "g"),
)
SIDES = (("CPU", "cpu", "c"), ("GPU", "gpu", "g"))


def frame(c: Canvas, x: float, y: float, entries: tuple[str, str], where: str) -> None:
    """Page tables above, memories below; an arrow from a valid entry to the page, or along the copy."""
    for column, (name, kind, mark) in enumerate(SIDES):
        left = x + column * 112
        entry = entries[column]
        c.text(left + 46, y, f"{name}'s table", size=12, kind="muted")
        c.box(
            left,
            y + 12,
            92,
            30,
            "valid" if entry == "valid" else "no entry",
            kind=kind if entry == "valid" else "ghost",
        )
        c.text(left + 46, y + 84, f"{name} memory", size=12, kind="muted")
        holds = where in {mark, "m"}
        c.box(left, y + 96, 92, 34, "page" if holds else "", kind=kind if where == mark else "ghost")
        if entry == "valid":
            c.arrow(left + 46, y + 44, left + 46, y + 72)
    if where == "m":
        c.arrow(x + 93, y + 113, x + 111, y + 113)


def draw(c: Canvas) -> None:
    c.size(720, 170)
    for i, (title, cpu, gpu, where) in enumerate(FRAMES):
        x = 10 + i * 242
        c.text(x + 102, 14, title, size=13, kind="strong")
        frame(c, x, 32, (cpu, gpu), where)


def draw_narrow(c: Canvas) -> None:
    c.size(324, 520)
    for i, (title, cpu, gpu, where) in enumerate(FRAMES):
        y = 16 + i * 172
        c.text(60, y, title, size=13, anchor="start", kind="strong")
        frame(c, 60, y + 20, (cpu, gpu), where)
