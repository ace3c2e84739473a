"""A term's definition stands on each page that uses the term."""

import re

GLOSSARY = """\
.. glossary::

   warp
   wave front
      32 threads & one program counter.

   lane
      A place in a :term:`warp`. See :doc:`demo`.

"""


def test_link_names_its_definition(build):
    html, warnings = build(f"{GLOSSARY}\nA :term:`warp` has 32 :term:`lanes <lane>`. Another :term:`warp`.")
    assert "term" not in warnings
    assert html.count('aria-describedby="defined-term-warp"') == 3
    assert html.count('<div id="defined-term-warp" role="tooltip" hidden>') == 1
    assert "32 threads &amp; one program counter.</div>" in html
    assert re.search(r'<div id="defined-term-lane"[^>]*>A place in a warp\.</div>', html)


def test_other_names_of_a_term_have_its_definition(build):
    html, _ = build(f"{GLOSSARY}\nA :term:`wave front`.")
    assert '<div id="defined-term-wave-front" role="tooltip" hidden>32 threads &amp; one program counter.</div>' in html


def test_definition_links_the_page_that_teaches_it(site):
    site.page("part/other.rst", "Other\n=====\n\nA :term:`lane`.\n")
    made = site.build(f"{GLOSSARY}\nA :term:`lane`.")
    assert re.search(
        r'<div id="defined-term-lane"[^>]*>A place in a warp\. <a href="demo.html">[^<]+</a></div>',
        made.page("part/other.html"),
    )


def test_page_without_terms_has_no_definitions(build):
    html, _ = build("No term here.")
    assert "lockstep-definitions" not in html


def test_a_link_within_a_definition_is_the_title_of_its_page(site):
    site.page("part/far.rst", "Far away\n========\n\nText.\n")
    site.page("part/other.rst", "Other\n=====\n\nA :term:`wave`.\n")
    words = ".. glossary::\n\n   wave\n      Unlike :doc:`/part/far`, it is near. See :doc:`demo`.\n"
    made = site.build(words).page("part/other.html")
    assert re.search(r'>Unlike Far away, it is near\. <a href="demo.html">[^<]+</a></div>', made)


def test_letters_lead_to_the_first_term_of_each(site):
    site.page(
        "words.rst",
        "Words\n=====\n\n.. glossary::\n   :sorted:\n\n   warp\n      32.\n\n   tile\n      A part.\n\n   TMA\n      A unit.\n",
    )
    html = site.build("Text.").page("words.html")
    letters = html.partition('<p class="lockstep-letters">')[2].partition("</p>")[0]
    assert letters.count("<a ") == 2
    assert 'href="#term-tile">T</a>' in letters and 'href="#term-warp">W</a>' in letters
