"""First uses of basic terms and of helpers are links, whether the page's author wrote one or not."""

import pytest

GLOSSARY = """\
Glossary
========

.. glossary::

   kernel
   shared memory
   register
   latency
   warp
   thread block
   block
      What a test needs.

"""


@pytest.fixture
def page(site):
    """Builds a page with this text beside a glossary and a page about the helpers."""

    def build(text: str, **config) -> str:
        site.page("reference/words.rst", GLOSSARY)
        site.page("reference/headers.rst", "Helpers\n=======\n\nThe helpers.\n")
        made = site.build(text, **{"lockstep_link_first_uses": True, **config})
        assert made.warnings == ""
        return made.html.partition("<body")[2]

    return build


def terms(html: str) -> list[str]:
    return [piece.partition("</span>")[0].rpartition(">")[2] for piece in html.split('class="xref std std-term"')[1:]]


def test_first_use_of_a_basic_term_becomes_a_link(page):
    assert terms(page("Two warps of a kernel. Each warp of the kernel waits.")) == ["warps", "kernel"]


def test_a_term_that_the_page_links_is_left_as_it_is(page):
    assert terms(page("A warp is a :term:`warp`. The block is a :term:`block <thread block>`.")) == ["warp", "block"]


def test_words_of_titles_code_links_and_lists_of_text_are_left_alone(page):
    html = page("The kernel\n----------\n\n``warp`` and `a warp <https://example.org/>`__\n\n::\n\n   a warp\n")
    assert terms(html) == []


def test_words_that_mean_something_else_are_left_alone(page):
    assert terms(page("The Linux kernel blocks. A warped block of text; the block of memory.")) == []


def test_terms_of_memory_are_told_from_what_holds_their_words(page):
    text = "Distributed shared memory, then shared memory. It registers a buffer in registers. Latency hiding hides latency."
    assert terms(page(text)) == ["shared memory", "registers", "latency"]


def test_what_a_card_says_is_no_use_of_the_page(page):
    card = ".. program-card:: part/demo/demo\n\nIt adds one in a kernel."
    assert terms(page(card)) == ["kernel"]


def test_terms_are_plain_where_nobody_asks_for_links(page):
    assert terms(page("A warp.", lockstep_link_first_uses=False)) == []


LISTING = ".. listing:: part/demo/demo\n"
SAID = "come from"


def test_first_listing_with_a_helper_links_the_page_about_them(page, site):
    site.write("demo.cu", "int main() { lockstep::require_device(); }\n")
    html = page(f"{LISTING}\nThen:\n\n{LISTING}")
    assert html.count(SAID) == 1 and 'href="../reference/headers.html"' in html
    assert html.index(SAID) < html.index("Then:")


def test_a_page_that_links_the_helpers_says_nothing_more(page, site):
    site.write("demo.cu", "int main() { lockstep::require_device(); }\n")
    assert SAID not in page(f"See :doc:`/reference/headers`.\n\n{LISTING}")


def test_a_listing_without_helpers_says_nothing(page, site):
    site.write("demo.cu", "int main() {}\n")
    assert SAID not in page(LISTING)
