"""How soon pages can be read and used on a slow phone, and how much a first visit loads.

The network and the processor are those of Lighthouse's slow 4G profile (mobileSlow4G: 1.6 Mbit/s down, 750 kbit/s up,
150 ms to an answer) with a processor four times slower than the one on which the budgets were set; nothing was loaded
before. Chromium applies them, so they cost real time: pages are measured one at a time, and never beside the workers that
look at all pages. Before each visit a loop of known length tells how fast this machine is at that moment, and the processor
is slowed down by so much less.

Each page is loaded three times, and the medians count. A busy machine makes a page slower, never faster: where a median
breaks a budget, the page is loaded again, at most nine times in all, and the best three visits count for each figure. On
a free machine that is the median of three; a page that is too slow by itself stays so.
"""

import math
import os
import statistics
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from playwright.sync_api import Browser, CDPSession, Page, ViewportSize

# Ten pages that stand for the site.
PAGES = (
    "index.html",
    "programming/unified_memory/managed_memory.html",  # a long chapter
    "programming/simt_kernels/occupancy.html",  # charts
    "programming/asynchronous/overlap.html",  # timelines
    "programs/ladders/bf16/persistent/bf16_cluster.html",  # a program's whole source
    "ladders/sgemm/pipeline.html",  # rungs of a ladder
    "labs/shared_memory.html",  # exercises
    "reference/words.html",  # the glossary
    "reference/apis.html",  # the names from A to Z
    "search.html",
)

MAX_PAINT_MS = 1_300  # until the largest part of the first screen is drawn (LCP)
MAX_BLOCKING_MS = 150  # that tasks of more than 50 ms keep the page from answering
LIGHT_BYTES = 60_000  # of a first visit, compressed, without images
LIGHT_SHARE = 0.9  # of the pages are no heavier

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
SLOWER_PROCESSOR = 4
LOOP_MS = 10  # that the loop takes on the processor on which the budgets were set, when it has nothing else to do
PHONE: ViewportSize = {"width": 390, "height": 844}
T = TypeVar("T")
RUNS = 3  # whose median counts
MOST_RUNS = 9
SETTLE_MS = 1_000  # after all is loaded: what comes later is not measured
WAIT_MS = 20_000

# Observers that stand before the page does miss nothing.
OBSERVE = """globalThis.lockstepSpeed = { paint: 0, tasks: [] };
new PerformanceObserver((list) => { for (const entry of list.getEntries()) lockstepSpeed.paint = entry.startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => { for (const { startTime, duration } of list.getEntries()) lockstepSpeed.tasks.push([startTime, duration]); })
  .observe({ type: "longtask", buffered: true });"""

# Five times, since the first is compiled on the way and others may be interrupted; in milliseconds.
LOOP = """() => {
  const times = [];
  for (let run = 0; run < 5; ++run) {
    const begin = performance.now();
    let x = run;
    for (let i = 0; i < 2000000; ++i) x = (x * 1103515245 + i) | 0;
    globalThis.lockstepLoop = x;
    times.push(performance.now() - begin);
  }
  return times;
}"""

# Only what comes after the first paint counts: before it, there is nothing to use.
READ = """() => {
  const drawn = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
  const blocking = lockstepSpeed.tasks.map(([start, time]) => Math.max(0, start + time - Math.max(start, drawn) - 50));
  return [lockstepSpeed.paint, blocking.reduce((sum, time) => sum + time, 0)];
}"""


@dataclass(frozen=True)
class Speed:
    """What a first visit to a page costs."""

    paint: float  # milliseconds
    blocking: float  # milliseconds
    bytes: int  # without images


def slow_down(page: Page) -> CDPSession:
    """Gives a page a slow network, a slow processor and no copies of files."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Network.emulateNetworkConditions", SLOW)
    session.send("Emulation.setCPUThrottlingRate", {"rate": throttling(page.evaluate(LOOP))})
    return session


def throttling(loop_ms: list[float]) -> float:
    """By what factor to slow this machine down, of how long the loop took here."""
    return max(1.0, min(2.0 * SLOWER_PROCESSOR, SLOWER_PROCESSOR * LOOP_MS / statistics.median(loop_ms)))


@contextmanager
def phone(browser: Browser) -> Iterator[Page]:
    """A page in a window of its own, as wide as a phone's."""
    context = browser.new_context(viewport=PHONE)
    try:
        yield context.new_page()
    finally:
        context.close()


def visit(browser: Browser, address: str) -> Speed:
    """Loads a page once, as on a first visit from a slow phone."""
    with phone(browser) as page:
        session = slow_down(page)
        images: set[str] = set()
        sizes: dict[str, int] = {}

        def answered(event: dict[str, str]) -> None:
            if event["type"] == "Image":
                images.add(event["requestId"])

        def loaded(event: dict[str, float | str]) -> None:
            sizes[str(event["requestId"])] = round(float(event["encodedDataLength"]))

        session.on("Network.responseReceived", answered)
        session.on("Network.loadingFinished", loaded)
        page.add_init_script(OBSERVE)
        page.goto(address, wait_until="load", timeout=WAIT_MS)
        page.wait_for_timeout(SETTLE_MS)
        paint, blocking = page.evaluate(READ)
        return Speed(paint, blocking, sum(size for request, size in sizes.items() if request not in images))


def middle(figures: Iterable[float]) -> float:
    """The median of the three lowest."""
    return statistics.median(sorted(figures)[:RUNS])


def repeated(visit: Callable[[], T], times: int, late: Callable[[list[T]], bool]) -> list[T]:
    """Makes some visits, and on a busy machine, where they come too late, more of them: up to nine."""
    made = [visit() for _ in range(times)]
    while late(made) and len(made) < MOST_RUNS:
        made.append(visit())
    return made


def median(visits: list[Speed]) -> Speed:
    """For each figure the median of its three lowest."""
    return Speed(
        middle(visit.paint for visit in visits),
        middle(visit.blocking for visit in visits),
        round(middle(visit.bytes for visit in visits)),
    )


def measure(browser: Browser, address: str) -> Speed:
    """The medians of three visits; where one breaks its budget, of the best three of up to nine."""
    return median(
        repeated(lambda: visit(browser, address), RUNS, lambda visits: bool(too_slow(address, median(visits))))
    )


def too_slow(name: str, speed: Speed) -> list[str]:
    """Which budgets of time a page breaks."""
    found = []
    if speed.paint > MAX_PAINT_MS:
        found.append(
            f"{name}: the largest part is drawn after {speed.paint:.0f} ms on a slow phone, over {MAX_PAINT_MS}; "
            "load less before it"
        )
    if speed.blocking > MAX_BLOCKING_MS:
        found.append(
            f"{name}: scripts and layout block a slow phone for {speed.blocking:.0f} ms, over {MAX_BLOCKING_MS}; "
            "do less at once"
        )
    return found


def findings(browser: Browser, base: str, names: Iterable[str], everything: Iterable[str]) -> list[str]:
    """Measures those of the ten pages that are among `names`, prints a line for each, and says what is too slow.

    :param everything: all pages of the site: one of the ten that is not among them is a finding
    """
    opened, known = set(names), set(everything)
    found = [f"{name}: no such page; name another in ci/lockstep/site/speed.py" for name in PAGES if name not in known]
    for name in PAGES:
        if name in opened & known:
            speed = measure(browser, base + name)
            print(
                f"{name:50} LCP {speed.paint:5.0f} ms  blocking {speed.blocking:4.0f} ms  {speed.bytes:6} bytes",
                flush=True,
            )
            found += [f"{text} {machine()}" for text in too_slow(name, speed)]
    return found


def machine() -> str:
    """How busy this machine is, for a reader of a finding."""
    return (
        f"(load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; if busy, measure again when free)"
    )


def mostly_light(sizes: list[int]) -> list[str]:
    """Whether a first visit is light on nine pages of ten; prints how heavy the pages are."""
    light, ordered = sum(size <= LIGHT_BYTES for size in sizes), sorted(sizes)
    tenth = ordered[math.ceil(LIGHT_SHARE * len(ordered)) - 1]
    print(
        f"a first visit: {statistics.median(ordered):.0f} bytes at the median, at most {tenth} on nine pages of ten, "
        f"at most {ordered[-1]} on all"
    )
    if light >= LIGHT_SHARE * len(sizes):
        return []
    return [
        f"a first visit loads at most {LIGHT_BYTES} bytes on {light} of {len(sizes)} pages, fewer than {LIGHT_SHARE:.0%}"
    ]
