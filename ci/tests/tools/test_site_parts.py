"""The parts of the site are those that its front page leads to."""

import re

import pytest

from lockstep import site_parts
from lockstep.files import ROOT


@pytest.mark.content
def test_the_front_page_lists_the_parts_in_order():
    listed = re.findall(r"^   (\w+)/index$", (ROOT / "docs/index.rst").read_text(encoding="utf-8"), re.M)
    assert tuple(listed) == site_parts.READ


@pytest.mark.content
def test_each_part_has_pages_and_programs():
    assert all((ROOT / "docs" / part).is_dir() and (ROOT / "programs" / part).is_dir() for part in site_parts.ALL)
