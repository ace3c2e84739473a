"""What a printed page may lose is planted, one by one, and must be found."""

import shutil

import pytest

from lockstep.files import ROOT
from lockstep.site import paper
from lockstep.site.server import serve
from lockstep_sphinx import assets

HEAD = """<link rel="stylesheet" href="lockstep.css"><link rel="stylesheet" href="site.css">
<style>@media not print { body { background: #000; color: #fff } } pre { overflow: auto; margin: 0 }</style>"""
HIDDEN = "<details><summary>Hint</summary><p>Count the words of a bank.</p></details>"


@pytest.fixture
def printed(site, browser):
    def find(body: str, head: str = HEAD) -> list[str]:
        skip = '<a class="skip-to-content" href="#x">Skip to content</a>'
        folder = site(head=head, index=f'{skip}<article id="x" style="color: black">{body}</article>')
        shutil.copy(ROOT / "docs/_static/site.css", folder)
        (folder / assets.STYLE).write_text(assets.style())
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


def blocks(count: int) -> str:
    """Short programs one after the other, so many that some reach the end of a sheet."""
    lines = "".join(f'<span class="line">value {n} of this program is printed\n</span>' for n in range(9))
    return "".join(
        f"<p>Program {n}</p><div class='highlight'><pre>{lines.replace('value', f'{n} is')}</pre></div>"
        for n in range(count)
    )


def test_short_programs_that_stay_whole_pass(printed):
    assert printed(blocks(16)) == []


def test_a_short_program_on_two_sheets_is_found(printed):
    found = printed(blocks(16), HEAD + "<style>article pre { break-inside: auto !important }</style>")
    assert found and all("is split between two sheets: " in text for text in found)


def test_a_program_whose_lines_are_on_one_sheet_is_whole():
    assert not paper.split("int a;\nint b;", ["inta;intb;", "intb;"])
    assert not paper.split("int a;\nnot printed", ["inta;", "x"])
    assert paper.split("int a;\nint b;", ["inta;", "intb;"])


def test_the_widest_table_is_looked_for(site):
    row = '<table class="docutils"><tr>{}</tr></table>'
    folder = site(a=row.format("<td>1</td>" * 3), b=row.format("<th>1</th>" * 5), c="<table><tr><td></td></tr></table>")
    assert paper.widest_table(folder) == "b.html"
    assert paper.widest_table(site(a="", b="")) is None


def test_a_page_of_each_sort_is_printed(site, browser):
    wide = '<p style="width: 900px">wide</p>'
    sorts = {
        f"page_{n}": "<article><div " + sort.rstrip('"') + f'"></div>{wide}</article>'
        for n, sort in enumerate(paper.SORTS)
        if "<" not in sort
    }
    folder = site(**sorts)
    with serve(folder) as base:
        found = paper.findings(browser, base, folder)
    assert {text.partition(".html")[0] for text in found if "wider than the sheet" in text} == set(sorts)
