"""A number of speed in a figure is read from a recording, or names its source."""

import pytest

from lockstep.recordings.session import Command

DIAGRAM = ".. diagram:: speed\n   :alt: a speed"


@pytest.fixture
def figure(site):
    """Builds a page with a figure that draws the text which an expression gives."""
    site.declare("lockstep_program(demo DATA demo.csv)")
    site.record(Command("./demo", ["rate   ~3.91 TB/s"]), data={"demo.csv": "n,~ns\n1,10.4\n2,20\n"})

    def build(expression: str, fresh: bool = True):
        site.page("part/figures/speed.py", f"def draw(c):\n    c.size(200, 50)\n    c.text(100, 25, {expression})\n")
        return site.build(DIAGRAM, fresh=fresh)

    build.site = site
    return build


@pytest.mark.parametrize("text", ["3.91 TB/s", "145 ns", "reads\\n3.91 TB/s", "3 times as fast", "90 %"])
def test_typed_number_of_speed_is_a_warning(figure, text):
    warnings = figure(repr(text.replace("\\n", "\n"))).warnings
    assert "speed.py:3: the figure types" in warnings and "c.measured(program, label)" in warnings


@pytest.mark.parametrize("text", ["block 3", "48 KiB", "0 1 2 3", "2 × 3", "lane 31"])
def test_indices_sizes_and_counts_are_the_figures_own(figure, text):
    built = figure(repr(text))
    assert built.warnings == "" and text in built.html


def test_printed_number_is_drawn_with_its_unit(figure):
    built = figure("'reads ' + c.measured('demo', 'rate')")
    assert "reads 3.91 TB/s" in built.html and built.warnings == ""


def test_number_of_a_data_file_is_drawn(figure):
    built = figure("c.cell('demo.csv', '~ns', '{:.0f} ns', n=1)")
    assert ">10 ns<" in built.html and built.warnings == ""


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("c.measured('demo', 'speed')", 'demo printed no line that begins with "speed"'),
        ("c.measured('gone', 'rate')", "no program is called gone"),
        ("c.cell('demo.csv', '~ns', '{:.0f}', n=7)", "picks 0 rows"),
        (
            "c.cell('demo.csv', '~ns', '10 ns', n=1)",
            "speed.py:3: the form is '10 ns'; expected one placeholder such as {:.1f}",
        ),
        ("c.cell('demo.csv', '~ns', '{:.0q}', n=1)", "speed.py:3: the form is '{:.0q}'; expected one placeholder"),
    ],
)
def test_what_cannot_be_read_is_a_warning(figure, expression, message):
    assert message in figure(expression).warnings


def test_figure_follows_the_recording(figure):
    figure("c.measured('demo', 'rate')")
    figure.site.record(Command("./demo", ["rate   ~4.20 TB/s"]), data={"demo.csv": "n,~ns\n1,10.4\n"})
    assert "4.20 TB/s" in figure("c.measured('demo', 'rate')", fresh=False).html
