"""`program-card` shows what a program is, needs, and how to take it away."""

import base64
import json
import zlib

import pytest

CARD = ".. program-card:: part/demo/demo"


def test_card_says_question_and_answer_and_no_more(build):
    html, warnings = build(CARD)
    assert "Does it add? Yes: it adds <code>one</code> to each.</p>" in html
    assert warnings == ""


def test_card_has_the_build_line_and_the_download(build):
    built = build(CARD)
    assert '<span class="gp">$ </span>nvcc demo.cu -o demo' in built.html
    assert 'href="../_downloads/programs/part/demo/demo.cu" download' in built.html
    download = built.page("_downloads/programs/part/demo/demo.cu")
    assert "inline void check" in download
    assert "// Build: nvcc demo.cu -o demo" in download


def test_card_links_the_whole_source_and_the_source_links_back(build):
    built = build(CARD)
    assert 'href="../programs/part/demo/demo.html"' in built.html
    source = built.page("programs/part/demo/demo.html")
    assert '<a href="../../../part/demo.html">Demo</a>' in source
    assert "add_one" in source and "[kernel]" not in source and "LOCKSTEP" not in source


@pytest.mark.parametrize(
    ("declared", "need", "badge"),
    [
        ("", "any CUDA GPU", ""),
        ("MIN_CC 90", "compute capability 9.0 or newer", "CC 9.0+"),
        ("MIN_CC 90 ARCH_SPECIFIC", "compute capability 9.0 only", "CC 9.0 only"),
        ("MIN_GPUS 2", "2 GPUs", "2 GPUs"),
        ("LIBS CUDA::cublas", "cublas", "cublas"),
        ("MUST_NOT_COMPILE", "must not compile", "must not compile"),
    ],
)
def test_card_says_what_the_program_needs_in_a_word_and_in_full(site, declared, need, badge):
    site.declare(f"lockstep_program(demo {declared})")
    html = site.build(CARD).html
    assert f"Needs {need}" in html
    assert f'<span class="lockstep-badge" title="{need}">{badge}</span>' in html or not badge and "badge" not in html


def test_card_of_a_program_that_never_ran_says_so_on_its_row(site):
    site.declare('lockstep_program(demo UNRECORDED "needs two hosts")')
    html = site.build(CARD).html
    assert '<span class="lockstep-badge" title="needs two hosts">never ran here</span>' in html
    assert "Never ran here: needs two hosts." in html


@pytest.mark.parametrize(("statement", "toolkit"), [("", "12.0"), ("cudaLibrary_t library{}; (void)library;", "12.8")])
def test_card_names_the_oldest_toolkit_that_compiles_the_program(site, statement, toolkit):
    source = site.root / "programs/part/demo/demo.cu"
    text = source.read_text(encoding="utf-8")
    source.write_text(f"{text}\nvoid further() {{ {statement} }}\n", encoding="utf-8")
    assert f", CUDA {toolkit} or newer." in site.build(CARD).html


def test_card_of_a_program_that_must_not_compile_names_no_toolkit(site):
    site.declare("lockstep_program(demo MUST_NOT_COMPILE)")
    assert "CUDA 12" not in site.build(CARD).html


def state(html: str) -> dict:
    address = html.partition("https://godbolt.org/clientstate/")[2].partition('"')[0]
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(address + "=" * (-len(address) % 4))))["sessions"][0]


SOURCE = "programs/part/demo/demo.html"


def test_a_card_leads_to_compiler_explorer_by_way_of_the_source(build):
    built = build(CARD)
    assert '<a href="../programs/part/demo/demo.html#compiler-explorer">Open in Compiler Explorer</a>' in built.html
    assert "godbolt" not in built.html
    assert '<p class="lockstep-links" id="compiler-explorer">' in built.page(SOURCE)


def test_compiler_explorer_gets_the_program_and_runs_it(site):
    built = site.build(CARD)
    session, html = state(built.page(SOURCE)), built.html
    assert "__global__ void add_one" in session["source"] and "inline void check" in session["source"]
    assert session["executors"] and "-arch=sm_75" in session["compilers"][0]["options"]
    assert "and usually runs" in html


@pytest.mark.parametrize("declared", ["MIN_CC 90", "MIN_GPUS 2", "LIBS CUDA::cublas", "MUST_NOT_COMPILE"])
def test_compiler_explorer_promises_no_run_where_its_gpu_cannot(site, declared):
    site.declare(f"lockstep_program(demo {declared})")
    built = site.build(CARD)
    assert "executors" not in state(built.page(SOURCE))
    assert "compiles there only" in built.html


def test_further_sources_are_downloads_too_and_compiler_explorer_is_not_offered(site):
    site.declare("lockstep_program(demo SOURCES more.cu)")
    site.write("more.cu", "int more() { return 1; }\n")
    built = site.build(CARD)
    assert "Download more.cu" in built.html and "Compiler Explorer" not in built.html
    assert "godbolt" not in built.page(SOURCE)
    assert "int more()" in built.page("_downloads/programs/part/demo/more.cu")


def test_unknown_program_is_a_warning_with_place_and_advice(build):
    _, warnings = build(".. program-card:: part/demo/dmo")
    assert "demo.rst:4: WARNING: no program part/demo/dmo; declare it" in warnings


def test_misplaced_program_is_a_warning_that_knows_the_right_place(build):
    assert "did you mean part/demo/demo?" in build(".. program-card:: part/demo").warnings


def test_program_without_leading_comment_is_a_warning(site):
    site.write("demo.cu", "int main() {}\n")
    assert "demo.cu does not begin with a comment" in site.build(CARD).warnings


def test_two_cards_for_one_program_are_a_warning(site):
    site.page("part/other.rst", f"Other\n=====\n\n{CARD}\n")
    assert "part/demo/demo has a card on part/demo and part/other" in site.build(CARD).warnings


def test_downloads_and_sources_follow_the_program(site):
    site.build(CARD)
    site.write("demo.cu", "// Something new.\nint main() {}\n")
    built = site.build(fresh=False)
    assert "Something new." in built.html
    assert "Something new." in built.page("programs/part/demo/demo.html")
    assert "Something new." in built.page("_downloads/programs/part/demo/demo.cu")


def test_program_with_broken_regions_is_a_warning(site):
    site.write("demo.cu", "// Text.\n// [kernel]\nint x;\n")
    assert "demo.cu:2: [kernel] is never closed" in site.build(CARD).warnings


EXERCISE = """\
// Write one. The check counts.

int main() {
    int x = 0;
    // [task]
    x = 1;
    //= given
    //| x = 2;
    //= mutant zero
    //| x = 0;
    // [/task]
    return x == 1 ? 0 : 1;
}
"""


def test_exercise_shows_what_is_asked_how_to_try_it_and_what_is_given(site):
    site.declare("lockstep_program(demo EXERCISE)")
    site.write("demo.cu", EXERCISE)
    built = site.build(".. exercise:: part/demo/demo")
    assert built.warnings == ""
    assert "Write one. The check counts." in built.html and "make try EXERCISE=demo" in built.html
    assert 'data-source="starter"' in built.html and "your part begins" in built.html
    starter = built.page("_downloads/programs/part/demo/demo_starter.cu")
    assert "x = 2;" in starter and "x = 1;" not in starter
    solution = built.page("_downloads/programs/part/demo/demo.cu")
    assert "x = 1;" in solution and "x = 0;\n    x = 1;" in solution and "//|" not in solution


def test_solution_of_an_exercise_is_listed_without_the_other_variants(site):
    site.declare("lockstep_program(demo EXERCISE)")
    site.write("demo.cu", EXERCISE)
    html, warnings = site.build(".. exercise:: part/demo/demo\n\n.. listing:: part/demo/demo\n   :region: task")
    assert warnings == "" and html.count("given") == 0


def test_program_that_is_no_exercise_is_a_warning(build):
    assert "part/demo/demo is no exercise" in build(".. exercise:: part/demo/demo").warnings


def test_card_says_why_a_program_is_not_recorded(site):
    site.declare('lockstep_program(demo UNRECORDED "needs <two> Grace CPUs")')
    html, warnings = site.build(".. program-card:: part/demo/demo")
    assert '<p class="lockstep-note">Never ran here: needs &lt;two&gt; Grace CPUs.</p>' in html
    assert warnings == ""
