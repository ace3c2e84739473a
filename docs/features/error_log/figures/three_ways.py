"""A refused call leaves messages in the driver's buffer; three ways lead to them."""

from lockstep_sphinx.drawings.canvas import Canvas

CALL = "refused call:\ninvalid argument"
BUFFER = "the driver writes the reason\ninto a buffer of 100 messages"
WAYS = (
    ("CUDA_LOG_FILE", "a file or a stream, no change of the program"),
    ("a dump", "an array or a file, after a failed check"),
    ("a callback", "your function, for each message"),
)


def draw(c: Canvas) -> None:
    c.size(720, 150)
    c.box(4, 50, 130, 46, CALL, "cpu")
    c.arrow(136, 73, 166, 73)
    c.box(170, 50, 200, 46, BUFFER, "accent")
    for i, (name, use) in enumerate(WAYS):
        y = 4 + 50 * i
        c.arrow(372, 73, 410, y + 20)
        c.box(414, y, 302, 42, f"{name}:\n{use}", "plain")


def draw_narrow(c: Canvas) -> None:
    c.size(345, 300)
    c.box(60, 4, 225, 42, CALL, "cpu")
    c.arrow(172, 48, 172, 68)
    c.box(60, 72, 225, 46, BUFFER, "accent")
    c.line(24, 95, 58, 95)
    c.line(24, 95, 24, 271)
    for i, (name, use) in enumerate(WAYS):
        y = 138 + 54 * i
        c.arrow(24, y + 23, 38, y + 23)
        c.box(42, y, 299, 46, f"{name}:\n{use}", "plain")
