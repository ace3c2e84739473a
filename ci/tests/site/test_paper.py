"""What a printed page may lose is planted, one by one, and must be found."""

import shutil

import pytest

from lockstep.files import ROOT
from lockstep.site import paper
from lockstep.site.server import serve

HEAD = """<link rel="stylesheet" href="lockstep.css"><link rel="stylesheet" href="site.css">
<style>@media not print { body { background: #000; color: #fff } } pre { overflow: auto; margin: 0 }</style>"""
HIDDEN = "<details><summary>Hint</summary><p>Count the words of a bank.</p></details>"


@pytest.fixture
def printed(site, browser):
    def find(body: str, head: str = HEAD) -> list[str]:
        skip = '<a class="skip-to-content" href="#x">Skip to content</a>'
        folder = site(head=head, index=f'{skip}<article id="x" style="color: black">{body}</article>')
        shutil.copy(ROOT / "docs/_static/site.css", folder)
        shutil.copy(ROOT / "docs/_ext/lockstep_sphinx/static/lockstep.css", folder)
        with serve(folder) as base:
            return paper.lost(browser, base, "index.html")

    return find


def test_a_page_with_hidden_parts_and_wide_code_passes(printed):
    line = f'<span class="line">{"word " * 60}\n</span>'
    tab = '<div class="sd-tab-set"><div class="sd-tab-content"><p>In the second tab.</p></div></div>'
    assert printed(f'{HIDDEN}{tab}<div class="highlight"><pre>{line}</pre></div>') == []


def test_hidden_text_that_is_lost_is_found(printed):
    findings = printed(HIDDEN, "<style>body { background: #fff } .skip-to-content { display: none }</style>")
    assert findings == ["index.html, printed: lacks what is hidden on the page: Count the words of a ban"]


def test_what_helps_on_a_screen_alone_is_found(printed):
    assert printed("<p>text</p>", "<style>body { background: #fff }</style>") == [
        'index.html, printed: prints "Skip to content"'
    ]


def test_text_beyond_the_edge_is_found(printed):
    assert any("wider than the sheet: p" in text for text in printed('<p style="width: 900px">wide</p>'))


def test_code_that_is_cut_is_found(printed):
    assert any(
        "wider than the sheet: pre" in text for text in printed(f'<pre style="overflow: auto">{"x" * 300}</pre>')
    )


def test_a_dark_sheet_is_found(printed):
    head = HEAD + "<style>html body { background: #123 !important }</style>"
    assert any("not white" in text for text in printed("<p>text</p>", head))


def test_addresses_of_links_are_on_paper(printed):
    notes = '<ol class="lockstep-notes"><li>https://example.org/a</li></ol>'
    assert printed(f"<p>text</p>{notes}") == []
    [finding] = printed(f"<p>text</p>{notes.replace('<li>', '<li hidden>')}")
    assert finding.endswith("lacks the address of a link: https://example.org/a")
