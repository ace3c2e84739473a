"""A lookup: the name and the version choose one of the forms that the driver's library holds."""

from lockstep_sphinx.drawings.canvas import Canvas

# The forms of cuCtxCreate, as entry_abi_history prints them.
FORMS = ("2000", "3020", "11040", "12050")
CHOSEN = 2


def draw(c: Canvas) -> None:
    c.size(720, 216)
    c.text(150, 14, "your program", 13, kind="strong")
    c.box(8, 34, 284, 44, "lookup of cuCtxCreate,\nversion 11040", "cpu")
    c.box(8, 132, 284, 44, "call through a pointer of type\nPFN_cuCtxCreate_v11040", "cpu")
    c.text(560, 14, "libcuda, the driver's library", 13, kind="strong")
    for i, form in enumerate(FORMS):
        c.box(420, 34 + 38 * i, 280, 32, f"form of cuCtxCreate from {form}", "accent" if i == CHOSEN else "plain")
    c.arrow(294, 56, 416, 124)
    c.arrow(416, 132, 296, 154, "address")
    c.text(360, 204, "number in the type = version in the lookup = form that the pointer calls", 12, kind="muted")


def draw_narrow(c: Canvas) -> None:
    c.size(345, 330)
    c.box(8, 8, 329, 44, "your program: lookup of cuCtxCreate,\nversion 11040", "cpu")
    c.line(60, 54, 60, 178)
    c.text(72, 74, "libcuda, the driver's library:", 12, "start", "muted")
    for i, form in enumerate(FORMS):
        c.box(72, 86 + 38 * i, 265, 32, f"form of cuCtxCreate from {form}", "accent" if i == CHOSEN else "plain")
    c.arrow(60, 178, 70, 178)
    c.arrow(200, 240, 200, 264, "address")
    c.box(8, 268, 329, 44, "your program: call through\nPFN_cuCtxCreate_v11040", "cpu")
