"""Takes pictures of what readers see first and use most, for a person to look at.

    python3 ci site screenshots [--readme] [FOLDER]      (default: build/html; pictures go to build/screenshots)

The front page, a chapter, the search (its open box and its page), the guide's map, the list of names and each calculator
are taken at both widths and in both themes; some pages also as they begin on paper. A page that does not come to what its
picture should show is an error. --readme also renews docs/_static/screenshot.png and, from ci/lockstep/site/card.html,
docs/_static/card.png.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Error, Page

from lockstep.calculators import CALCULATORS
from lockstep.files import ROOT
from lockstep.site import pictures
from lockstep.site.browser import THEMES, WIDTHS, chromium
from lockstep.site.paper import SHEET_PX
from lockstep.site.server import serve

STATIC = ROOT / "docs/_static"
QUESTION = "bank conflicts"
HEIGHT = 900
SHEET_HEIGHT_PX = 1002  # what margins of 16 mm leave of A4
SHEETS = 2
WAIT_MS = 10_000


def leave(page: Page) -> None:
    """Does nothing: the page is shown as it opens."""


def type_question(page: Page) -> None:
    """Types a question into the search box, and chooses the second answer."""
    box = page.locator("input[role=combobox]:visible").first
    box.click(timeout=WAIT_MS)
    box.press_sequentially(QUESTION)
    page.locator(".search-list:not([hidden]) [role=option]").nth(1).wait_for(timeout=WAIT_MS)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")


def see_answers(page: Page) -> None:
    """Waits for what the search page finds."""
    page.locator(".search-results mark").first.wait_for(timeout=WAIT_MS)


def open_facts(page: Page) -> None:
    """Opens the facts of the first section of the map, and goes there."""
    facts = page.locator(".lockstep-guide-map details").first
    facts.locator("summary").click(timeout=WAIT_MS)
    facts.evaluate("(e) => scrollTo(0, e.getBoundingClientRect().top + scrollY - 300)")


def filter_names(page: Page) -> None:
    """Filters the list of names."""
    page.locator(".lockstep-index input").first.fill("stream", timeout=WAIT_MS)


def reach_calculator(page: Page) -> None:
    """Goes to a calculator, which is loaded when it is about to be seen."""
    box = page.locator(".lockstep-explore")
    box.scroll_into_view_if_needed(timeout=WAIT_MS)
    box.locator("svg").first.wait_for(timeout=WAIT_MS)
    box.evaluate("(e) => scrollTo(0, e.getBoundingClientRect().top + scrollY - 120)")


@dataclass(frozen=True)
class Shot:
    """A picture: its name, its page, and what is done there before it is taken."""

    name: str
    address: str
    deed: Callable[[Page], None] = leave


SHOTS = (
    Shot("index", "index.html"),
    Shot("introduction", "foundations/introduction.html"),
    Shot("course", "course.html"),
    Shot("predictions", "labs/introduction.html#predictions"),
    Shot("search-box", "foundations/introduction.html", type_question),
    Shot("search-page", f"search.html?q={QUESTION.replace(' ', '+')}", see_answers),
    Shot("map", "reference/guide/index.html"),
    Shot("map-facts", "reference/guide/later_features.html", open_facts),
    Shot("names", "reference/apis/runtime_functions.html", filter_names),
    *(Shot(f"calculator-{c.name}", f"{c.page}.html", reach_calculator) for c in CALCULATORS.values()),
)
PRINTED = (
    Shot("print-introduction", "foundations/introduction.html"),
    Shot("print-exercises", "labs/shared_memory.html"),
    Shot("print-chart", "programming/simt_kernels/occupancy.html"),
    Shot("print-calculator", "programming/simt_kernels/occupancy.html", reach_calculator),
    Shot("print-map", "reference/guide/later_features.html"),
    Shot("print-program", "programs/ladders/bf16/persistent/bf16_cluster.html"),
)


def take(browser: Browser, base: str, shot: Shot, target: Path) -> list[Path]:
    """Takes a picture at both widths and in both themes; returns the files."""
    taken = []
    for width in WIDTHS:
        for theme in THEMES:
            page = browser.new_page(viewport={"width": width, "height": HEIGHT}, color_scheme=theme)
            try:
                page.goto(base + shot.address, wait_until="networkidle")
                shot.deed(page)
                page.wait_for_timeout(200)  # what moves or fades has come to rest
                taken.append(target / f"{shot.name}-{width}-{theme}.png")
                page.screenshot(path=taken[-1])
            finally:
                page.close()
    return taken


def take_printed(browser: Browser, base: str, shot: Shot, target: Path) -> list[Path]:
    """Takes a picture of a page as its first sheets show it."""
    page = browser.new_page(viewport={"width": SHEET_PX, "height": SHEETS * SHEET_HEIGHT_PX})
    try:
        page.goto(base + shot.address, wait_until="networkidle")
        page.emulate_media(media="print")
        shot.deed(page)
        path = target / f"{shot.name}.png"
        page.screenshot(path=path)
        return [path]
    finally:
        page.close()


def renew(browser: Browser, base: str) -> None:
    """Takes the pictures that the project keeps."""
    page = browser.new_page(viewport={"width": 1280, "height": 860})
    page.goto(f"{base}foundations/introduction.html", wait_until="networkidle")
    page.screenshot(path=STATIC / "screenshot.png")
    page.set_viewport_size({"width": 1200, "height": 630})
    page.goto((Path(__file__).with_name("card.html")).as_uri())
    page.screenshot(path=STATIC / "card.png")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site screenshots", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--readme", action="store_true", help="renew the pictures that the project keeps")
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build/html")
    options = parser.parse_args(argv)
    target = ROOT / "build/screenshots"
    target.mkdir(parents=True, exist_ok=True)
    failed = []
    with serve(options.folder) as base, chromium() as browser:
        for shot, how in [*((shot, take) for shot in SHOTS), *((shot, take_printed) for shot in PRINTED)]:
            try:
                for path in how(browser, base, shot, target):
                    print(path.relative_to(ROOT))
            except Error as error:
                failed.append(f"{shot.name}: {shot.address}: {error.message.splitlines()[0]}")
        if options.readme:
            renew(browser, base)
            pictures.note(ROOT)
    print("\n".join(failed), end="\n" * bool(failed), file=sys.stderr)
    return 1 if failed else 0
