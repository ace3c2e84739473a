"""Host and device during an asynchronous launch."""


def draw(c):
    c.size(720, 170)
    c.text(70, 46, "host", anchor="end", size=13)
    c.text(70, 106, "device", anchor="end", size=13)
    c.box(84, 28, 80, 36, "launch", kind="accent")
    c.box(170, 28, 190, 36, "goes on", kind="cpu")
    c.box(366, 28, 204, 36, "cudaDeviceSynchronize", kind="muted")
    c.box(576, 28, 130, 36, "uses result", kind="cpu")
    c.box(210, 88, 360, 36, "kernel", kind="gpu")
    c.arrow(164, 64, 208, 90, dashed=True)
    c.arrow(570, 88, 576, 66, dashed=True)
    c.arrow(84, 146, 706, 146)
    c.text(395, 160, "time", size=12, kind="muted")
