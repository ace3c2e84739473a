"""The validator is really asked, and its answer kept short."""

import shutil

import pytest

from lockstep.site import validity

pytestmark = pytest.mark.skipif(not shutil.which("java"), reason="java is missing; ci/setup.sh check installs it")


def test_valid_page_passes(site):
    assert validity.findings(site(index="<p>text</p>")) == []


def test_errors_are_found_with_page_and_line(site):
    [finding] = validity.findings(site(index='<p id="a">x</p><p id="a">y</p>'))
    assert finding.startswith("index.html:3.") and "Duplicate ID" in finding
