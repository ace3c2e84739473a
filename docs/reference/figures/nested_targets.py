"""Targets with a suffix: more features for fewer GPUs."""

from lockstep_sphinx.drawings.canvas import Canvas

TARGETS = (
    ("compute_100a", "gpu", "10.0"),
    ("compute_100f", "accent", "10.0, 10.3"),
    ("compute_100", "plain", "10.0 and all later"),
)


def nested(c: Canvas, x: float, y: float, w: float, h: float) -> None:
    """The sets of features: each target's box holds those with fewer."""
    for i, (name, kind, _) in enumerate(TARGETS):
        c.box(x + 24 * i, y + 32 * i, w - 48 * i, h - 44 * i, kind=kind)
        c.text(x + w / 2, y + 32 * i + 21, name, size=13, kind="code")


def draw(c: Canvas) -> None:
    c.size(720, 210)
    c.text(150, 18, "features", kind="strong")
    nested(c, 10, 30, 280, 160)
    c.text(530, 18, "GPUs that can run the code", kind="strong")
    for i, (name, kind, gpus) in enumerate(TARGETS):
        y = 34 + 54 * i
        c.text(460, y + 27, name, size=13, kind="code", anchor="end")
        c.box(474, y, 80 + 78 * i, 42, gpus, kind=kind)


def draw_narrow(c: Canvas) -> None:
    c.size(340, 400)
    c.text(170, 18, "features", kind="strong")
    nested(c, 30, 30, 280, 160)
    c.text(170, 222, "GPUs that can run the code", kind="strong")
    for i, (name, kind, gpus) in enumerate(TARGETS):
        y = 236 + 54 * i
        c.text(112, y + 27, name, size=12, kind="code", anchor="end")
        c.box(122, y, 70 + 64 * i, 42, gpus, kind=kind)
