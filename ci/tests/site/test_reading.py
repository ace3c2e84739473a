"""What a reader does on a page is tried on pages where it works, and where it does not."""

import pytest

from lockstep.files import ROOT
from lockstep.site import reading
from lockstep.site.server import serve

STATIC = ROOT / "docs/_ext/lockstep_sphinx"
CSS = (ROOT / "docs/_static/site.css").read_text()


@pytest.fixture
def trial(site, browser):
    """Tries a deed on a page with this head and body."""

    def attempt(deed, body: str, head: str = "", name: str = "index") -> list[str]:
        with serve(site(head=head, **{name: body})) as base:
            return deed(browser, base)

    return attempt


HEADINGS = '<h2 id="a">First<a class="headerlink" href="#a">¶</a></h2><div style="height: 3000px"></div>' + (
    '<h2 id="b">Last<a class="headerlink" href="#b">¶</a></h2><div style="height: 1000px"></div>'
)
FURO = "<style>html { scroll-behavior: smooth } h2 > .headerlink { visibility: hidden }</style>"


def jump(browser, base):
    return reading.permalinks(browser, base, "index.html")


def test_permalinks_of_the_site_are_seen_and_jump(trial):
    assert trial(jump, HEADINGS, f"{FURO}<style>{CSS}</style>") == []


def test_permalinks_without_our_looks_are_found(trial):
    found = trial(jump, HEADINGS, FURO)
    assert any("shows them to everyone" in text for text in found)
    assert any("the one that has the focus" in text for text in found)
    assert any("glides" in text for text in found)


def test_permalinks_that_hide_under_the_pointer_are_found(trial):
    found = trial(jump, HEADINGS, f"<style>{CSS}</style><style>h2 > a.headerlink {{ opacity: 0 !important }}</style>")
    assert any("under the pointer" in text for text in found)


def test_a_page_without_permalinks_is_found(trial):
    assert "has no heading" in trial(jump, "<h2>Title</h2>")[0]


BOX = """<input name="q" class="sidebar-search" aria-label="Search"><script>
addEventListener("keydown", (event) => { event.preventDefault(); document.querySelector("input").focus(); });</script>"""


def focus(browser, base):
    return reading.search_focus(browser, base, "index.html", 390)


def test_the_search_box_of_the_site_shows_its_focus(trial):
    furo = "<style>.sidebar-search:focus { outline: none }</style>"
    assert trial(focus, BOX, f"{furo}<style>body {{ --color-brand-primary: #0b6b50 }} {CSS}</style>") == []


@pytest.mark.parametrize("look", ["outline: none", "outline: 2px solid transparent", "outline: 1px solid red"])
def test_a_search_box_that_hides_its_focus_is_found(trial, look):
    assert "does not show" in trial(focus, BOX, f"<style>input:focus {{ {look} }}</style>")[0]


LIST = """<div class="lockstep-index"><nav class="lockstep-letters"><ul><li><a href="#names-cudaM">cudaM</a></li>
<li><a href="#names-T">T</a></li></ul></nav>
<section id="names-cudaM"><h2>cudaM</h2><dl><dt id="x"><code>cudaMalloc</code></dt><dd>a</dd>
<dt><code>cudaMemcpy</code></dt><dd>b</dd></dl></section>
<section id="names-T"><h2>T</h2><dl><dt><code>threadIdx</code></dt><dd>c</dd></dl></section></div>"""


def script(text: str = "") -> str:
    return f"<script>{text or (STATIC / 'index/names.js').read_text()}</script>"


def test_the_list_of_the_site_can_be_filtered(trial):
    assert trial(reading.names_list, LIST + script(), name="reference__apis") == []


def test_a_list_without_a_filter_is_found(trial):
    assert trial(reading.names_list, LIST, name="reference__apis") == [
        "names: reference/apis.html has no box to filter with"
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("name.includes(part)", "true", "not those that hold it"),
        ("`${shown} of", "`some of", "does not say how many"),
        (".parentElement.hidden = section.hidden", ".parentElement.hidden = false", "letters that have no name left"),
        ("shown += fits;", "shown += fits; if (!wanted.length) term.hidden = started; ", "all names again"),
    ],
)
def test_a_filter_that_fails_is_found(trial, old, new, fault):
    text = (STATIC / "index/names.js").read_text()
    assert old in text
    text = text.replace(old, new).replace('"use strict";', '"use strict"; let started = false;', 1)
    body = LIST + script(text.replace("index.prepend(box);", "index.prepend(box); setTimeout(() => (started = true));"))
    assert any(fault in found for found in trial(reading.names_list, body, name="reference__apis"))


def test_a_list_that_needs_javascript_is_found(trial):
    hidden = "<style>dt { display: none } .js dt:not([hidden]) { display: block }</style>"
    body = LIST + script("document.body.className = 'js';" + (STATIC / "index/names.js").read_text())
    assert "without JavaScript" in trial(reading.names_list, body, hidden, name="reference__apis")[0]


def test_a_dead_box_without_javascript_is_found(trial):
    dead = '<p class="lockstep-filter">Filter</p>'
    found = trial(reading.names_list, LIST + script() + dead, name="reference__apis")
    assert "names: reference/apis.html shows a box that does nothing without JavaScript" in found


def test_a_link_to_a_filtered_name_shows_it(site, browser):
    with serve(site(reference__apis=LIST + script())) as base:
        page = browser.new_page()
        page.goto(base + reading.NAMES)
        page.locator("input").fill("thread")
        assert not page.locator("#x").is_visible()
        page.evaluate("location.hash = '#x'")
        page.locator("#x").wait_for(state="visible")
        page.close()
