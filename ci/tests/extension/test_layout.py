"""How pages look in a browser, at both widths and in both themes."""

import re

import pytest

from lockstep.site.browser import THEMES, WIDTHS, accessibility, look

from .conftest import DEMO, ROOT
from .test_theme import WITH_THEME

LOOK = {
    "html_static_path": [str(ROOT / "docs/_static")],
    "html_css_files": ["site.css"],
    "pygments_style": "github-light",
    "pygments_dark_style": "github-dark",
}
PAGE = """\
Words to read, long enough to reach the right edge of the page on a wide screen, and so on a narrow one, and a bit further.

.. program-card:: part/demo/next

.. listing:: part/demo/next
   :region: kernel
   :changed-from: part/demo/demo

.. listing:: part/demo/next
   :region: allocate
   :changed-from: part/demo/demo

.. list-table::

   * - A cell whose words fill all of the width that a page has for its text, on a wide screen as well as on a narrow one
     - Another
"""
EDGES = """() => [...document.querySelectorAll("article p, .lockstep-card, .lockstep-listing pre, .table-wrapper table")]
  .filter((e) => !e.closest("td, .lockstep-card *, details:not([open])")).map((e) => e.getBoundingClientRect().right)"""
MARK = """() => { const line = document.querySelector(".hll"), plus = getComputedStyle(line, "::before"), at = getComputedStyle(line);
  return [plus.content, plus.color, at.backgroundColor, at.boxShadow]; }"""


@pytest.fixture
def opened(site, browser):
    """A page with a card, a table, a listing of which a line is new, and one that is all new."""
    site.declare("lockstep_program(demo)", "lockstep_program(next)")
    text = DEMO.replace("] += 1;", "] += 2;").replace("cudaMalloc(&", "cudaMallocManaged(&").replace("d_x", "shared")
    site.write("next.cu", text)
    extensions = ["lockstep_sphinx", "sphinx_design", "notfound.extension", "lockstep_theme"]
    out = site.build(PAGE, **WITH_THEME | LOOK | {"extensions": extensions}).out
    context = browser.new_context()
    page = context.new_page()
    page.goto((out / "part/demo.html").as_uri())
    yield page
    context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_text_cards_code_and_tables_end_at_one_edge(opened, width):
    look(opened, width, THEMES[0])
    edges = opened.evaluate(EDGES)
    assert len(edges) > 4 and max(edges) - min(edges) <= 1.5, edges


def test_nothing_covers_what_one_reads_on_a_phone(opened):
    look(opened, 390, THEMES[0])
    opened.evaluate("document.documentElement.classList.add('show-back-to-top')")  # as the theme does
    assert not opened.locator(".back-to-top").is_visible()


@pytest.mark.parametrize("theme", THEMES)
def test_new_lines_have_bar_plus_and_tint_and_pass_axe(opened, theme):
    look(opened, 390, theme)
    content, color, tint, bar = opened.evaluate(MARK)
    assert content.startswith('"+"') and color in bar and "inset" in bar
    assert tint not in (
        "rgba(0, 0, 0, 0)",
        opened.evaluate("() => getComputedStyle(document.querySelector('pre')).backgroundColor"),
    )
    assert opened.locator(".hll").count() == 1
    opened.locator(".lockstep-before summary").click()
    assert (
        opened.locator(".lockstep-before pre").is_visible()
        and "d_x" in opened.locator(".lockstep-before pre").inner_text()
    )
    assert [finding for finding in accessibility(opened) if re.search("hll|lockstep", finding)] == []
