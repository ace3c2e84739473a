"""A rate, a time, a share or a ratio in a sentence comes from a recording, or names its source."""

import pytest

from lockstep import guide_map
from lockstep.checks import constants, typed_numbers
from lockstep.programs.declarations import Program
from lockstep.recordings.session import Command
from lockstep_sphinx.numbers import spec

SECTIONS = """\
[[group]]
name = "kernels"
title = "2 Kernels"
source = "Guide 13.1"
address = "https://example.org/"
section = [{ number = "2.2.3", title = "Spaces", address = "memory.html" }]
"""
CURE = "read it from a recording with :measured:, write a constant with its source as :spec:"


TYPED = [
    "It reads 3.91 TB/s.",
    "It reads *3.91* TB/s.",
    "It reads ``3.91 TB/s`` here.",
    "A load takes 145 ns.",
    "A launch takes 2.5 µs.",
    "It waits 400 cycles.",
    "The copies take 90 % of the time.",
    "The copies take 90 percent of it.",
    "It is 3.9 times as fast.",
    "It is 3.9x faster.",
    "It is 3.9× faster.",
    "It does 60 TFLOP/s.",
    "The clock runs at 1,980 MHz.",
    "* It reads 3.91 TB/s.",
    ".. note:: It reads 3.91 TB/s.",
    "At 3.91 TB/s\n------------\n\nWords.",
    ".. list-table::\n\n   * - rate\n     - 3.91 TB/s",
    ".. transcript:: part/demo/demo\n\nIt reads\n3.91\nTB/s.",
]


def test_each_typed_number_is_a_warning_at_its_line(build):
    warnings = build("\n\n".join(TYPED)).warnings
    line = 4
    for sentence in TYPED:
        lines = range(line, line + sentence.count("\n") + 2)  # of a title the line under it
        assert any(f'part/demo.rst:{n}: WARNING: "' in warnings for n in lines), sentence
        line += sentence.count("\n") + 2
    assert warnings.count(CURE) == warnings.count("is typed") >= len(TYPED)


SOURCED = [
    "It reads :measured:`demo: rate`, which is much.",
    "It has :spec:`4.8 TB/s <https://www.nvidia.com/h200>`.",
    "It has `4.8 TB/s <https://www.nvidia.com/h200>`_.",
    "A block has 256 threads, 48 KiB and 3 × 4 tiles, 5 times 2 plus 1.",
    "Capability 8.x, CUDA 13.1 and ``sm_90``: section 2.2 in 2025.",
    ".. code-block:: console\n\n   $ sleep 10 s",
    ".. listing:: part/demo/demo",
]


def test_numbers_with_a_source_are_no_finding(build):
    assert "is typed" not in build("\n\n".join(SOURCED)).warnings


def test_constant_names_its_source(build, site):
    site.page(f"{guide_map.FOLDER}/{guide_map.SECTIONS}", SECTIONS)
    html, warnings = build(":spec:`4.8 TB/s <https://www.nvidia.com/h200>` and :spec:`48 % <guide 2.2.3>`.")
    assert 'href="https://www.nvidia.com/h200" data-note="1">4.8 TB/s</a>' in html and warnings == ""
    assert 'title="CUDA Programming Guide, section 2.2.3">48 %</abbr>' in html


def test_constant_of_a_program_names_it(build):
    html, warnings = build(":spec:`4 times <demo>`.")
    assert 'title="a constant of demo.cu">4 times</abbr>' in html and warnings == ""


def test_constant_that_follows_is_computed(build):
    html, warnings = build(
        ":spec:`12.5 % <= 100 × 4 / 32>`, :spec:`1,056 times <= 132 * 8>`, :spec:`67 % <= 200 / 3>`."
    )
    assert 'title="100 × 4 / 32">12.5 %</abbr>' in html and warnings == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4.8 TB/s", "4.8 TB/s has no source; write :spec:`4.8 TB/s <source>`"),
        ("4.8 TB/s <somewhere>", "no source somewhere; it is an address, a section"),
        ("5 times <demo>", "demo.cu holds no 5; name the program that does"),
    ],
)
def test_constant_without_a_good_source_is_a_warning_at_its_line(build, text, message):
    assert f"part/demo.rst:4: WARNING: {message}" in build(f":spec:`{text}`.").warnings


@pytest.fixture
def program(tmp_path):
    """A program that holds some constants, and names others in comments alone."""
    (tmp_path / "programs/part").mkdir(parents=True)
    (tmp_path / "programs/part/pauses.cu").write_text(
        "constexpr int ns = 20'000;  // not 43.7 us\nfloat share = 0.8f;\n"
    )
    return Program("pauses", "part", tmp_path, 1)


@pytest.mark.parametrize(
    ("text", "source", "problem"),
    [
        ("4.8 TB/s", "https://www.nvidia.com/h200", ""),
        ("4.8 TB/s", "http://unsafe.org", "no source http://unsafe.org; it is an address, "),
        (
            "4.8 TB/s",
            "https://nvidia/h200",
            "https://nvidia/h200 is no address; write https://host/path, without blanks",
        ),
        ("4.8 TB/s", "https:/www.nvidia.com/", "https:/www.nvidia.com/ is no address"),
        ("4.8 TB/s", "https://www.nvidia.com/h 200", "https://www.nvidia.com/h 200 is no address"),
        ("48 KB", "guide 2.2.3", ""),
        ("48 KB", "guide 2.2.3.1", ""),
        (
            "48 KB",
            "guide 9.9.9",
            "the guide has no section 9.9.9; name one of docs/reference/guide_map/sections.toml, or",
        ),
        ("48 KB", "guide 2.2.9", "the guide has no section 2.2.9; "),
        ("48 KB", "guide 2.2.9.1", "the guide has no section 2.2.9.1; "),
        ("20 µs", "pauses", ""),
        ("80 %", "part/pauses", ""),
        ("43.7 µs", "pauses", "pauses.cu holds no 43.7; name the program that does, or compute it as in = 2 × 16"),
        ("a while", "pauses", "a while holds no number; name an address or a section as its source"),
        ("43.7", "= 43.7", "43.7 computes nothing; write what 43.7 follows from, or read it with :measured:"),
        ("43.7", "= 43.7 × 1", "43.7 × 1 computes nothing; "),
        ("12.6 %", "= 100 × 4 / 32", "12.6 % is not 100 × 4 / 32, which is 12.5; correct one of them"),
        ("68 %", "= 200 / 3", "68 % is not 200 / 3, which is 66.6667"),
        ("67 %", "= 200 / 3", ""),
        ("5 %", "= open('x')", "open('x') is no arithmetic; write one as in = 2 × 16"),
        ("5 %", "= 1 / 0", "1 / 0 is no arithmetic"),
    ],
)
def test_a_constant_agrees_with_its_source(program, text, source, problem):
    said = constants.problem(text, source, {"2.2", "2.2.3"}, {program.path: program})
    assert said.startswith(problem) and bool(said) == bool(problem)


CHART = """.. chart:: part/demo/demo.csv
   :x: n
   :y: ~us
   :alt: {}
"""


@pytest.fixture
def chart(site):
    site.declare("lockstep_program(demo DATA demo.csv)")
    site.record(Command("./demo", ["rate   ~3.91 TB/s"]), data={"demo.csv": "n,~us\n1,10\n2,20\n"})
    return lambda alt: site.build(CHART.format(alt))


@pytest.mark.parametrize("alt", ["Time by n, near 20.", "Time by n: it rises to 20 µs.", "Bars: naive 10, shared 20."])
def test_number_typed_off_a_chart_is_a_warning(chart, alt):
    assert "is typed" in chart(alt).warnings


@pytest.mark.parametrize(
    "alt", ["Time by n, 1 to 2, one line for 4, 8 and 16 threads.", "It levels off at :measured:`demo: rate`."]
)
def test_words_of_a_chart_say_its_shape_and_read_the_rest(chart, alt):
    html, warnings = chart(alt)
    assert warnings == "" and ("3.91 TB/s" in html or "measured" not in alt)


def test_number_typed_into_the_label_of_an_axis_is_a_warning(site):
    site.declare("lockstep_program(demo DATA demo.csv)")
    site.record(Command("./demo", ["ok"]), data={"demo.csv": "n,~us\n1,10\n2,20\n"})
    labels = "   :xlabel: n\n   :ylabel: time, up to 20 µs\n"
    assert 'part/demo.rst:4: WARNING: "20 µs" is typed; ' in site.build(CHART.format("Time by n.") + labels).warnings


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("time, µs (43.7 at most)", ["43.7"]),
        ("Bars: 43.7 and 12.1.", ["43.7"]),
        ("hit rate, 90 %", ["90 %"]),
        ("It does 3.91 TB/s", ["3.91 TB/s"]),
        ("speed, all SMs = 1", []),
        ("time of a tile of 16 KiB, ns", []),
        ("blocks of 768 threads", []),
        ("kernels used, of 256", []),
    ],
)
def test_what_counts_as_typed_off_a_chart(text, found):
    assert spec.typed_off(text)[: len(found)] == found and bool(spec.typed_off(text)) == bool(found)


def test_bars_of_a_ladder_are_read_from_its_data(site):
    site.declare("lockstep_program(demo DATA demo.csv)")
    rows = "rung,~us,~low_us,~high_us,~gb_per_s,~percent_of_memcpy\nfirst try,200,190,210,1000,50\n"
    site.record(Command("./demo", ["ok"]), data={"demo.csv": rows})
    html, warnings = site.build(".. ladder:: part/demo/demo.csv\n   :peak: memcpy\n   :alt: One bar.")
    assert 'aria-label="One bar. first try 50."' in html and warnings == ""


def test_title_of_a_dropdown_is_looked_at(site):
    site.record(Command("./demo", ["rate   ~3.91 TB/s"]))
    text = ".. dropdown:: Why 90 % of it?\n\n   Words.\n"
    warnings = site.build(text, extensions=["lockstep_sphinx", "sphinx_design"]).warnings
    assert '"90 %" is typed' in warnings


@pytest.mark.parametrize(
    ("text", "found"), [("3.9 GB/s and 7 ns", ["3.9 GB/s", "7 ns"]), ("2 times 3", []), ("90\u00a0%", ["90\u00a0%"])]
)
def test_what_counts_as_typed(text, found):
    assert typed_numbers.typed(text) == found
