"""Which element thread 3 of block 2 works on."""

from lockstep_sphinx.drawings.canvas import Canvas


def blocks(c: Canvas, width: float, height: float, text: str) -> None:
    c.text(10 + 2 * width, 14, "1024 elements", size=13, kind="muted")
    for block in range(4):
        x = 10 + block * width
        c.box(x, 30, width, height, f"block {block}:{text}", kind="gpu" if block == 2 else "plain")
        c.text(x + 4, height + 44, str(block * 256), size=12, anchor="start", kind="code")
    c.text(6 + 4 * width, height + 44, "1023", size=12, anchor="end", kind="code")


def elements(c: Canvas, left: float, top: float, width: float, height: float) -> None:
    c.text(left - 14, top + height / 2, "block 2 begins", size=13, anchor="end", kind="muted")
    labels = ["512", "513", "514", "515", "516", "..."]
    c.cells(left, top, width, height, labels, ["accent" if label == "515" else "gpu" for label in labels])
    c.text(left + 3.5 * width, top + height + 17, "work index 515", size=13, kind="strong")


def draw(c: Canvas) -> None:
    c.size(720, 244)
    blocks(c, 175, 44, " 256 threads")
    c.line(360, 74, 360, 182, dashed=True)
    c.arrow(10, 120, 358, 120)
    c.text(184, 136, "blockDim.x * blockIdx.x = 512", size=13, kind="code")
    c.arrow(360, 150, 528, 150)
    c.text(540, 150, "+ threadIdx.x = 3", size=13, anchor="start", kind="code")
    elements(c, 360, 178, 56, 34)


def draw_narrow(c: Canvas) -> None:
    c.size(356, 290)
    blocks(c, 84, 66, "\n256\nthreads")
    c.line(178, 96, 178, 242, dashed=True)
    c.arrow(10, 138, 176, 138)
    c.text(92, 164, "blockDim.x *\nblockIdx.x = 512", size=13, kind="code")
    c.arrow(178, 198, 262, 198)
    c.text(186, 216, "+ threadIdx.x = 3", size=13, anchor="start", kind="code")
    elements(c, 178, 238, 28, 22)
