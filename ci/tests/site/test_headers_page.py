"""The pages about the header library leave nothing of it out."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
LIBRARY = ROOT / "programs/include/lockstep"
HEADERS = sorted(LIBRARY.rglob("*.hpp"))
GRAPHICS = ("opengl.hpp", "vulkan.hpp")  # on a page of their own, like those of the ladders
PUBLIC = re.compile(
    r"^(?:class|struct|(?:inline |constexpr |static |__device__ |__global__ )*[\w:<>]+(?: \w+)?) (\w+)(?:\(| \{| = )",
    re.M,
)


@pytest.mark.content
@pytest.mark.parametrize("header", HEADERS, ids=lambda header: header.stem)
def test_header_and_all_its_names_are_on_the_page(header):
    name = header.relative_to(LIBRARY).as_posix()
    part = "ladder" if name.startswith("ladders/") else "graphics" if name in GRAPHICS else ""
    place = f"docs/reference/{part}_headers.rst" if part else "docs/reference/header_library.rst"
    page = (ROOT / place).read_text(encoding="utf-8")
    assert f"\n{name}\n-" in page, f"add a section for it to {place}"
    named = set(re.findall(r"lockstep::(\w+)", page))
    names = set(PUBLIC.findall(header.read_text(encoding="utf-8"))) - {"lockstep"}
    assert names, "no public name found in it"
    assert names <= named, f"add a directive for it to {place}"
