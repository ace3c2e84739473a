"""How code looks beside its card and on a phone, with the site's own style sheets."""

import pytest

from lockstep.files import ROOT
from lockstep.site.browser import WIDTHS
from lockstep_sphinx import assets
from lockstep_sphinx.listing import code_lines

LINE = f"{' ' * 40}lockstep::warp_span* spans\n"
CODE = f'<div class="highlight-cuda"><div class="highlight"><pre>{LINE}</pre></div></div>'
CAPTION = '<p class="lockstep-caption"><a href="#">demo.cu</a></p>'
LISTING = f'<div class="lockstep-listing">{CAPTION}{code_lines.wrappable(CODE)}</div>'


@pytest.fixture
def shown(browser):
    """A page of one width that shows this; it is closed at the end."""
    opened = []

    def show(body: str, width: int):
        page = browser.new_page(viewport={"width": width, "height": 800})
        opened.append(page)
        style = assets.style() + (ROOT / "docs/_static/site.css").read_text(encoding="utf-8")
        page.set_content(f"<style>{style}</style><body><article>{body}</article>")
        return page

    yield show
    for page in opened:
        page.close()


def test_a_card_names_its_program_and_the_code_below_it_does_not(shown):
    card = '<div class="lockstep-card"><p><a href="#">demo.cu</a></p></div>'
    page = shown(f"{card}{LISTING}<p>More.</p>{LISTING}", WIDTHS[0])
    assert [page.locator(".lockstep-caption > a").nth(n).is_visible() for n in range(2)] == [False, True]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_deep_indentation_leaves_no_row_empty_on_a_phone(shown, width):
    page = shown(LISTING, width)
    rows = "(e) => e.offsetHeight / parseFloat(getComputedStyle(e).lineHeight)"
    assert page.locator(".line").evaluate(rows) < (2.5 if width < 500 else 1.5)
    wide = page.locator(".deep").evaluate("(e) => e.getBoundingClientRect().width")
    assert (wide < 150) == (width < 500)
    assert page.locator("pre").evaluate("(e) => e.textContent").startswith(" " * 40 + "lockstep")
