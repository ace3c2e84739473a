"""One allocation in two processes: the steps of share_by_descriptor, and what refers to the memory meanwhile."""

from lockstep_sphinx.drawings.canvas import Canvas

EXPORTER, IMPORTER = "exporter", "importer"
MAP = ("cuMemAddressReserve,\ncuMemMap, cuMemSetAccess;\ncuMemRelease", "reserve, map,\nset access;\ncuMemRelease")
# The steps in the order of time: process, words, words for a narrow column.
STEPS = {
    "create": (EXPORTER, "cuMemCreate,\nwith requestedHandleTypes", "cuMemCreate, with\nrequested-\nHandleTypes"),
    "export": (EXPORTER, "cuMemExportToShareableHandle", "cuMemExportTo-\nShareableHandle"),
    "map": (EXPORTER, *MAP),
    "send": (
        EXPORTER,
        "fill, wait for the GPU;\nsend descriptor and size; close",
        "fill, wait; send\ndescriptor and\nsize; close",
    ),
    "receive": (IMPORTER, "receive a descriptor of its own", "receive a\ndescriptor"),
    "import": (
        IMPORTER,
        "cuMemImportFromShareableHandle;\nclose the descriptor",
        "cuMemImportFrom-\nShareableHandle;\nclose it",
    ),
    "map there": (IMPORTER, *MAP),
    "add": (IMPORTER, "add 5, wait for the GPU; answer", "add 5, wait;\nanswer"),
    "let go": (EXPORTER, "count; cuMemUnmap,\ncuMemAddressFree; say so", "count; unmap,\nfree addresses;\nsay so"),
    "count": (IMPORTER, "count, too", "count, too"),
}
# What refers to the memory: column, kind, words, the steps at which it begins and ends; None is past the last one.
REFERENCES = (
    (0, "accent", "handle", "create", "map"),
    (0, "gpu", "mapping\nat the\nexporter’s\naddress", "map", "let go"),
    (1, "cpu", "descriptor", "export", "send"),
    (2, "cpu", "descriptor", "receive", "import"),
    (2, "accent", "handle", "import", "map there"),
    (2, "gpu", "mapping\nat the\nimporter’s\naddress", "map there", None),
)
GAP, LINE = 8, 16


def _step(c: Canvas, x: float, y: float, w: float, words: str, size: float) -> float:
    """A step; returns its height."""
    height = 14 + LINE * len(words.split("\n"))
    c.box(x, y, w, height)
    c.text(x + w / 2, y + height / 2, words, size)
    return height


def _memory(c: Canvas, columns: tuple[float, ...], w: float, when: dict[str, float], bottom: float) -> None:
    """The memory, and on it a bar for each reference; `when` says where the steps are."""
    left, top = columns[0] - 8, when["create"] - 8
    c.text(left + (columns[2] + w + 8 - left) / 2, top - 22, "one allocation\nof physical memory", 13, kind="strong")
    c.box(left, top, columns[2] + w + 8 - left, bottom + 8 - top, "", "memory")
    for column, kind, words, begin, end in REFERENCES:
        height = (when[end] if end else bottom) - when[begin]
        c.box(columns[column], when[begin], w, height, "", kind)
        c.text(columns[column] + w / 2, when[begin] + height / 2, words, 12)
    c.arrow(columns[1] + w / 2, when["send"] + 3, columns[2] + w / 2, when["receive"] - 3)
    c.text(columns[1] + w / 2, when["receive"] + 4, "through\na Unix\nsocket", 12)


def draw(c: Canvas) -> None:
    c.size(720, 557)
    width, side = 222, {EXPORTER: 1, IMPORTER: 497}
    for process, x in side.items():
        c.text(x + width / 2, 26, process, 14, kind="strong")
    y, when = 40.0, {}
    for name, (process, words, _) in STEPS.items():
        height = _step(c, side[process], y, width, words, 13)
        when[name] = y + height / 2
        y += height + GAP
    _memory(c, (240, 324, 404), 76, when, y)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 734)
    width = 124
    y, when, before = 12.0, {}, EXPORTER
    c.text(1 + width / 2, y, before, 13, kind="strong")
    for name, (process, _, words) in STEPS.items():
        if process != before:
            y += 12
            c.text(1 + width / 2, y, process, 13, kind="strong")
        y += 14 if process != before or name == "create" else 0
        height = _step(c, 1, y, width, words, 12)
        when[name], before = y + height / 2, process
        y += height + GAP
    _memory(c, (140, 210, 277), 64, when, y)
