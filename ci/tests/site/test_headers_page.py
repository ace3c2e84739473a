"""The page about the header library leaves nothing of it out."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
HEADERS = sorted((ROOT / "programs/include/lockstep").glob("*.hpp"))
PUBLIC = re.compile(
    r"^(?:class|struct|(?:inline |constexpr |static |__device__ |__global__ )*[\w:<>]+(?: \w+)?) (\w+)(?:\(| \{| = )",
    re.M,
)


@pytest.mark.content
@pytest.mark.parametrize("header", HEADERS, ids=lambda header: header.name)
def test_header_and_all_its_names_are_on_the_page(header):
    page = (ROOT / "docs/reference/headers.rst").read_text()
    assert f"\n{header.name}\n-" in page, "add a section for it to docs/reference/headers.rst"
    named = set(re.findall(r"lockstep::(\w+)", page))
    names = set(PUBLIC.findall(header.read_text())) - {"lockstep"}
    assert names, "no public name found in it"
    assert names <= named, "add a directive for it to docs/reference/headers.rst"
