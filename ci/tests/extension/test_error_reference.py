"""The name of an error leads to its page in the error reference, wherever it stands."""

import pytest

from lockstep.recordings.session import Command

LINK = 'href="../reference/errors/cudaErrorAssert.html"'
LOST = """\
// Fails.
#include <cuda_runtime.h>
// [check]
bool failed(cudaError_t error) { return error == cudaErrorAssert || error == cudaErrorInvalidValue; }
// [/check]
int main() {}
"""


@pytest.fixture
def errors(site):
    """A site with one page in its error reference, and a program that fails."""
    page = ":orphan:\n\ncudaErrorAssert\n===============\n\n``cudaErrorAssert`` is this.\n"
    site.page("reference/errors/cudaErrorAssert.rst", page)
    site.write("demo.cu", LOST)
    site.record(Command("./demo", ["wait   cudaErrorAssert", "then   cudaErrorAssert", "other  cudaErrorInvalidValue"]))
    return site


def test_word_in_a_sentence_is_linked_once(errors):
    html, warnings = errors.build("It is ``cudaErrorAssert``. Again: ``cudaErrorAssert``, ``cudaErrorInvalidValue``.")
    assert html.count(LINK) == 1
    assert warnings == ""


def test_role_leads_to_the_error_reference_if_it_has_a_page(errors):
    html, _ = errors.build(":cuda:`cudaErrorAssert` and :cuda:`cudaErrorInvalidValue`")
    assert html.count(LINK) == 1 and "#:~:text=cudaErrorInvalidValue" in html


def test_name_in_a_heading_or_a_link_stays(errors):
    html, _ = errors.build("``cudaErrorAssert`` here\n-----------------------\n\nMore.")
    assert LINK not in html


def test_output_is_linked_once(errors):
    html, warnings = errors.build(".. transcript:: part/demo/demo")
    assert html.count(LINK) == 1 and "then   cudaErrorAssert\n" in html
    assert warnings == ""


def test_name_in_code_is_linked(errors):
    html, _ = errors.build(".. listing:: part/demo/demo\n   :region: check")
    assert html.count(LINK) == 1 and "#:~:text=cudaErrorInvalidValue" in html


def test_page_does_not_link_to_itself(errors):
    errors.build("Nothing.")
    own = (errors.root / "html/reference/errors/cudaErrorAssert.html").read_text()
    assert 'href="cudaErrorAssert.html"><code' not in own


def test_page_that_did_not_change_gains_and_loses_the_link_with_the_error_reference(errors):
    page = errors.docs / "reference/errors/cudaErrorAssert.rst"
    text = page.read_text()
    page.unlink()
    assert LINK not in errors.build("It is ``cudaErrorAssert``.").html
    page.write_text(text)
    assert LINK in errors.build(fresh=False).html
    source = errors.root / "html/programs/part/demo/demo.html"
    assert "reference/errors/cudaErrorAssert.html" in source.read_text()
    page.unlink()
    assert LINK not in errors.build(fresh=False).html
    assert "reference/errors/cudaErrorAssert.html" not in source.read_text()
