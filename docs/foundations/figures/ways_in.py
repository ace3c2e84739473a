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
        c.box(10, y, 130, 38, name, kind=kind)
        c.text(156, y + 19, what, size=13, anchor="start", kind="muted")
    c.arrow(560, 14, 560, 236)
    c.text(576, 29, "less effort,\nless control", size=13, anchor="start", kind="muted")
    c.text(576, 217, "more effort,\nmore control", size=13, anchor="start", kind="muted")
