"""Uses each calculator on its page in a real browser: it must come, and know its recorded cases.

Part of browser.py. What the calculators predict is compared in ci/lockstep/checks/calculators.py, without a browser.
"""

from pathlib import Path

from playwright.sync_api import Browser, Error

from lockstep.calculators import CALCULATORS, Calculator

WAIT_MS = 10_000
BOX = '.lockstep-explore[data-explore="{}"]'


def faults(browser: Browser, address: str, calculator: Calculator) -> list[str]:
    """What is wrong with a calculator on its page. What it begins with must be a recorded case, and it must say so."""
    page = browser.new_page()
    try:
        page.goto(address)
        box = page.locator(BOX.format(calculator.name))
        if not box.count():
            return ["is not there"]
        box.scroll_into_view_if_needed()
        box.locator("svg").first.wait_for(timeout=WAIT_MS)
        said = box.locator("output").inner_text()
        told = (box.locator("summary").first.text_content() or "").split(" ")[0]
        rows = box.locator("tbody tr").count()
    except Error as error:
        return [error.message.splitlines()[0]]
    finally:
        page.close()
    found = [] if "Recorded: " in said else [f'says "{said}", and nothing recorded of the case that it begins with']
    return found if told == str(rows) else [*found, f"promises {told} recorded cases, and lists {rows}"]


def findings(browser: Browser, base: str, folder: Path) -> list[str]:
    """What is wrong with the calculators of a site."""
    return [
        f"{calculator.page}.html: the calculator {calculator.name} {fault}"
        for calculator in CALCULATORS.values()
        if (folder / f"{calculator.page}.html").exists()
        for fault in faults(browser, f"{base}{calculator.page}.html", calculator)
    ]
