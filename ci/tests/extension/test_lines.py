"""Each name of CUDA is listed with a line on what it is for, whether a program uses it or not."""

import re

LISTED = "Names\n=====\n\n.. program-index:: api runtime_memory\n"
CARD = ".. program-card:: part/demo/demo"
FILE = "reference/apis/runtime_memory.toml"


def entry(page: str, name: str) -> str:
    """What stands beside a name."""
    found = re.search(rf'<dt id="{name}">.*?</dt>\s*<dd>(.*?)</dd>', page, re.S)
    return found[1] if found else ""


def test_a_name_has_its_line_and_its_programs(site):
    site.page(FILE, 'cudaMalloc = "Allocates, unlike `cudaFree`"\n')
    site.page("part/names.rst", LISTED)
    built = site.build(CARD)
    said = entry(built.page("part/names.html"), "api-cudamalloc")
    assert said.startswith("<p>Allocates, unlike <code>cudaFree</code></p>") and ">demo</a>" in said
    assert built.warnings == ""


def test_a_name_that_no_program_uses_is_listed_and_nothing_is_said_of_programs(site):
    site.page(FILE, 'cudaFreeHost = "Frees pinned memory"\n')
    site.page("part/names.rst", LISTED)
    assert entry(site.build(CARD).page("part/names.html"), "api-cudafreehost") == "<p>Frees pinned memory</p>"


def test_the_list_of_all_names_holds_it_too(site):
    site.page(FILE, 'cudaFreeHost = "Frees pinned memory"\n')
    site.page("part/names.rst", LISTED)
    site.page("part/language.rst", "Language\n========\n\n.. program-index:: api language\n")
    site.page("part/all.rst", "All\n===\n\n.. program-index:: names\n")
    built = site.build(CARD)
    assert '<li><a href="names.html#api-cudafreehost">cudaFreeHost</a></li>' in built.page("part/all.html")
    assert built.warnings == ""


def test_pages_follow_a_changed_line(site):
    site.page("part/names.rst", LISTED)
    assert entry(site.build(CARD).page("part/names.html"), "api-cudafreehost") == ""
    site.page(FILE, 'cudaFreeHost = "Frees"\n')
    assert entry(site.build(fresh=False).page("part/names.html"), "api-cudafreehost") == "<p>Frees</p>"


def test_a_name_that_nvidia_does_not_document_is_a_warning(site):
    site.page(FILE, '# Memory\ncudaMaloc = "Allocates"\n')
    site.page("part/names.rst", LISTED)
    assert f"docs/{FILE}:2: no page of NVIDIA's is known for cudaMaloc" in site.build(CARD).warnings


def test_a_name_of_another_group_is_a_warning(site):
    site.page(FILE, 'cuInit = "Starts"\n')
    site.page("part/names.rst", LISTED)
    assert "cuInit belongs in driver.toml; move it there" in site.build(CARD).warnings


def test_a_line_that_is_too_long_or_a_sentence_is_a_warning(site):
    site.page(FILE, f'cudaMalloc = "Allocates."\ncudaFree = "F{"r" * 120}"\n')
    site.page("part/names.rst", LISTED)
    warnings = site.build(CARD).warnings
    assert f"docs/{FILE}:1: cudaMalloc: is" in warnings and f"docs/{FILE}:2: cudaFree: is" in warnings
    assert "end without a full stop" in warnings


def test_names_in_namespaces_and_pragmas_count_as_used(site):
    site.write(
        "demo.cu",
        "// Text.\n#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__global__ void f() {\n#pragma unroll\n    for (;;) cg::this_grid();\n}\nint main() { cuda::std::sin(1.0); }\n",
    )
    for group in ("libraries", "math", "language"):
        site.page(f"part/{group}.rst", f"{group}\n{'=' * len(group)}\n\n.. program-index:: api {group}\n")
    built = site.build(CARD)
    assert ">demo</a>" in entry(built.page("part/libraries.html"), "api-cooperative-groups-this-grid")
    assert ">demo</a>" in entry(built.page("part/math.html"), "api-cuda-std-sin")
    assert ">demo</a>" in entry(built.page("part/language.html"), "api-pragma-unroll")
