"""What a reader does with code on a page: read whole lines on a desktop and wrapped ones on a phone, link to one of them.

Part of browser.py.
"""

from pathlib import Path

from playwright.sync_api import Browser, Page

from lockstep.site.links import pages

WIDE = 1400  # of a desktop's window; from here on no code scrolls sideways
SCROLL_BAR = 16  # what a desktop's browser takes of that
PHONE = 390

SCROLLING = """() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const tab of document.querySelectorAll(".sd-tab-content")) tab.style.display = "block";
  return [...document.querySelectorAll("pre")].filter((pre) => pre.scrollWidth > pre.clientWidth)
    .map((pre) => pre.textContent.trim().split("\\n").reduce((a, b) => (b.length > a.length ? b : a)));
}"""
NUMBER = ".numbered .line:nth-of-type(3)"


def scrolling(page: Page) -> list[str]:
    """The code of an open page that scrolls sideways in a desktop's window; what is hidden there is opened for it."""
    page.set_viewport_size({"width": WIDE - SCROLL_BAR, "height": 900})
    lines: list[str] = page.evaluate(SCROLLING)
    return [f"code scrolls sideways: {line.strip()[:60]}" for line in lines]


def first_with(folder: Path, text: str) -> str | None:
    """The first page with this in its HTML."""
    found = (path for path in pages(folder) if text in path.read_text(encoding="utf-8"))
    return next((str(path.relative_to(folder)) for path in found), None)


def long_lines_wrap(browser: Browser, base: str, name: str) -> list[str]:
    """On a phone code wraps, and a mark says where a line goes on."""
    context = browser.new_context(viewport={"width": PHONE, "height": 900})
    page = context.new_page()
    try:
        page.goto(base + name)
        found = [f"wrap: {name} scrolls: {line.strip()[:60]}" for line in page.evaluate(SCROLLING)]
        marks = page.evaluate("getComputedStyle(document.querySelector('.line'), '::after').content")
        if "↳" not in marks:
            found.append(f"wrap: {name} does not mark where a line goes on")
        return found
    finally:
        context.close()


def lines_are_linked(browser: Browser, base: str, name: str) -> list[str]:
    """Presses the number of a line, opens the address without scripts, and copies what is there."""
    context = browser.new_context(viewport={"width": WIDE, "height": 900})
    page = context.new_page()
    page.goto(base + name)
    line = page.locator(NUMBER)
    anchor = line.get_attribute("id")
    line.click(position={"x": 12, "y": 6})
    address = page.url
    copied = page.evaluate(
        "([first, second]) => { getSelection().setBaseAndExtent(first, 0, second, 0); return getSelection().toString() }",
        [page.locator(".numbered .line").first.element_handle(), line.element_handle()],
    )
    shown = page.evaluate(
        "[...document.querySelectorAll('.numbered .line')].slice(0, 2).map((e) => e.textContent).join('')"
    )
    context.close()
    if not address.endswith(f"#{anchor}"):
        return [f"lines: the number of {anchor} on {name} leads to {address}"]
    found = []
    if copied.rstrip("\n") != shown.rstrip("\n"):
        found.append(f"lines: two lines of {name} are copied as {copied!r}")
    plain = browser.new_context(java_script_enabled=False, viewport={"width": WIDE, "height": 900})
    page = plain.new_page()
    page.goto(address)
    target = page.locator(f"#{anchor}")
    colors = [
        place.evaluate("(e) => getComputedStyle(e).backgroundColor")
        for place in (target, page.locator(".numbered .line").first)
    ]
    if colors[0] == colors[1]:
        found.append(f"lines: {anchor} of {name} is not set off where a link leads to it")
    plain.close()
    return found


def findings(browser: Browser, base: str, folder: Path) -> list[str]:
    """All of it, each on one page."""
    found = []
    if name := first_with(folder, 'class="line"'):
        found += long_lines_wrap(browser, base, name)
    if name := first_with(folder, '<pre class="numbered'):
        found += lines_are_linked(browser, base, name)
    return found
