"""Tries in a browser what a reader does on a page: links to headings, the search box, the list of CUDA names."""

from pathlib import Path

from playwright.sync_api import Browser, Page

NAMES = "reference/apis.html"
LISTED = ".lockstep-index :is(dt, .lockstep-names li):visible"
TYPED = "memcpy"  # a part of several names

OPACITY = "(link) => getComputedStyle(link).opacity"
OUTLINE = """() => {
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(document.activeElement);
  return document.activeElement.name === "q" && outlineStyle !== "none" && parseFloat(outlineWidth) >= 2
    && !outlineColor.endsWith(", 0)");
}"""
JUMP = """(link) => new Promise((done) => {
  addEventListener("scroll", () => {
    const first = scrollY;
    setTimeout(() => done([first, scrollY]), 700);
  }, { once: true });
  link.click();
})"""


def permalinks(browser: Browser, base: str, name: str) -> list[str]:
    """The link at a heading is seen under the pointer and with the focus, and leads there at once."""
    context = browser.new_context(viewport={"width": 1280, "height": 500}, reduced_motion="no-preference")
    page = context.new_page()
    page.goto(base + name)
    link = page.locator("h2 > a.headerlink").last
    found = []
    if link.count() == 0:
        context.close()
        return [f"permalinks: {name} has no heading with a link"]
    if link.evaluate(OPACITY) != "0":
        found.append(f"permalinks: {name} shows them to everyone, always")
    link.locator("..").hover()
    if link.evaluate(OPACITY) != "1":
        found.append(f"permalinks: {name} does not show one under the pointer")
    page.mouse.move(0, 0)
    page.keyboard.press("Tab")  # what follows counts as the keyboard's
    link.focus()
    if not link.evaluate("(link) => document.activeElement === link") or link.evaluate(OPACITY) != "1":
        found.append(f"permalinks: {name} does not show the one that has the focus")
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    page.wait_for_timeout(100)
    first, last = link.evaluate(JUMP)
    if first != last:
        found.append(f"permalinks: {name} glides to a heading; let it jump")
    context.close()
    return found


def search_focus(browser: Browser, base: str, name: str, width: int) -> list[str]:
    """Where the search box has the focus, that is seen."""
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(base + name)
    page.keyboard.press("/")
    seen = page.evaluate(OUTLINE)
    context.close()
    return [] if seen else [f"search box: {name} ({width} px) does not show that the box has the focus"]


def names_list(browser: Browser, base: str) -> list[str]:
    """The list of names can be filtered and jumped through; without JavaScript it is a list with letters."""
    found = []
    context = browser.new_context()
    page = context.new_page()
    page.goto(base + NAMES)
    everything, box = _shown(page), page.locator(".lockstep-filter input")
    if box.count() == 0:
        context.close()
        return [f"names: {NAMES} has no box to filter with"]
    box.fill(TYPED.upper())
    kept = _shown(page)
    if not kept or kept != [name for name in everything if TYPED in name.lower()]:
        found.append(
            f"names: with {TYPED} typed, {NAMES} shows {len(kept)} of {len(everything)} names, not those that hold it"
        )
    if str(len(kept)) not in (page.locator(".lockstep-filter [role=status]").text_content() or ""):
        found.append(f"names: {NAMES} does not say how many names are left")
    letters = page.locator(".lockstep-letters a:visible").count()
    if letters != page.locator(".lockstep-index section:visible").count():
        found.append(f"names: {NAMES} offers letters that have no name left")
    box.fill("")
    if _shown(page) != everything:
        found.append(f"names: {NAMES} does not show all names again")
    context.close()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(base + NAMES)
    if page.locator(LISTED).count() != len(everything):
        found.append(f"names: {NAMES} does not show all names without JavaScript")
    if page.locator(".lockstep-filter:visible").count():
        found.append(f"names: {NAMES} shows a box that does nothing without JavaScript")
    context.close()
    return found


def _shown(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(LISTED).all_text_contents()]


def first_with_permalinks(folder: Path) -> str:
    """A page with several headings."""
    chapters = sorted(folder.glob("foundations/*.html"))
    with_headings = (path for path in chapters if path.read_text(encoding="utf-8").count("</a></h2>") > 2)
    return next((path.relative_to(folder).as_posix() for path in with_headings), "index.html")


def findings(browser: Browser, base: str, folder: Path) -> list[str]:
    """All of it, once."""
    page = first_with_permalinks(folder)
    found = permalinks(browser, base, page)
    for name in (page, "search.html"):
        for width in (1280, 390):
            found += search_focus(browser, base, name, width)
    return found + names_list(browser, base)
