"""Application, runtime, driver and GPU, one on top of the other."""


def draw(c):
    c.size(700, 350)
    c.box(10, 10, 440, 56, "your program\nCPU code, and GPU code for the driver", kind="cpu")
    c.box(10, 106, 260, 56, "runtime API\nlibrary of the toolkit", kind="accent")
    c.box(10, 202, 440, 56, "driver API\nlibrary of the NVIDIA driver", kind="accent")
    c.box(10, 294, 440, 46, "GPU", kind="gpu")
    c.arrow(140, 66, 140, 106)
    c.arrow(140, 162, 140, 202)
    c.arrow(360, 66, 360, 202)
    c.arrow(230, 258, 230, 294)
    c.text(470, 128, "ask cudaRuntimeGetVersion", size=13, anchor="start", kind="muted")
    c.text(470, 148, "changes with the toolkit", size=13, anchor="start", kind="muted")
    c.text(470, 224, "ask cudaDriverGetVersion", size=13, anchor="start", kind="muted")
    c.text(470, 244, "changes with a driver update", size=13, anchor="start", kind="muted")
    c.text(470, 312, "ask for the compute capability", size=13, anchor="start", kind="muted")
    c.text(470, 332, "changes with the hardware", size=13, anchor="start", kind="muted")
