"""A ring buffer that is mapped twice in a row: a window across the boundary is one piece of addresses."""

from lockstep_sphinx.drawings.canvas import Canvas

# As in ring_without_wrap: n elements, and one of its windows of 200, which begins at n - 80.
WINDOW, BEFORE = 200, 80
AFTER = WINDOW - BEFORE
LAST = f"n − {BEFORE} … n − 1"
PAST = f"n … n + {AFTER - 1}"
FIRST = f"0 … {AFTER - 1}"


def draw(c: Canvas) -> None:
    c.size(720, 280)
    left, half, last, past = 1, 359, 120, 150
    middle, end = left + half, left + 2 * half
    top, bottom = 64, 212
    c.text(left, 12, "virtual addresses: one reserved range", 13, "start", "strong")
    for begin, stop, words in (
        (left, middle - 3, "first mapping, at address"),
        (middle + 3, end, "second mapping, at address + bytes"),
    ):
        c.text((begin + stop) / 2, 38, words, 13)
        c.line(begin, 50, stop, 50)
        c.line(begin, 50, begin, 58)
        c.line(stop, 50, stop, 58)
    c.box(left, top, half - last, 40, "…", "plain")
    c.box(middle - last, top, last, 40, LAST, "accent")
    c.box(middle, top, past, 40, PAST, "gpu")
    c.box(middle + past, top, half - past, 40, "…", "plain")
    under = top + 54
    c.line(middle - last, under, middle + past, under)
    c.line(middle - last, under, middle - last, under - 8)
    c.line(middle + past, under, middle + past, under - 8)
    c.text(middle + past + 8, under, f"one window: {WINDOW} elements", 13, "start")
    memory = middle - half / 2
    c.arrow(middle - last / 2, under + 3, memory + half - last / 2, bottom - 3)
    c.arrow(middle + past / 2, under + 3, memory + past / 2, bottom - 3)
    c.box(memory, bottom, past, 40, FIRST, "gpu")
    c.box(memory + past, bottom, half - past - last, 40, "…", "plain")
    c.box(memory + half - last, bottom, last, 40, LAST, "accent")
    c.text(middle, 268, "physical memory: n elements, created once", 13, kind="strong")


def draw_narrow(c: Canvas) -> None:
    c.size(350, 424)
    left, width = 14, 140
    c.text(left + width / 2, 14, "virtual addresses", 13, kind="strong")
    c.text(284, 100, "physical memory:\nn elements", 13, kind="strong")
    for begin, stop in ((32, 199), (205, 372)):
        c.line(4, begin, 4, stop)
        c.line(4, begin, 11, begin)
        c.line(4, stop, 11, stop)
    c.box(left, 32, width, 110, "first mapping,\nat address", "plain")
    c.box(left, 142, width, 60, LAST, "accent")
    c.box(left, 202, width, 70, PAST, "gpu")
    c.box(left, 272, width, 100, "second mapping,\nat\naddress + bytes", "plain")
    c.line(166, 142, 166, 272)
    c.line(159, 142, 166, 142)
    c.line(159, 272, 166, 272)
    c.box(225, 122, 124, 70, FIRST, "gpu")
    c.box(225, 192, 124, 40, "…", "plain")
    c.box(225, 232, 124, 60, LAST, "accent")
    c.arrow(169, 172, 222, 262)
    c.arrow(169, 237, 222, 157)
    c.text(left, 400, f"colored, on the left: one window, {WINDOW} elements", 13, "start")
