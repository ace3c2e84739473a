"""A link to another site has a number, and its address stands among the notes."""

from lockstep_sphinx.frame import printed

LINK = '<a class="reference external" href="https://example.org/a?b=1&amp;c=2">a</a>'


def test_an_address_is_a_note():
    assert printed.with_notes(f"<p>{LINK}</p>") == (
        '<p><a class="reference external" href="https://example.org/a?b=1&amp;c=2" data-note="1">a</a></p>'
        '<ol class="lockstep-notes" aria-label="Addresses" data-search-ignore><li>https://example.org/a?b=1&amp;c=2</li></ol>'
    )


def test_an_address_has_one_note():
    html = printed.with_notes(f'{LINK}<a href="http://example.org/">b</a>{LINK}')
    assert html.count('data-note="1"') == 2 and html.count('data-note="2"') == 1 and html.count("<li>") == 2


def test_a_place_in_a_text_is_left_out():
    assert "<li>https://example.org/page</li>" in printed.with_notes(
        '<a href="https://example.org/page#:~:text=name">n</a>'
    )


def test_links_of_this_site_have_none():
    assert printed.with_notes('<a href="../page.html">page</a>') == '<a href="../page.html">page</a>'


def test_code_actions_and_lists_of_names_have_none():
    for opening, closing in (
        ("<pre>", "</pre>"),
        ('<p class="lockstep-links">', "</p>"),
        ('<dl class="lockstep-programs">', "</dl>"),
    ):
        assert printed.with_notes(f"{opening}{LINK}{closing}") == f"{opening}{LINK}{closing}"


def test_a_page_has_its_notes(build):
    html = build("See `there <https://example.org/there>`__.").html
    assert 'data-note="1"' in html and "<li>https://example.org/there</li></ol>" in html
