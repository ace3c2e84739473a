"""Five ways to use a GPU, by effort and control."""


def draw(c):
    c.size(700, 250)
    rungs = [
        ("language", "NVIDIA Warp, OpenAI Triton", "memory"),
        ("framework", "neural networks", "memory"),
        ("library", "cuBLAS, cuFFT, cuDNN, CUTLASS, Thrust", "accent"),
        ("kernel", "CUDA C++: most of this site", "gpu"),
        ("PTX", "the GPU's assembly language", "cpu"),
    ]
    for i, (name, what, kind) in enumerate(rungs):
        y = 10 + i * 47
        c.box(70, y, 130, 38, name, kind=kind)
        c.text(216, y + 19, what, size=13, anchor="start", kind="muted")
    c.arrow(40, 14, 40, 236)
    c.text(640, 24, "less effort", size=13, kind="muted")
    c.text(640, 226, "more control", size=13, kind="muted")
