"""Diagrams and charts are drawn at build time, small, in the theme's colours, and with words beside them."""

import re

import pytest

from lockstep.recordings.session import Command
from lockstep_sphinx.charts import plot
from lockstep_sphinx.drawings.canvas import Canvas, CanvasError

DIAGRAM = ".. diagram:: boxes\n   :alt: Two boxes\n\n   The caption."
CHART = ".. chart:: part/demo/rates.csv\n   :x: stride\n   :y: ~time_us\n   :alt: Time grows\n\n   The caption."
RATES = "stride,kind,~time_us\n1,a,3.5\n2,a,4.5\n1,b,5\n2,b,6\n"


def figure(site, body: str) -> None:
    site.page("part/figures/boxes.py", f"def draw(c):\n{body}")


def test_diagram_has_text_for_those_who_cannot_see_it_and_a_caption(site):
    figure(
        site,
        "    c.size(300, 80)\n    c.box(5, 5, 90, 40, 'a < b', kind='gpu')\n    c.arrow(95, 25, 150, 25, 'copy')\n",
    )
    html, warnings = site.build(DIAGRAM)
    assert 'role="img" aria-label="Two boxes"' in html and "a &lt; b" in html and "The caption." in html
    assert "lf-gpu" in html and "#" not in html.split("<svg")[1].split("</svg>")[0].replace("url(#", "")
    assert warnings == ""


def test_diagram_is_drawn_again_when_its_script_changes(site):
    figure(site, "    c.size(300, 80)\n    c.text(50, 50, 'before')\n")
    site.build(DIAGRAM)
    figure(site, "    c.size(300, 80)\n    c.text(50, 50, 'after it')\n")
    assert "after it" in site.build(fresh=False).html


def test_two_diagrams_on_a_page_have_arrow_heads_of_their_own(site):
    figure(site, "    c.size(300, 80)\n    c.arrow(1, 1, 50, 50)\n")
    html, _ = site.build(f"{DIAGRAM}\n\n{DIAGRAM}")
    markers = [part.partition('"')[0] for part in html.split('<marker id="')[1:]]
    assert len(set(markers)) == 2


def test_wide_diagram_is_there_for_phones_too(site):
    narrow = "\n\ndef draw_narrow(c):\n    c.size(300, 160)\n    c.text(50, 50, 'folded')\n    c.arrow(1, 1, 9, 9)\n"
    figure(site, "    c.size(600, 80)\n    c.text(50, 50, 'unfolded')\n    c.arrow(1, 1, 9, 9)\n" + narrow)
    html, warnings = site.build(DIAGRAM)
    wide, phone = html.split('<div class="lockstep-narrow">')
    assert ">unfolded<" in wide and ">folded<" in phone and 'width="300"' in phone and warnings == ""
    markers = [part.partition('"')[0] for part in html.split('<marker id="')[1:]]
    assert len(set(markers)) == 2


def test_diagram_for_phones_without_a_size_is_a_warning(site):
    figure(site, "    c.size(600, 80)\n\n\ndef draw_narrow(c):\n    pass\n")
    assert "the figure has no size" in site.build(DIAGRAM).warnings


def test_diagram_for_phones_must_be_narrow(site):
    figure(site, "    c.size(600, 80)\n\n\ndef draw_narrow(c):\n    c.size(400, 80)\n")
    assert "boxes.py:6: this figure is at most 360 wide" in site.build(DIAGRAM).warnings


@pytest.mark.parametrize(
    ("body", "warning"),
    [
        ("    c.box(1, 1, 2, 2)\n", "leaves the figure"),
        ("    c.size(800, 10)\n", "at most 720 wide"),
        ("    c.size(300, 80)\n    c.box(0, 0, 9, 9, kind='red')\n", "boxes.py:3: no kind 'red'; there are plain, cpu"),
        ("    c.size(300, 80)\n    c.cells(0, 0, 9, 9, [1, 2], ['cpu'])\n", "2 cells but 1 kinds"),
        ("    c.size(300, 80)\n    1 / 0\n", "boxes.py:3: ZeroDivisionError"),
        ("    pass\n", "the figure has no size"),
        ("    c.size(600, 80)\n", "boxes.py is wider than 420; add a draw_narrow(c) of at most 360 for phones"),
        ("    c.size(300, 80)\n    c.text(290, 40, 'as long as this')\n", "boxes.py:3: the text 'as long as this' at"),
        ("    c.size(300, 80)\n    for i in range(900): c.box(0, 0, 9, 9)\n", "draw it with fewer shapes"),
    ],
)
def test_diagram_that_cannot_be_drawn_is_a_warning(site, body, warning):
    figure(site, body)
    assert warning in site.build(DIAGRAM).warnings


def test_missing_figure_is_a_warning(site):
    assert "no figure figures/boxes.py beside the page" in site.build(DIAGRAM).warnings


def test_figure_without_draw_is_a_warning(site):
    site.page("part/figures/boxes.py", "x = 1\n")
    assert "boxes.py defines no draw(c)" in site.build(DIAGRAM).warnings


def test_diagram_without_alt_is_a_warning(site):
    figure(site, "    c.size(300, 80)\n")
    assert "the diagram boxes has no :alt:" in site.build(".. diagram:: boxes").warnings


@pytest.fixture
def measured_site(site):
    site.declare("lockstep_program(demo DATA rates.csv)")
    site.record(Command("./demo --csv rates.csv", ["ok"]), data={"rates.csv": RATES})
    return site


def test_chart_comes_with_its_data_and_a_link_to_it(measured_site):
    built = measured_site.build(CHART)
    assert 'aria-label="Time grows"' in built.html and "<td>4.5</td>" in built.html and "The caption." in built.html
    assert 'href="../_downloads/programs/part/demo/rates.csv"' in built.html
    assert built.page("_downloads/programs/part/demo/rates.csv") == RATES
    assert built.warnings == ""


def test_chart_draws_a_line_for_each_value_of_a_column(measured_site):
    html, _ = measured_site.build(CHART.replace("   :alt:", "   :by: kind\n   :alt:"))
    wide, narrow = html.split('<div class="lockstep-narrow">')
    for drawing in (wide, narrow):
        assert drawing.count('class="lc-line"') == 4  # two lines, and their samples in the legend
    assert "stroke-dasharray" in html


@pytest.mark.parametrize(
    ("old", "new", "warning"),
    [
        (":x: stride", ":x: strides", "rates.csv: no column strides; there are stride, kind, ~time_us"),
        (":y: ~time_us", ":y: kind", "the column kind holds something that is no number"),
        ("   :alt: Time grows\n", "", "the chart of rates.csv needs :alt:"),
        ("rates.csv", "other.csv", "no program declares part/demo/other.csv; add DATA other.csv"),
    ],
)
def test_chart_that_cannot_be_drawn_is_a_warning(measured_site, old, new, warning):
    assert warning in measured_site.build(CHART.replace(old, new)).warnings


def test_chart_over_edited_data_is_a_warning(measured_site):
    measured_site.write("rates.csv", RATES.replace("3.5", "2.5"))
    assert "rates.csv: missing or edited by hand" in measured_site.build(CHART).warnings


def test_chart_before_its_data_is_recorded_is_a_warning_and_a_note_in_drafts(site):
    site.declare("lockstep_program(demo DATA rates.csv)")
    assert "was never recorded" in site.build(CHART).warnings
    html, warnings = site.build(CHART, lockstep_allow_stale=True)
    assert "rates.csv is not recorded yet" in html and warnings == ""


def test_diagram_of_data_that_is_not_recorded_is_a_warning(site):
    site.declare("lockstep_program(demo DATA rates.csv)")
    figure(site, "    open('rates.csv')\n")
    assert "was never recorded" in site.build(DIAGRAM).warnings


def test_same_data_gives_the_same_chart():
    lines = [plot.Line("a", [(2.0**i, 3.0 * i + 1) for i in range(12)])]
    draw = [plot.svg(lines, title="t", x_label="x", y_label="y", log="xy") for _ in range(2)]
    assert draw[0] == draw[1] and len(draw[0]) < 5000


def test_ticks_are_round_and_powers_of_two_stay_so():
    assert [label for _, label in plot.linear([0, 97], 0, 1).ticks] == ["0", "20", "40", "60", "80", "100"]
    assert [label for _, label in plot.logarithmic([1, 8], 0, 1).ticks] == ["1", "2", "4", "8"]
    assert [label for _, label in plot.logarithmic([3, 700], 0, 1).ticks] == ["1", "10", "100", "1000"]


def test_long_legends_take_several_rows():
    lines = [plot.Line(f"a rather long name {i}", [(1.0, 2.0), (2.0, 3.0)]) for i in range(6)]
    chart = plot.svg(lines, title="t", x_label="x", y_label="y")
    starts = [float(part.partition('"')[0]) for part in chart.split('lf-start lt-plain" x="')[1:]]
    assert len(starts) == 6 and max(starts) < plot.WIDTH - 120


TEXT = re.compile(r'class="lf-(\w+) [^"]*" x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)">([^<]*)<')


def extents(drawing):
    """The height of each text, and about where it begins and ends."""
    for anchor, x, y, size, text in TEXT.findall(drawing):
        length = len(text) * float(size) * 0.5
        begin = float(x) - {"start": 0, "middle": length / 2, "end": length}[anchor]
        yield float(y), begin, begin + length


SERIES = [plot.Line(f"a name of its own {i}", [(100.0 * x, 1e6 * x + i) for x in range(1, 40)]) for i in range(3)]
RATES_OF_RUNGS = [plot.Rung("a rung with a name", 50, 49, 51, 90, "1234 GB/s, 12.3 ms")] * 3


@pytest.mark.parametrize("log", ["", "x", "xy"])
@pytest.mark.parametrize("width", [plot.WIDTH, plot.NARROW])
def test_words_stay_inside_and_do_not_touch(log, width):
    words = {"title": "t", "x_label": "bytes that each thread reads at a time", "y_label": "y"}
    texts = sorted(extents(plot.svg(SERIES, log=log, width=width, **words)))
    assert len(texts) > 8
    assert all(begin >= 0 and end <= width for _, begin, end in texts)
    assert all(a[0] != b[0] or a[2] < b[1] for a, b in zip(texts, texts[1:], strict=False))


@pytest.mark.parametrize("width", [plot.WIDTH, plot.NARROW])
def test_words_of_a_ladder_stay_inside_and_do_not_touch(width):
    drawn = plot.ladder(RATES_OF_RUNGS, title="t", label="percent of something", vendor="CUB", width=width)
    texts = sorted(extents(drawn))
    assert all(begin >= 0 and end <= width for _, begin, end in texts)
    assert all(a[0] != b[0] or a[2] < b[1] for a, b in zip(texts, texts[1:], strict=False))


def test_words_are_drawn_as_bars():
    chart = plot.svg([plot.Line("", [("copy", 3.0), ("add", 4.0)])], title="t", x_label="x", y_label="y")
    assert chart.count('class="lc-bar"') == 2


def test_logarithm_of_nothing_is_an_error():
    with pytest.raises(ValueError, match="positive"):
        plot.svg([plot.Line("", [(1.0, 0.0)])], title="t", x_label="x", y_label="y", log="y")


def test_long_text_is_set_smaller_to_stay_in_its_box():
    canvas = Canvas()
    canvas.size(100, 50)
    canvas.box(0, 0, 80, 40, "a rather long text")
    size = float(canvas.svg("m", "t").split('font-size="')[1].partition('"')[0])
    assert size < 14


def test_unknown_anchor_is_an_error():
    with pytest.raises(CanvasError, match="no anchor 'left'"):
        Canvas().text(0, 0, "x", anchor="left")


TIMELINE = """.. timeline:: part/demo/run.csv
   :alt: Two kernels overlap
"""
RUN = (
    "row,kind,name,~start_us,~end_us\n"
    "host,api,cudaLaunchKernel,0.00,4.00\n"
    "default,copy,host to device,5.00,95.00\n"
    "stream 1,kernel,first,100.00,300.00\n"
    "stream 2,kernel,second,150.00,350.00\n"
)


@pytest.fixture
def timed_site(site):
    site.declare("lockstep_program(demo DATA run.csv)")
    site.record(Command("./demo", ["x  1"]), data={"run.csv": RUN})
    return site


def test_timeline_has_a_row_for_each_stream_and_a_bar_for_each_thing(timed_site):
    html, warnings = timed_site.build(TIMELINE)
    assert warnings == ""
    for text in ("host", "default", "stream 1", "stream 2", "first", "second", "host to device"):
        assert f">{text}</text>" in html
    assert html.count('aria-label="Two kernels overlap"') == 2  # one drawing for a desktop, one for a phone


def test_timeline_shows_the_ranges_of_the_host(site):
    site.declare("lockstep_program(demo DATA run.csv)")
    site.record(Command("./demo", ["x  1"]), data={"run.csv": RUN + "ranges,range,prepare,0.00,350.00\n"})
    html, warnings = site.build(TIMELINE)
    assert warnings == ""
    assert ">ranges</text>" in html
    assert ">prepare</text>" in html


def test_timeline_of_another_file_is_a_warning(site):
    site.declare("lockstep_program(demo DATA run.csv)")
    site.record(Command("./demo", ["x  1"]), data={"run.csv": "n,~ms\n1,2\n"})
    assert "run.csv: this is no timeline" in site.build(TIMELINE).warnings


def test_timeline_without_words_is_a_warning(timed_site):
    built = timed_site.build(TIMELINE.replace("   :alt: Two kernels overlap\n", ""))
    assert "the timeline of run.csv needs :alt:" in built.warnings


def test_few_whole_numbers_in_a_row_are_their_own_ticks():
    assert [label for _, label in plot.counted([3, 1, 2, 1], 0, 100).ticks] == ["1", "2", "3"]


@pytest.mark.parametrize("values", [[1, 2, 4], [0.5, 1.5], [7, 7], list(range(40))])
def test_other_numbers_get_round_ticks(values):
    assert plot.counted(values, 0, 100) is None


RUNGS = "rung,~us,~low_us,~high_us,~gb_per_s,~percent_of_memcpy\n"


def test_ladder_puts_the_rungs_of_several_files_into_one_plot(site):
    site.declare("lockstep_program(demo DATA low.csv)\nlockstep_program(next DATA high.csv)")
    site.write("next.cu", (site.programs / "demo.cu").read_text())
    low = {"low.csv": RUNGS + "first try,200,190,210,1000,50\n"}
    high = {"high.csv": RUNGS + "second try,100,99,101,2000,100\n"}
    site.record(Command("./demo --csv low.csv", ["ok"]), data=low)
    site.record(Command("./next --csv high.csv", ["ok"]), name="next", data=high)
    html, warnings = site.build(
        ".. ladder:: part/demo/low.csv\n            part/demo/high.csv\n   :peak: memcpy\n   :alt: Two rungs"
    )
    assert warnings == ""
    for drawing in html.split('<div class="lockstep-narrow">'):
        assert drawing.count('class="lc-bar"') == 2 and "first try" in drawing and "2000 GB/s, 100 µs" in drawing
    assert "low.csv</a>" in html and "high.csv</a>" in html


def test_ladder_names_the_column_that_is_missing(measured_site):
    _, warnings = measured_site.build(".. ladder:: part/demo/rates.csv\n   :peak: copy\n   :alt: None")
    assert "rates.csv: no column rung; there are stride, kind, ~time_us" in warnings


def test_bars_of_a_ladder_are_as_long_as_their_share_and_marks_stand_for_the_vendor():
    rungs = [plot.Rung("half", 50, 49, 51, 0, "1 GB/s"), plot.Rung("full", 100, 99, 101, 80, "2 GB/s")]
    drawn = plot.ladder(rungs, title="t", label="percent", vendor="CUB")
    widths = [float(part.split('"')[0]) for part in drawn.split('width="')[2:] if 'height="22"' in part]
    assert widths[1] == pytest.approx(2 * widths[0], rel=0.01)
    assert drawn.count("lc-mark") == 2 and "CUB, same run" in drawn
