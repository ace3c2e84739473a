"""A rate, a time, a share or a ratio in a sentence comes from a recording, or names its source."""

import pytest

from lockstep.checks import typed_numbers
from lockstep.recordings.session import Command

CURE = "read it from a recording with :measured:, write a constant with its source as :spec:"


@pytest.mark.parametrize(
    "sentence",
    [
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
    ],
)
def test_typed_number_is_a_warning(build, sentence):
    warnings = build(sentence).warnings
    assert "is typed" in warnings and CURE in warnings and "part/demo.rst:" in warnings


@pytest.mark.parametrize(
    "sentence",
    [
        "It reads :measured:`demo: rate`, which is much.",
        "It has :spec:`4.8 TB/s <https://www.nvidia.com/h200>`.",
        "It has `4.8 TB/s <https://www.nvidia.com/h200>`_.",
        "A block has 256 threads, 48 KiB and 3 × 4 tiles, 5 times 2 plus 1.",
        "Capability 8.x, CUDA 13.1 and ``sm_90``: section 2.2 in 2025.",
        ".. code-block:: console\n\n   $ sleep 10 s",
        ".. listing:: part/demo/demo",
    ],
)
def test_number_with_a_source_is_no_finding(build, sentence):
    assert "is typed" not in build(sentence).warnings


def test_constant_names_its_source(build):
    html, warnings = build(":spec:`4.8 TB/s <https://www.nvidia.com/h200>` and :spec:`48 % <guide 2.2.3>`.")
    assert 'href="https://www.nvidia.com/h200" data-note="1">4.8 TB/s</a>' in html and warnings == ""
    assert 'title="CUDA Programming Guide, section 2.2.3">48 %</abbr>' in html


def test_constant_of_a_program_names_it(build):
    html, warnings = build(":spec:`64 times <demo>`.")
    assert 'title="a constant of demo.cu">64 times</abbr>' in html and warnings == ""


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
        ("4.8 TB/s <http://unsafe>", "no source http://unsafe"),
        ("12.6 % <= 100 × 4 / 32>", "12.6 % is not 100 × 4 / 32, which is 12.5"),
        ("68 % <= 200 / 3>", "68 % is not 200 / 3"),
        ("5 % <= open('x')>", "open('x') is no arithmetic"),
        ("5 % <= 1 / 0>", "1 / 0 is no arithmetic"),
    ],
)
def test_constant_without_a_good_source_is_a_warning(build, text, message):
    assert message in build(f":spec:`{text}`.").warnings


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
