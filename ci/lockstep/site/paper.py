"""Prints a page of each sort, and looks for what is lost on paper: text beyond the edge, what is hidden, addresses.

A short program must stand on one sheet. Part of browser.py.
"""

import io
import re
import unicodedata
from pathlib import Path

from playwright.sync_api import Browser
from pypdf import PdfReader

from lockstep.site.links import pages
from lockstep.site.listing_browser import first_with

SHEET_PX = 673  # what margins of 16 mm leave of A4, in pixels of CSS
SORTS = (
    'class="lockstep-card lockstep-exercise"',
    '<pre class="numbered',
    '<dl class="simple glossary"',
    'class="sd-tab-set',
    'class="lockstep-behind"',  # a chart and its data
    'class="lockstep-explore"',  # a calculator
    'class="lockstep-guide-map"',
    'class="lockstep-programs"',  # the list from A to Z
)
SHORT = 12  # lines of code that have a place on one sheet, whatever stands above them

CUT = """() => [...document.querySelectorAll("article *")].filter((e) => {
  if (!e.checkVisibility() || e.closest("svg") || e.closest("pre") && e.tagName !== "PRE") return false;
  const hides = e.scrollWidth > e.clientWidth + 1 && ["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowX);
  return hides || e.getBoundingClientRect().right > innerWidth + 1;
}).map((e) => e.tagName.toLowerCase() + " " + e.textContent.trim().slice(0, 40))"""

HIDDEN = """() => [...document.querySelectorAll("article :is(details, .sd-tab-content)")].flatMap((box) =>
  [...box.querySelectorAll("summary, p, li, pre")].filter((e) => !e.querySelector("a") && !e.closest(".lockstep-links"))
    .map((e) => e.textContent.trim().split("\\n")[0].slice(0, 24)))"""

BLOCKS = f"""() => [...document.querySelectorAll("article .highlight pre:not(.numbered)")].filter((e) => e.checkVisibility())
  .map((e) => e.textContent.trim()).filter((text) => text && text.split("\\n").length <= {SHORT})"""

_TABLE = re.compile(r'<table class="docutils.*?</table>', re.S)  # one that an author wrote


def bare(text: str) -> str:
    """A text without what printing changes: white space, joined letters, marks of wrapped lines."""
    return re.sub(r"[\s↳]+", "", unicodedata.normalize("NFKC", text))


def lost(browser: Browser, base: str, name: str) -> list[str]:
    """What a printed page lacks, or prints without need; it is printed from a dark page, as some readers would."""
    context = browser.new_context(viewport={"width": SHEET_PX, "height": 900}, color_scheme="dark")
    page = context.new_page()
    page.goto(base + name)
    hidden: list[str] = page.evaluate(HIDDEN)
    notes: list[str] = page.locator(".lockstep-notes li").all_text_contents()
    page.emulate_media(media="print", color_scheme="dark")
    found = [f"wider than the sheet: {text}" for text in page.evaluate(CUT)]
    blocks: list[str] = page.evaluate(BLOCKS)
    color = page.evaluate("getComputedStyle(document.body).backgroundColor")
    if color != "rgb(255, 255, 255)":
        found.append(f"the sheet is {color}, not white")
    page.emulate_media(color_scheme="dark")
    sheets = PdfReader(io.BytesIO(page.pdf(format="A4", prefer_css_page_size=True))).pages
    context.close()
    texts = [bare(sheet.extract_text()) for sheet in sheets]
    text = "".join(texts)
    found += [f"lacks what is hidden on the page: {one}" for one in hidden if bare(one) not in text]
    found += [f"lacks the address of a link: {one}" for one in notes if bare(one) not in text]
    found += [f"is split between two sheets: {one.splitlines()[0]}" for one in blocks if split(one, texts)]
    found += [f'prints "{one}"' for one in ("Skip to content", "Back to top", "Wrap long lines") if bare(one) in text]
    return [f"{name}, printed: {one}" for one in found]


def split(block: str, sheets: list[str]) -> bool:
    """Whether no sheet has all the lines of a block that some sheet has."""
    lines = [bare(line) for line in block.splitlines() if any(bare(line) in sheet for sheet in sheets)]
    return not any(all(line in sheet for line in lines) for sheet in sheets)


def widest_table(folder: Path) -> str | None:
    """The page that has the table with the most columns."""
    widest: tuple[int, str | None] = 0, None
    for path in pages(folder):
        for table in _TABLE.findall(path.read_text(encoding="utf-8")):
            columns = max(len(re.findall(r"<t[hd]\b", row)) for row in table.split("<tr"))
            if columns > widest[0]:
                widest = columns, str(path.relative_to(folder))
    return widest[1]


def findings(browser: Browser, base: str, folder: Path) -> list[str]:
    """What is lost of one page of each sort."""
    names = dict.fromkeys(filter(None, (*(first_with(folder, sort) for sort in SORTS), widest_table(folder))))
    return [text for name in names for text in lost(browser, base, name)]
