"""The guide's map lists sections with their pages and facts, and each page says which sections it covers."""

import re

import pytest

from lockstep import guide_map
from lockstep_sphinx.guide_map import guide_map as directive

SECTIONS = """\
[[group]]
name = "kernels"
title = "2 Kernels"
source = "Guide 13.1"
address = "https://example.org/"
[[group.section]]
number = "2.2"
title = "Memory & more"
address = "memory.html"
at = ["part/demo"]
[[group.section]]
number = "2.2.3"
title = "Spaces"
address = "memory.html#spaces"
at = ["part/demo#shared-memory"]
[[group.section]]
number = "2.2.4"
title = "Speed"
address = "memory.html#speed"
"""
FACTS = """\
[[fact]]
section = "2.2.3.1"
text = "Use `__shared__` & wait."
at = "part/demo#shared-memory"
program = "demo"
[[fact]]
section = "2.2.4"
text = "It is fast."
missing = "a program that measures it"
"""
PAGE = ".. program-card:: part/demo/demo\n\nShared memory\n-------------\n\nText."


@pytest.fixture
def mapped(build, site):
    """A site with a map on two pages; builds it."""

    def make(sections: str = SECTIONS, facts: str = FACTS, group: str = "kernels", **options):
        site.page(f"{guide_map.FOLDER}/sections.toml", sections)
        site.page(f"{guide_map.FOLDER}/2.2.toml", facts)
        site.page("part/all.rst", "All\n===\n\n.. guide-map::\n")
        site.page(f"{directive.PAGES}/kernels.rst", f"Kernels\n=======\n\n.. guide-map:: {group}\n")
        site.page("reference/guide.rst", "Map\n===\n\n.. toctree::\n   :glob:\n\n   guide/*\n")
        return build(PAGE, **options)

    return make


def test_all_sections_stand_with_their_pages(mapped):
    made = mapped()
    page = made.page("part/all.html")
    assert re.search('<b>2.2</b> <a href="https://example.org/memory.html"[^>]*>Memory &amp; more</a>', page)
    assert '<p class="lockstep-here"><a href="demo.html#shared-memory">Demo: Shared memory</a></p>' in page
    assert '<a href="../reference/guide/kernels.html#section-2-2-3">1 fact</a>' in page
    assert "It is fast" not in page and made.warnings == ""


def test_section_without_a_page_says_so(mapped):
    row = mapped().page("part/all.html").partition("<b>2.2.4</b>")[2].partition("</li>")[0]
    assert "not covered yet" in row and "fact" not in row


def test_facts_stand_with_heading_and_program(mapped):
    page = mapped().page("reference/guide/kernels.html")
    assert '<li id="section-2-2-3" class="lockstep-below">' in page and 'id="section-2-2"' in page
    assert "<summary>2.2.3: 1 fact here</summary>" in page
    assert "<b>2.2.3.1</b> Use <code>__shared__</code> &amp; wait." in page
    assert '<a href="../../part/demo.html#program-demo"><code>demo</code></a>' in page
    assert "<summary>2.2.4: no fact here yet, 1 not covered yet</summary>" in page


def test_page_says_what_it_covers(mapped):
    page = mapped().html
    assert "In the Guide 13.1, this page covers:" in page
    assert '<b data-covers><a href="../reference/guide/kernels.html#section-2-2-3">2.2.3</a></b>' in page
    assert re.search('<a href="https://example.org/memory.html#spaces"[^>]*>Spaces</a> .2.2.3.1.', page)
    assert "Speed" not in page


def test_page_of_nothing_says_nothing(mapped):
    assert "lockstep-guide" not in mapped(SECTIONS.replace('at = ["part/demo', 'at = ["part/other'), "").html


def test_unknown_group_is_a_warning(mapped):
    assert "the guide's map has no group gone; there are kernels" in mapped(group="gone").warnings


def test_broken_file_is_a_warning(mapped):
    warnings = mapped(facts=FACTS.replace('missing = "a program that measures it"\n', "")).warnings
    assert "reference/guide_map/2.2.toml:7: WARNING: fact.2.section: needs either 'at' or 'missing'" in warnings


def test_pages_follow_the_facts(mapped):
    mapped()
    made = mapped(facts=FACTS.replace("2.2.3.1", "2.2.4").replace("It is", "They are"), fresh=False)
    assert "They are fast" in made.page("reference/guide/kernels.html")
    assert "Speed</a>" in made.html and "(2.2.3.1)" not in made.html
    assert "<p><a" in made.page("part/all.html").partition("<b>2.2.4</b>")[2].partition("</li>")[0]


def test_pages_follow_the_sections(mapped):
    mapped()
    made = mapped(SECTIONS.replace("Spaces", "Places"), fresh=False)
    assert "Places</a>" in made.html and "Places</a>" in made.page("part/all.html")


LATER = """\
[[group]]
name = "later"
title = "4 Features: 4.11 and on"
source = "Guide 13.1"
address = "https://example.org/"
[[group.section]]
number = "4.11"
title = "Copies & more"
address = "copies.html"
[[group.section]]
number = "4.11.2"
title = "Bulk"
address = "copies.html#bulk"
"""


def test_sections_that_moved_to_another_page_are_still_found(mapped, site):
    site.page(f"{directive.PAGES}/later.rst", "Later\n=====\n\n.. guide-map:: later\n")
    made = mapped(SECTIONS + LATER, group="kernels\n   :then: later")
    page = made.page("reference/guide/kernels.html")
    assert made.warnings == "" and "<h2>4 Features: 4.11 and on" in page
    assert '<a id="section-4-11" href="later.html#section-4-11">4.11 Copies &amp; more</a>' in page
    assert ', <a id="section-4-11-2" href="later.html#section-4-11-2">4.11.2</a></li>' in page
    assert 'id="section-4-11-2"' in made.page("reference/guide/later.html")


def test_unknown_group_that_follows_is_a_warning(mapped):
    assert "has no group gone; there are kernels" in mapped(group="kernels\n   :then: gone").warnings
