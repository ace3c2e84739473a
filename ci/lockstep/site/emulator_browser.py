"""What a reader does with programs that run in the page: run, stop and step them, with the keyboard alone too.

Part of browser.py. A site without `_emulator` has no such programs, and nothing to check.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, TimeoutError

TRIES = 3  # of a program that takes longer; the shortest counts
LONGEST_S = 6  # three times what a run may take on a laptop: machines that check are slow
RUN_WAIT_MS = 30_000  # longer than the page's own limit of 20 s
START_WAIT_MS = 5_000
SCREEN: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 900}, "color_scheme": "dark"}


@dataclass(frozen=True)
class Run:
    """A program of a page, and what the page must say in the end: in its status or in the output."""

    page: str
    program: str
    says: str
    arguments: str | None = None  # None: those on the card
    order: int = 0
    steps: bool = False  # has steps to show
    values: bool = False  # and variables with them
    endless: bool = False  # runs until it is stopped

    def __str__(self) -> str:
        words = [self.program, *([self.arguments] if self.arguments else [])]
        return " ".join(words) + (f" in order {self.order}" if self.order else "")


INTRODUCTION = "foundations/introduction"
WARPS = "foundations/programming_model/warps"
SYNCHRONIZATION = "programming/cuda_cpp/synchronization"
SHARED = "programming/simt_kernels/shared_memory"
CONFLICTS = "programming/simt_kernels/bank_conflicts"
GROUPS = "programming/simt_kernels/cooperative_groups"
LONG = "--steps 10000000 --untimed"
RUNS = (
    Run(f"{INTRODUCTION}.html", f"{INTRODUCTION}/meet_the_gpu", says="Same as recorded"),
    Run(f"{INTRODUCTION}.html", f"{INTRODUCTION}/many_slow_threads", says="topped", arguments=LONG, endless=True),
    Run(f"{WARPS}.html", f"{WARPS}/idle_lanes_in_last_warp", says="Same as recorded", steps=True),
    Run(
        f"{SYNCHRONIZATION}.html",
        f"{SYNCHRONIZATION}/reverse_in_block",
        says="Same as recorded",
        steps=True,
        values=True,
    ),
    Run(f"{CONFLICTS}.html", f"{CONFLICTS}/transpose_three_ways", says="Same as recorded", steps=True, values=True),
    Run(f"{SHARED}.html", f"{SHARED}/two_barriers_in_a_loop", says="a race", arguments="--barriers one"),
    Run(f"{SHARED}.html", f"{SHARED}/barrier_in_branch", says="deadlock", arguments="--barrier two"),
    Run(f"{GROUPS}.html", f"{GROUPS}/group_smaller_than_block", says="Same as recorded", order=3),
)

Inspect = Callable[[Page], list[str]]  # what is wrong with the page as it stands


@contextmanager
def opened(
    browser: Browser, base: str, run: Run, complaints: list[str], device: dict[str, Any] = SCREEN
) -> Iterator[Locator]:
    """The card of a run's program on its page; what the browser complains of is added to `complaints`."""

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"console {message.type}: {message.text}")

    context = browser.new_context(**device, reduced_motion="reduce")
    context.set_default_timeout(START_WAIT_MS)
    page = context.new_page()
    page.on("pageerror", lambda error: complaints.append(f"script error: {error}"))
    page.on("console", heard)
    page.goto(base + run.page)
    try:
        yield page.locator(f'.lockstep-card[data-program="{run.program}"]')
    except TimeoutError as error:
        complaints.append(f"waits without end: {error.message.splitlines()[0]}")
    finally:
        context.close()


def fill(card: Locator, run: Run) -> None:
    card.locator("[name=run]").wait_for()
    card.locator(".lockstep-more").evaluate("(more) => (more.open = true)")
    if run.arguments is not None:
        card.locator("[name=arguments]").fill(run.arguments)
    card.locator("[name=seed]").fill(str(run.order))


def finish(card: Locator) -> str:
    """Waits until the run is over; returns all that is said of it."""
    status = card.locator("form:not([aria-busy]) > [role=status]").filter(has_not_text="…")  # as in "Running …"
    status.wait_for(timeout=RUN_WAIT_MS)
    output = card.locator("[role=log]")
    return status.inner_text() + "\n" + (output.inner_text() if output.count() else "")


def start(card: Locator, act: Callable[[], None]) -> None:
    """Does what should start the program; the page must take notice, if only to say that it cannot."""
    act()
    card.locator("[role=status]:not(:empty)").wait_for()


def focused(card: Locator) -> str:
    """The name of the field or button that has the keyboard's focus, else its role."""
    name: str = card.page.evaluate("document.activeElement.name || document.activeElement.getAttribute('role') || ''")
    return name


def says(browser: Browser, base: str, run: Run, inspect: Inspect) -> list[str]:
    """Presses Run: the page must say what is expected, and be in order afterwards; on a dark phone too."""
    found: list[str] = []
    for device in (SCREEN, PHONE):
        with opened(browser, base, run, found, device) as card:
            fill(card, run)
            start(card, card.locator("[name=run]").click)
            told = finish(card)
            if run.says not in told:
                return [*found, f'does not say "{run.says}" but "{" / ".join(told.split(chr(10))[:8])}"']
            found += disorder(card, inspect)
    return found


def disorder(card: Locator, inspect: Inspect) -> list[str]:
    """What is wrong with the page as it stands."""
    found = inspect(card.page)
    if card.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("makes the page scroll sideways")
    return found


def runs_by_keyboard(browser: Browser, base: str, run: Run) -> list[str]:
    """Enter among the arguments runs; then Run has the focus, and the output is a few tabs away."""
    found: list[str] = []
    with opened(browser, base, run, found) as card:
        fill(card, run)
        card.locator("[name=arguments]").focus()
        start(card, lambda: card.page.keyboard.press("Enter"))
        if run.says not in finish(card):
            found.append(f'does not say "{run.says}" after Enter')
        if focused(card) != "run":
            found.append(f"leaves the focus at {focused(card) or 'nothing'} after a run, not at Run")
        reached = [focused(card)]
        for _ in range(3):
            card.page.keyboard.press("Tab")
            reached.append(focused(card))
        if "log" not in reached:
            found.append(f"output is not reached with Tab: {', '.join(reached)}")
    return found


def stops(browser: Browser, base: str, run: Run) -> list[str]:
    """Stop has the focus while a program runs; it stops that, and so does Escape."""
    found: list[str] = []
    for key in ("Enter", "Escape"):
        with opened(browser, base, run, found) as card:
            fill(card, run)
            start(card, card.locator("[name=run]").click)
            card.locator("[role=status]", has_text="Running").wait_for()
            if focused(card) != "stop":
                found.append("does not give Stop the focus")
            card.page.keyboard.press(key)
            if "Stopped." not in finish(card):
                found.append(f"does not stop at {key}")
            if focused(card) != "run":
                found.append(f"does not give Run the focus back after {key}")
    return found


def steps_show(browser: Browser, base: str, run: Run, inspect: Inspect) -> list[str]:
    """Steps through the program with button, arrow key and slider."""
    found: list[str] = []
    for device in (SCREEN, PHONE):
        with opened(browser, base, run, found, device) as card:
            fill(card, run)
            start(card, card.locator("[name=step]").click)
            told = finish(card)
            view = card.locator(".lockstep-steps")
            if view.count() == 0:
                return [*found, f"shows no steps: {told.splitlines()[0]}"]
            slider, now = view.locator("input[type=range]"), view.locator("[aria-live]")
            view.locator("[name=next]").click()
            card.page.keyboard.press("ArrowRight")
            if slider.input_value() != "2":
                found.append(f"stands at step {slider.input_value()} after two steps forward")
            view.locator("[name=previous]").click()
            before = now.inner_text()
            slider.focus()
            card.page.keyboard.press("End")
            if now.inner_text() == before or not before.startswith("line "):
                found.append(f'says "{before}" of a step, and "{now.inner_text()}" of the last')
            if view.locator("[aria-current=step]").count() != 1:
                found.append("marks no line as the present one")
            card.page.keyboard.press("Home")
            for _ in range(int(slider.get_attribute("max") or "0") if run.values else 0):
                card.page.keyboard.press("ArrowRight")
                if view.locator(".variables td, .variables b").count():
                    break
            else:
                found += ["shows no value of a variable"] if run.values else []
            card.page.keyboard.press("End")
            if wider := view.evaluate(WIDER):
                found.append(f"has steps that are wider than their card: {', '.join(dict.fromkeys(wider))}")
            found += disorder(card, inspect)
    return found


# What of the view is wider than its place: lines of source wrap, and tables share out the width that there is.
WIDER = """(view) => {
  const right = view.closest(".lockstep-card").getBoundingClientRect().right;
  return [...view.querySelectorAll("*")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(one).overflowX)
      || one.getBoundingClientRect().right > right)
    .map((one) => one.className || one.localName);
}"""


def deeds(
    runs: tuple[Run, ...], browser: Browser, base: str, inspect: Inspect
) -> Iterator[tuple[Run, Callable[[], list[str]]]]:
    """Each check with the run that it is made of."""
    for run in runs:
        if run.endless:
            yield run, partial(stops, browser, base, run)
        else:
            yield run, partial(says, browser, base, run, inspect)
        if run.steps:
            yield run, partial(steps_show, browser, base, run, inspect)
    if ending := [run for run in runs if not run.endless]:
        yield ending[0], partial(runs_by_keyboard, browser, base, ending[0])


# Makes the recorded runs of each program as the page does, without the page; tells how long each took and what is wrong.
# The first must be made for a browser; the page says of another that it takes too long, or too many threads.
EVERY = """async (names) => {
  const {SAYS, caught, differences, execute, program, words} = await import(new URL("_static/emulator/run.js", document.baseURI));
  const found = [];
  for (const name of names) {
    const {told, module} = await program(new URL(`_emulator/${name}`, document.baseURI));
    for (const recorded of told.recorded) {
      const {lines, status, arguments: given, finds} = recorded;
      let out = "";
      const job = {module, name: told.name, arguments: words(given), seed: 0};
      const begin = performance.now();
      const last = await execute(job, new AbortController().signal, (heard) => (out += heard.out));
      const seconds = (performance.now() - begin) / 1000;
      const all = out.split("\\n").slice(0, -1);
      const printed = all.filter((line) => !line.startsWith(SAYS));
      const remarks = all.filter((line) => line.startsWith(SAYS));
      const further = given !== told.recorded[0].arguments;
      if (further && (last.late || remarks.some((line) => line.includes(": needs more than the ")))) continue;
      let wrong = "";
      if (!caught(recorded, remarks)) {
        const [first] = differences(printed, lines, told.varies, told.unordered);
        if (finds) wrong = `does not find: ${finds}`;
        else if (last.status !== status)
          wrong = `ends with ${JSON.stringify(last)}, after: ${all.slice(-3).join(" / ")}`;
        else if (first) wrong = `prints "${printed[first.line] ?? ""}", recorded: "${first.recorded ?? ""}"`;
      }
      found.push([`${name.replace(/\\.json$/, "")} ${given}`.trim(), further ? 0 : seconds, wrong]);
    }
  }
  return found;
}"""


def every_program(browser: Browser, base: str, folder: Path) -> list[str]:
    """Each program of the site must print in the browser what was recorded, and be done soon."""
    names = sorted(path.name for path in (folder / "_emulator").glob("*.json"))
    page = browser.new_page()
    page.goto(base)
    ran = page.evaluate(EVERY, names)
    took = _seconds(ran)
    for _ in range(TRIES - 1):  # what else the machine does makes a run slower, and never faster
        slow = [name for name in names if took.get(name, 0.0) > LONGEST_S]
        again = _seconds(page.evaluate(EVERY, slow)) if slow else {}
        took |= {name: min(seconds, took[name]) for name, seconds in again.items()}
    page.close()
    return [f"{name}: {wrong}" for name, _, wrong in ran if wrong] + [
        f"{Path(name).stem}: takes {seconds:.1f} s, more than {LONGEST_S}"
        for name, seconds in took.items()
        if seconds > LONGEST_S
    ]


def _seconds(ran: list[tuple[str, float, str]]) -> dict[str, float]:
    """How long the longest run of each program took, by the name of its file."""
    took: dict[str, float] = {}
    for name, seconds, _ in ran:
        file = f"{name.partition(' ')[0]}.json"
        took[file] = max(seconds, took.get(file, 0.0))
    return took


def findings(
    browser: Browser, base: str, folder: Path, inspect: Inspect, runs: tuple[Run, ...] | None = None
) -> list[str]:
    """What is wrong with the programs that run in the pages of a site."""
    if not (folder / "_emulator").exists():
        return []
    found = [
        f"{run.page}: {run}: {text}"
        for run, deed in deeds(RUNS if runs is None else runs, browser, base, inspect)
        for text in dict.fromkeys(deed())
    ]
    return found + (every_program(browser, base, folder) if runs is None else [])
