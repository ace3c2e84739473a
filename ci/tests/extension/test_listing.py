"""`listing` shows a region of a program, and warns where there is nothing to show."""

import re

KERNEL = ".. listing:: part/demo/demo\n   :region: kernel"
ALLOCATE = ".. listing:: part/demo/demo\n   :region: allocate"


def text(html: str) -> str:
    code = re.search(r"<pre>(.*?)</pre>", html, re.S)
    return re.sub(r"<[^>]+>", "", code[1]) if code else ""


def test_region_is_shown_without_its_markers(build):
    html, warnings = build(KERNEL)
    assert text(html).startswith("/// Adds one.\n__global__ void add_one(int* x) {")
    assert 'data-program="part/demo/demo" data-region="kernel"' in html
    assert warnings == ""


def test_region_inside_a_function_is_moved_left(build):
    assert text(build(ALLOCATE).html).startswith("int* d_x = nullptr;\nlockstep::check")


def test_without_region_the_whole_program_is_shown_without_markers(build):
    shown = text(build(".. listing:: part/demo/demo").html)
    assert shown.startswith("// Does it add?") and shown.rstrip().endswith("}")
    assert "[kernel]" not in shown and "[/allocate]" not in shown


def test_listing_names_its_file_and_links_the_source(build):
    assert '<p class="lockstep-caption"><a href="../programs/part/demo/demo.html">demo.cu</a>' in build(KERNEL).html


def test_caption_stands_behind_the_file_name(build):
    html, _ = build(KERNEL + "\n   :caption: One thread, *one* element")
    assert "demo.cu</a> One thread, <em>one</em> element</p>" in html


def test_lines_can_be_emphasized(build):
    assert '<span class="hll">' in build(KERNEL + "\n   :emphasize-lines: 3").html


def test_first_occurrence_of_an_api_name_is_linked(build):
    html, _ = build(ALLOCATE)
    assert html.count("#:~:text=cudaMalloc") == 1
    assert "cuda-runtime-api/group__CUDART__MEMORY.html#:~:text=cudaMalloc" in html


def test_builtins_are_linked_and_comments_are_not(build):
    html, _ = build(KERNEL)
    assert "#:~:text=threadIdx" in html and "#:~:text=__global__" in html
    assert "#:~:text=cudaMalloc" not in html


def test_missing_program_is_a_warning(build):
    assert "WARNING: no program part/demo/gone" in build(".. listing:: part/demo/gone").warnings


def test_missing_region_is_a_warning(build):
    _, warnings = build(".. listing:: part/demo/demo\n   :region: gone")
    assert "demo.rst:4: WARNING: demo.cu has no region [gone]; it has kernel, allocate" in warnings


def test_empty_region_is_a_warning(site):
    site.write("demo.cu", "// Text.\n// [nothing]\n\n// [/nothing]\n")
    assert "region [nothing] is empty" in site.build(".. listing:: part/demo/demo\n   :region: nothing").warnings


def test_unclosed_region_is_a_warning_with_the_mend(site):
    site.write("demo.cu", "// Text.\n// [kernel]\nint x;\n")
    assert 'demo.cu:2: [kernel] is never closed; add "// [/kernel]"' in site.build(KERNEL).warnings


def test_emphasis_outside_the_region_is_a_warning(build):
    assert "line number spec is out of range" in build(KERNEL + "\n   :emphasize-lines: 99").warnings


def test_page_is_read_again_when_the_program_changes(site):
    site.build(KERNEL)
    site.write("demo.cu", "// Text.\n// [kernel]\nint changed;\n// [/kernel]\n")
    assert "changed" in site.build(fresh=False).html


def test_further_source_is_shown_under_its_own_name(site):
    site.declare("lockstep_program(demo SOURCES more.cu)")
    site.write("more.cu", "// More.\n// [rest]\nint more() { return 1; }\n// [/rest]\n")
    html, warnings = site.build(".. listing:: part/demo/demo\n   :source: more.cu\n   :region: rest")
    assert text(html).strip() == "int more() { return 1; }" and 'data-source="more.cu"' in html
    assert 'demo.html">more.cu</a>' in html and warnings == ""


def test_unknown_further_source_is_a_warning(site):
    site.declare("lockstep_program(demo SOURCES more.cu)")
    site.write("more.cu", "int more() { return 1; }\n")
    assert (
        "part/demo/demo has no source less.cu; it has more.cu"
        in site.build(".. listing:: part/demo/demo\n   :source: less.cu").warnings
    )


def test_lines_that_another_program_lacks_are_marked(site):
    site.declare("lockstep_program(demo)\nlockstep_program(next)")
    demo = (site.root / "programs/part/demo/demo.cu").read_text()
    site.write("next.cu", demo.replace("] += 1;", "] += 2;"))
    html, warnings = site.build(".. listing:: part/demo/next\n   :region: kernel\n   :changed-from: part/demo/demo")
    assert warnings == "" and html.count('class="hll"') == 1


def test_comparison_with_nothing_is_a_warning(build):
    assert "no program part/demo/gone to compare with" in build(KERNEL + "\n   :changed-from: part/demo/gone").warnings
