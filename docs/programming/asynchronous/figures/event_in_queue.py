"""An event in a stream: complete as soon as the stream has passed it."""

from lockstep_sphinx.drawings.canvas import Canvas

QUEUE = (
    ("kernel 1\ndone", "muted"),
    ("event\ncomplete", "accent"),
    ("latch\nrunning", "warn"),
    ("kernel 2\nwaiting", "gpu"),
)


def draw(c: Canvas) -> None:
    c.size(720, 130)
    y, h = 46, 40
    c.text(8, y + h / 2, "stream", size=13, anchor="start", kind="strong")
    for (text, kind), x, w in zip(QUEUE, (90, 250, 370, 530), (150, 110, 150, 150), strict=True):
        c.box(x, y, w, h, text, kind)
    c.arrow(445, 18, 445, y - 2)
    c.text(455, 16, "the GPU is here", size=12, anchor="start", kind="muted")
    c.text(305, y + h + 20, "cudaEventQuery: success", size=12, kind="code")
    c.text(565, y + h + 20, "cudaStreamQuery: not ready", size=12, kind="code")


def draw_narrow(c: Canvas) -> None:
    c.size(344, 248)
    c.text(91, 16, "stream", size=13, kind="strong")
    for i, (text, kind) in enumerate(QUEUE):
        c.box(16, 34 + i * 54, 150, 44, text, kind)
    c.text(180, 110, "cudaEventQuery:\nsuccess", size=13, anchor="start", kind="code")
    c.arrow(216, 164, 169, 164)
    c.text(224, 164, "the GPU is here", size=13, anchor="start", kind="muted")
    c.text(180, 218, "cudaStreamQuery:\nnot ready", size=13, anchor="start", kind="code")
