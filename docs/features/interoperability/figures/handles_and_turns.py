"""The buffer and the semaphore of vk_shared_buffer: how CUDA gets them, and who signals and waits for which value."""

from lockstep_sphinx.drawings.canvas import Canvas

Words = tuple[str, str]  # on wide figures, and on narrow ones
GAP, LINE, STEP, PITCH = 12, 17, 40, 50

EXPORT_MEMORY = (("memory of the buffer", "memory of\nthe buffer"), ("vkGetMemoryFdKHR", "vkGetMemory-\nFdKHR"))
IMPORT_MEMORY = (("imported", "imported"), ("cudaImportExternalMemory", "cudaImport-\nExternalMemory"))
MAP_MEMORY = (
    ("x: the same memory", "x: the same\nmemory"),
    ("cudaExternalMemoryGetMappedBuffer", "cudaExternal-\nMemoryGet-\nMappedBuffer"),
)
EXPORT_SEMAPHORE = (
    ("timeline, a semaphore", "timeline,\na semaphore"),
    ("vkGetSemaphoreFdKHR", "vkGetSemaphore-\nFdKHR"),
)
IMPORT_SEMAPHORE = (
    ("semaphore: the same one", "semaphore:\nthe same one"),
    ("cudaImportExternalSemaphore", "cudaImport-\nExternal-\nSemaphore"),
)
LANES = (("Vulkan’s queue", "queue"), ("value of the semaphore", "value"), ("CUDA’s stream", "stream"))
# What the queue and the stream do: row, kind, name, the call if there is room.
QUEUE = (
    (1, "accent", ("wait for 1", "wait for 1")),
    (2, "gpu", ("take, copy the buffer, give", "take, copy the\nbuffer, give")),
    (3, "accent", ("signal 2", "signal 2")),
)
STREAM = (
    (0, "gpu", ("kernel writes into x", "kernel writes\ninto x"), ""),
    (1, "accent", ("signal 1", "signal 1"), "cudaSignalExternalSemaphoresAsync"),
    (3, "accent", ("wait for 2", "wait for 2"), "cudaWaitExternalSemaphoresAsync"),
    (4, "gpu", ("kernel overwrites x", "kernel\noverwrites x"), ""),
)


def _lines(c: Canvas, x: float, y: float, size: float, words: list[tuple[str, str]]) -> None:
    """Lines of text, each with its kind, around (x, y)."""
    lines = [(line, kind) for text, kind in words for line in text.split("\n") if text]
    for i, (line, kind) in enumerate(lines):
        c.text(x, y + (i - (len(lines) - 1) / 2) * LINE, line, size, kind=kind)


def _handles(c: Canvas, narrow: int, w: float, right: float, heights: tuple[float, ...]) -> float:
    """How the memory and the semaphore get into CUDA; returns where that ends."""
    size = 12 if narrow else 13
    for x, api in ((1, "Vulkan"), (right, "CUDA")):
        c.text(x + w / 2, 14, api, 14, kind="strong")

    def part(x: float, y: float, h: float, kind: str, words: tuple[Words, Words], call_first: bool = True) -> None:
        c.box(x, y, w, h, "", kind)
        lines = [(words[0][narrow], "strong"), (words[1][narrow], "plain")]
        _lines(c, x + w / 2, y + h / 2, size, lines[::-1] if call_first else lines)

    def descriptor(y: float) -> None:
        c.arrow(1 + w + 3, y, right - 3, y)
        if narrow:
            c.text((1 + w + right) / 2, y - 19, "file\ndescriptor", 12)
        else:
            c.text((1 + w + right) / 2, y - 10, "file descriptor", 12)

    y = 28.0
    part(1, y, heights[0], "memory", EXPORT_MEMORY, call_first=False)
    part(right, y, heights[0], "memory", IMPORT_MEMORY)
    descriptor(y + heights[0] / 2)
    y += heights[0] + GAP + 8
    c.arrow(right + w / 2, y - GAP - 6, right + w / 2, y - 2)
    part(right, y, heights[1], "memory", MAP_MEMORY)
    y += heights[1] + GAP + 8
    part(1, y, heights[2], "accent", EXPORT_SEMAPHORE, call_first=False)
    part(right, y, heights[2], "accent", IMPORT_SEMAPHORE)
    descriptor(y + heights[2] / 2)
    return y + heights[2]


def _turns(c: Canvas, narrow: int, w: float, right: float, top: float) -> None:
    """One exchange: the queue at the left, the stream at the right, and the value of the semaphore between them."""
    size = 12 if narrow else 13
    middle, track, inset = (1 + w + right) / 2, 36 if narrow else 70, 12 if narrow else 18
    for x, words in zip((1 + w / 2, middle, right + w / 2), LANES, strict=True):
        c.text(x, top, words[narrow], 14, kind="strong")
    rows = [top + 16 + PITCH * i for i in range(5)]
    c.box(1, rows[0], w, PITCH * 4, "", "ghost")
    c.text(1 + w / 2, rows[0] + PITCH / 2 - 2, "one vkQueueSubmit", size)
    for row, kind, name in QUEUE:
        c.box(1 + inset, rows[row], w - 2 * inset, STEP, "", kind)
        _lines(c, 1 + w / 2, rows[row] + STEP / 2, size, [(name[narrow], "strong")])
    for row, kind, name, call in STREAM:
        c.box(right, rows[row], w, STEP, "", kind)
        lines = [(name[narrow], "strong"), ("" if narrow else call, "plain")]
        _lines(c, right + w / 2, rows[row] + STEP / 2, size, lines)
    ends = [rows[0], rows[1] + STEP / 2, rows[3] + STEP / 2, rows[4] + STEP]
    for value, (begin, end) in enumerate(zip(ends, ends[1:], strict=False)):
        c.box(middle - track / 2, begin, track, end - begin, str(value))
    outside, queue, stream = track / 2 + 3, 1 + w - inset + 3, right - 3
    c.arrow(stream, ends[1], middle + outside, ends[1])
    c.arrow(middle - outside, ends[1], queue, ends[1])
    c.arrow(queue, ends[2], middle - outside, ends[2])
    c.arrow(middle + outside, ends[2], stream, ends[2])


def draw(c: Canvas) -> None:
    c.size(720, 500)
    top = _handles(c, 0, 250, 469, (46, 46, 46))
    _turns(c, 0, 250, 469, top + 32)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 650)
    top = _handles(c, 1, 130, 219, (80, 97, 97))
    _turns(c, 1, 130, 219, top + 30)
