"""The check over the built site finds code that is missing, changed or typed."""

import re

import pytest

from lockstep.checks import listings
from lockstep.recordings.session import Command

GOOD = """\
.. program-card:: foundations/demo/demo

.. transcript:: foundations/demo/demo

.. listing:: foundations/demo/demo
   :region: kernel

.. listing:: foundations/demo/demo
"""


@pytest.fixture
def checked(site_at):
    """Builds a page in a part of the site, changes its HTML, and says what the check finds."""
    site = site_at("foundations/demo")
    site.record(Command("./demo", ["rate ~3.91 <TB/s>"]), Command("./demo --n 5", ["no"], 1))

    def check(text: str = GOOD, change=lambda html: html) -> list[str]:
        built = site.build(text)
        page = built.out / "foundations/demo.html"
        page.write_text(change(page.read_text()))
        return listings.problems(built.out, site.root)

    check.site = site
    return check


def test_good_page_passes(checked):
    assert checked() == []


def test_changed_line_is_found(checked):
    found = checked(change=lambda html: html.replace("+=", "-="))
    assert any("the listing of foundations/demo/demo [kernel] is not what the program holds" in text for text in found)


def test_emptied_listing_is_found(checked):
    found = checked(change=lambda html: re.sub(r"(data-region.*?<pre>).*?</pre>", r"\1</pre>", html, flags=re.S))
    assert any("[kernel] is empty" in text for text in found)


def test_lost_block_is_found(checked):
    found = checked(change=lambda html: re.sub(r"(data-region[^>]*>).*?</pre>", r"\1", html, flags=re.S))
    assert any("1 listings hold no code" in text for text in found)


def test_changed_output_is_found(checked):
    assert any("was never recorded so: $ ./demo" in text for text in checked(change=lambda h: h.replace("3.91", "9")))


def test_directive_printed_as_text_is_found(checked):
    found = checked(GOOD + "\ntext\n.. listing:: foundations/demo/demo\n")
    assert any("as text; fix its spelling" in text for text in found)


def test_directive_inside_a_literal_block_is_found(checked):
    assert any(
        '".. listing::" as text' in text for text in checked(GOOD + "\n::\n\n   .. listing:: foundations/demo/demo\n")
    )


def test_directive_named_in_inline_code_is_no_finding(checked):
    assert checked(GOOD + "\nWrite ``.. listing:: x``.\n") == []


@pytest.mark.parametrize("language", ["cuda", "c++", "none"])
def test_typed_kernel_is_found(checked, language):
    found = checked(GOOD + f"\n.. code-block:: {language}\n\n   __global__ void k();\n")
    assert any("CUDA typed by hand" in text for text in found)


def test_typed_output_is_found(checked):
    found = checked(GOOD + "\n.. code-block:: console\n\n   $ nvcc x.cu\n   x.cu(1): error\n")
    assert any('output typed by hand: "x.cu(1): error"' in text for text in found)


def test_commands_alone_may_be_typed(checked):
    assert checked(GOOD + "\n.. code-block:: console\n\n   $ nvcc \\\n       x.cu\n   $ ./a.out\n") == []


def test_program_without_a_card_is_found(checked):
    assert any('demo.cu: not on its page; add ".. program-card::' in text for text in checked("Nothing."))


def test_page_without_a_program_is_found(checked):
    checked.site.page("foundations/bare.rst", "Bare\n====\n\nNothing.\n")
    assert "docs/foundations/bare.rst: shows no program" in "\n".join(checked())


def test_build_that_is_not_there_is_found(tmp_path, checked):
    (tmp_path / "nothing").mkdir()
    assert "holds no pages" in listings.problems(tmp_path / "nothing", checked.site.root)[0]
