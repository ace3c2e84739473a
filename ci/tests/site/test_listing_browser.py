"""The checks of code on a page are shown pages that break them, with the style sheets and scripts of the site."""

import shutil

import pytest

from lockstep.files import ROOT
from lockstep.site import browser as checks
from lockstep.site import listing_browser
from lockstep.site.server import serve
from lockstep_sphinx import assets

STATIC = ROOT / "docs/_static"
LONG = "x" * 60 + " " + "y" * 60
HEAD = """<link rel="stylesheet" href="lockstep.css"><link rel="stylesheet" href="site.css">
<style>:root { --color-highlight-on-target: #ff0 } pre { overflow: auto; font-size: 13px }</style>"""
CODE = '<div id="furo-main-content"><div class="highlight"><pre{kind}>{code}</pre></div></div>'
SCRIPT = '<script src="site.js" defer></script>'
WRAPPABLE = CODE.format(kind="", code=f'<span class="line">{LONG}\n</span>') + SCRIPT
NUMBERED = "".join(f'<span class="line" id="L{number}">int x{number};\n</span>' for number in range(1, 6))


@pytest.fixture
def look(site, browser):
    """What the checks find on a page; `change` takes a text out of a file of the site, or puts another there."""

    def find(check, body: str, head: str = HEAD, change: tuple[str, str, str] | None = None) -> list[str]:
        folder = site(head=head, index=body)
        for name in ("site.css", "site.js"):
            shutil.copy(STATIC / name, folder)
        (folder / assets.STYLE).write_text(assets.style(), encoding="utf-8")
        if change:
            name, old, new = change
            text = (folder / name).read_text(encoding="utf-8")
            assert old in text
            (folder / name).write_text(text.replace(old, new), encoding="utf-8")
        with serve(folder) as base:
            if check is checks.visit:
                with checks.window(browser) as page:
                    return [text for text in check(page, base, "index.html").findings if "code scrolls" in text]
            return check(browser, base, "index.html")

    return find


def test_code_that_scrolls_on_a_desktop_is_found(look):
    [finding] = look(checks.visit, f"<pre>{LONG * 2}</pre>")
    assert finding.startswith("index.html (1400 px): code scrolls sideways: xxx")


def test_code_in_a_dropdown_is_looked_at_too(look):
    assert look(checks.visit, f"<details><summary>More</summary><pre>{LONG * 2}</pre></details>")


def test_a_long_line_that_wraps_passes(look):
    assert look(checks.visit, CODE.format(kind="", code=f'<span class="line">{LONG * 2}</span>')) == []


def test_a_long_line_that_wraps_on_a_phone_passes(look):
    assert look(listing_browser.long_lines_wrap, WRAPPABLE) == []


def test_code_that_scrolls_on_a_phone_is_found(look):
    change = ("lockstep.css", ".highlight pre { white-space: pre-wrap;", ".highlight pre { white-space: pre;")
    assert "scrolls: xxx" in look(listing_browser.long_lines_wrap, WRAPPABLE, change=change)[0]


def test_a_row_without_mark_is_found(look):
    assert "does not mark" in look(listing_browser.long_lines_wrap, WRAPPABLE, change=("lockstep.css", "↳", " "))[0]


def test_linked_lines_pass(look):
    body = CODE.format(kind=' class="numbered"', code=NUMBERED) + SCRIPT
    assert look(listing_browser.lines_are_linked, body) == []


def test_a_number_that_leads_nowhere_is_found(look):
    body = CODE.format(kind=' class="numbered"', code=NUMBERED)
    assert "the number of L3" in look(listing_browser.lines_are_linked, body)[0]


def test_numbers_in_a_copy_are_found(look):
    code = NUMBERED.replace("int", "<b>7</b>int")
    body = CODE.format(kind=' class="numbered"', code=code) + SCRIPT + "<style>b { user-select: all }</style>"
    change = ("site.js", '"use strict";', '"use strict"; Selection.prototype.toString = () => "1 int x1;";')
    assert "are copied as" in look(listing_browser.lines_are_linked, body, change=change)[0]


def test_a_target_that_looks_like_other_lines_is_found(look):
    body = CODE.format(kind=' class="numbered"', code=NUMBERED) + SCRIPT
    assert (
        "set off" in look(listing_browser.lines_are_linked, body, change=("lockstep.css", ".line:target", ".gone"))[0]
    )
