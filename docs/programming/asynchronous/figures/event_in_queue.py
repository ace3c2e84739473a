"""An event in a stream: complete as soon as the stream has passed it."""


def draw(c):
    c.size(720, 130)
    y, h = 46, 40
    c.text(8, y + h / 2, "stream", size=13, anchor="start", kind="strong")
    c.box(90, y, 150, h, "kernel 1\ndone", kind="muted")
    c.box(250, y, 110, h, "event\ncomplete", kind="accent")
    c.box(370, y, 150, h, "gate\nrunning", kind="warn")
    c.box(530, y, 150, h, "kernel 2\nwaiting", kind="gpu")
    c.arrow(445, 18, 445, y - 2)
    c.text(455, 16, "the GPU is here", size=12, anchor="start", kind="muted")
    c.text(305, y + h + 20, "cudaEventQuery: success", size=12, kind="code")
    c.text(565, y + h + 20, "cudaStreamQuery: not ready", size=12, kind="code")
