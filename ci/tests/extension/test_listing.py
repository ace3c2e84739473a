"""`listing` shows a region of a program, and warns where there is nothing to show."""

import re

import pytest
from pygments.styles import get_style_by_name
from pygments.token import Comment, Name, Text

from lockstep_sphinx import assets
from lockstep_sphinx.listing import changes
from lockstep_sphinx.listing.lexer import Lexer

from .conftest import DEMO, ROOT
from .test_lexer import CODE as WORDS

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


CHANGED = ".. listing:: part/demo/next\n   :region: kernel\n   :changed-from: part/demo/demo"


def rung(site, kernel: str) -> None:
    """A program `next`, whose kernel differs from that of `demo`."""
    site.declare("lockstep_program(demo)\nlockstep_program(next)")
    site.write("next.cu", re.sub(r"(?s)(// \[kernel\]\n).*?(// \[/kernel\])", rf"\1{kernel}\2", DEMO))


def test_lines_that_the_rung_before_lacks_are_marked(site):
    rung(site, "/// Adds two.\n__global__ void add_one(int* x) {\n    x[threadIdx.x] += 2;\n}\n")
    html, warnings = site.build(CHANGED)
    assert warnings == "" and html.count('class="hll"') == 1 and "lockstep-before" not in html
    assert '<b>+</b> new since <a href="../programs/part/demo/demo.html">demo.cu</a></span></p>' in html


def test_listing_that_is_mostly_new_has_no_marks_and_offers_the_rung_before(site):
    rung(
        site,
        "__global__ void add_one(int* x) {\n    const int i = threadIdx.x;\n    if (i < 4)\n        x[i] += 2;\n}\n",
    )
    html, warnings = site.build(CHANGED)
    shown, _, folded = html.partition('<details class="lockstep-before" data-search-ignore><summary>')
    assert warnings == "" and "hll" not in html and "new since" not in html
    assert "+= 2;" in text(shown) and "<code>demo.cu</code></summary>" in folded
    assert 'data-program="part/demo/demo" data-region="kernel"' in folded and "+= 1;" in text(folded)


def test_listing_without_a_new_line_promises_none(site):
    rung(
        site,
        "/// Other words.\n__global__ void add_one(int* x) {\n    x[threadIdx.x] += 1;  // cudaMalloc stays a word here\n}\n",
    )
    html, _ = site.build(CHANGED)
    assert "hll" not in html and "new since" not in html and "lockstep-before" not in html


@pytest.mark.parametrize(
    ("new", "most"), [(["a", "x", "b", "y"], False), (["a", "x", "y"], True), (["a", "// x", "", "y"], False)]
)
def test_half_of_the_code_may_be_new(new, most):
    assert changes.between(["a", "b"], new).most == most


def luminance(color: str) -> float:
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(
    ("at", "style", "background"),
    [(0, "github-light", "#f6f8f7"), (1, "github-dark", "#191d1c"), (2, "github-dark", "#191d1c")],
)
def test_marks_are_seen_and_leave_code_readable(at, style, background):
    assert f'"color-code-background": "{background}"' in (ROOT / "conf.py").read_text()
    tint, line = re.findall(r"--lockstep-changed: (#\w+); --lockstep-changed-line: (#\w+);", assets.style())[at]
    assert contrast(line, background) >= 3 and contrast(line, tint) >= 3, "the bar, and the plus"
    assert contrast(tint, background) >= (1.25 if "dark" in style else 1.1)
    kinds = {kind for kind, _ in Lexer().get_tokens(WORDS)} - {
        Name,
        Comment.Single,
        Text.Whitespace,
    }  # site.css colors these
    colors = {f"#{get_style_by_name(style).style_for_token(kind)['color']}" for kind in kinds} - {"#None"}
    assert min(contrast(color, tint) for color in colors) >= 4.5
    assert re.search(r"\.hll :is\(\.c1, \.cm\) \{ color: var\(--color-foreground-primary\)", assets.style())


def test_comparison_with_nothing_is_a_warning(build):
    assert "no program part/demo/gone to compare with" in build(KERNEL + "\n   :changed-from: part/demo/gone").warnings
