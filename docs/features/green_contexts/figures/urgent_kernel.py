"""An urgent kernel that arrives while a long one runs: on shared SMs it waits; on SMs of its own it starts at once."""

from lockstep_sphinx.drawings.canvas import Canvas

FILE = "features/green_contexts/latency/critical_kernel.csv"
PROGRAM = "critical_kernel"


def _us(c: Canvas, row: str, kind: str, column: str) -> float:
    return float(c.cell(FILE, column, "{:.2f}", row=row, kind=kind))


def _panel(c: Canvas, top: float, scale: float, setting: str, words: tuple[str, str, str, str]) -> None:
    """One way to run the two kernels; `words`: its title, the long kernel, the lane of the urgent one, its latency."""
    title, long_kernel, lane, latency = words
    left = 4.0
    asked = _us(c, f"{setting} 2nd", "api", "~start_us")
    begin, end = (_us(c, f"{setting} 2nd", "kernel", column) for column in ("~start_us", "~end_us"))
    c.text(left, top + 8, title, 13, "start", "strong")
    c.box(left, top + 22, scale * _us(c, setting, "kernel", "~end_us"), 44, long_kernel, "gpu")
    c.box(left + scale * asked, top + 72, scale * (begin - asked), 26, "", "ghost")
    c.box(left + scale * begin, top + 72, max(4, scale * (end - begin)), 26, "", "accent")
    c.text(left + scale * asked + (8 if setting == "equal" else 14), top + 85, lane + latency, 12, "start")


def _draw(c: Canvas, scale: float, words: tuple[str, str, str, str, str]) -> None:
    equal = c.measured(PROGRAM, "equal priorities, urgent")
    green = c.measured(PROGRAM, "green contexts, urgent")
    _panel(c, 4, scale, "equal", ("without green contexts", words[0], words[2], equal))
    _panel(c, 122, scale, "green", ("with two green contexts", words[1], words[3], green))
    c.arrow(4, 236, 4 + scale * 4100, 236)
    c.text(4, 250, words[4], 12, "start", "muted")


def draw(c: Canvas) -> None:
    c.size(720, 262)
    _draw(
        c,
        0.172,
        (
            "long kernel, on all 132 SMs",
            "long kernel, on 116 SMs",
            "urgent kernel waits for room; done after ",
            "urgent kernel, on its own 16 SMs; done after ",
            "time",
        ),
    )


def draw_narrow(c: Canvas) -> None:
    c.size(345, 262)
    _draw(
        c,
        0.081,
        ("long kernel, all 132 SMs", "long kernel, 116 SMs", "waits; done after ", "on 16 SMs; done after ", "time"),
    )
