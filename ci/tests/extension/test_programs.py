"""A program's name in prose leads to its card."""

import pytest

CARD = ".. program-card:: part/demo/add_one\n\n"
LINK = '<a class="reference internal" href="#program-add-one"><code class="docutils literal notranslate">'


@pytest.fixture
def named(site):
    """A site whose program has a name that no word of the language is."""
    site.declare("lockstep_program(demo)", "lockstep_program(add_one)")
    site.write("add_one.cu", (site.programs / "demo.cu").read_text())
    return site


def test_name_leads_to_the_card_with_or_without_arguments(named):
    html, warnings = named.build(CARD + "Run ``add_one``.\n\nRun ``add_one --n 5``, not ``add_two`` or ``demo``.")
    assert html.count(LINK) == 2 and warnings == ""


def test_name_is_linked_once_in_a_paragraph_and_in_each_row(named):
    rows = "\n".join(f"   * - ``add_one`` is {n}, so ``add_one``\n     - ``add_one``" for n in range(2))
    html = named.build(f"{CARD}``add_one`` and ``add_one``\n\n.. list-table::\n\n{rows}\n").html
    assert html.count(LINK) == 3


def test_other_page_leads_to_the_page_of_the_card_and_follows_it(named):
    named.page("part/other.rst", "Other\n=====\n\nSee ``add_one``.\n")
    assert 'href="demo.html#program-add-one"' in named.build(CARD).page("part/other.html")
    named.page("part/third.rst", f"Third\n=====\n\n{CARD}")
    built = named.build("Nothing.", fresh=False)
    assert 'href="third.html#program-add-one"' in built.page("part/other.html")


def test_name_of_a_program_without_a_card_stays_text(named):
    assert LINK not in named.build("Run ``add_one``.").html
