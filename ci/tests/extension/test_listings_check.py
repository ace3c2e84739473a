"""The check over the built site finds code that is missing, changed or typed."""

import re

import pytest

from lockstep.checks import listings, typed
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

    def source(text: str) -> list[str]:
        site.page("foundations/demo.rst", f"Demo\n====\n\n{GOOD}\n{text}\n")
        return typed.source_problems(site.docs)

    check.site, check.source = site, source
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


@pytest.mark.parametrize(
    "block",
    [
        "::\n\n   elements       1000000\n   read bandwidth ~3.91 TB/s",
        ".. code-block:: text\n\n   read bandwidth 3.91 TB/s",
        ".. code-block:: none\n\n   read bandwidth   3910",
        ".. code-block:: c++\n\n   rate ~3.91 <TB/s>",
        ".. code-block:: python\n\n   Rate 4.02 <TB/s>",  # a recorded line with another number
        ".. code-block:: bash\n\n   nvcc x.cu\n   x.cu(1): error: expected a declaration",
        ".. code-block:: cmake\n\n   saxpy.cu(3): warning #177-D: unused",
        ".. code-block:: ptx\n\n   ptxas info    : Used 24 registers",
        ".. parsed-literal::\n\n   time **12.4 us**",
    ],
)
def test_typed_output_is_found_in_any_block(checked, block):
    found = checked(f"{GOOD}\n{block}\n")
    assert any("show it with .. transcript::" in text for text in found), found


@pytest.mark.parametrize("language", ["bash", "text", "cpp", "python", "cmake"])
@pytest.mark.parametrize(
    "code", ["k<<<1, 32>>>();", "int i = threadIdx.x;", "cudaMalloc(&p, 4);", "__global__ void k();"]
)
def test_typed_cuda_is_found_in_any_block(checked, language, code):
    found = checked(f"{GOOD}\n.. code-block:: {language}\n\n   {code}\n")
    assert any("CUDA typed by hand" in text and ".. listing::" in text for text in found), found


def test_typed_cuda_is_found_in_raw_html(checked):
    found = checked(GOOD + "\n.. raw:: html\n\n   <pre>k&lt;&lt;&lt;1, 2&gt;&gt;&gt;();</pre>\n")
    assert any("CUDA typed by hand" in text for text in found), found
    assert any("demo.rst:13: .. raw:: is refused: pages hold no HTML" in text for text in found), found


def test_command_that_types_its_output_is_found(checked):
    found = checked(GOOD + "\n.. code-block:: console\n\n   $ echo 'read bandwidth 3.9 TB/s'\n")
    assert any("prints what it says itself" in text for text in found), found


@pytest.mark.parametrize(
    "block",
    [
        ".. code-block:: cmake\n\n   find_package(CUDAToolkit 13 REQUIRED)\n   target_link_libraries(app CUDA::cublas)",
        ".. code-block:: c++\n\n   std::vector<float> x(n, 1.0f);",
        ".. code-block:: ptx\n\n   .reg .f32 %f<4>;\n   fma.rn.f32 %f1, %f2, %f3, %f1;  // one of many",
        ".. code-block:: bash\n\n   cmake --preset default\n   ctest -LE gpu",
        "::\n\n   programs/\n   ├── foundations/\n   │   └── saxpy.cu\n   └── include/    the headers",
    ],
)
def test_what_has_no_other_source_may_be_typed(checked, block):
    assert checked(f"{GOOD}\n{block}\n") == []


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        (".. include:: part.txt", "nothing is included"),
        (".. literalinclude:: /../programs/foundations/demo/demo.console", "what it printed with .. transcript::"),
        ("- .. literalinclude:: /index.rst", "show a program with .. listing::"),
        (".. |rate| replace:: 3.9 TB/s", "write the words where they stand"),
        (".. csv-table::\n   :file: x.csv", "a table from a file is refused"),
    ],
)
def test_ways_around_are_refused_with_file_and_line(checked, text, cure):
    found = checked.source(text)
    assert any(re.match(r"docs/foundations/demo.rst:1[34]: ", one) and cure in one for one in found), found


def test_program_that_is_gone_says_what_to_do(checked):
    found = checked(change=lambda html: html.replace('data-program="foundations/demo/demo"', 'data-program="a/b/gone"'))
    assert any("no lockstep_program() declares; declare it, or remove the directive" in text for text in found)


def test_program_without_a_card_is_found(checked):
    assert any('demo.cu: not on its page; add ".. program-card::' in text for text in checked("Nothing."))


def test_page_without_a_program_is_found(checked):
    checked.site.page("foundations/bare.rst", "Bare\n====\n\nNothing.\n")
    assert "docs/foundations/bare.rst: shows no program" in "\n".join(checked())


def test_build_that_is_not_there_is_found(tmp_path, checked):
    (tmp_path / "nothing").mkdir()
    assert "holds no pages" in listings.problems(tmp_path / "nothing", checked.site.root)[0]
