"""A calculator's place on its page: the recorded cases without JavaScript, and a warning where something is missing."""

import re

import pytest

from lockstep import calculators
from lockstep.recordings.session import Command

PAGE = "programming/simt_kernels/coalescing"
PROGRAM = "sectors_by_pattern"
CASES = "word_bytes,stride,offset,requests,sectors\n4,1,0,1,4\n4,1,1,1,5\n"
EXPLORE = ".. explore:: coalescing\n\n   What the drawing shows."


@pytest.fixture
def site(site_at):
    site = site_at(PAGE)
    site.declare(f"lockstep_program({PROGRAM} PLAIN DATA {PROGRAM}.csv)")
    site.write(f"{PROGRAM}.cu", (site.programs / "demo.cu").read_text())
    return site


@pytest.fixture
def recorded(site):
    site.record(Command(f"./{PROGRAM}", ["4"]), name=PROGRAM, data={f"{PROGRAM}.csv": CASES})
    return site


def test_the_recorded_cases_stand_on_the_page_with_the_file(recorded):
    html, warnings = recorded.build(EXPLORE)
    assert not re.search(r"coalescing\.rst:\d", warnings)
    assert 'data-explore="coalescing" data-columns="word_bytes stride offset requests sectors"' in html
    assert "<summary>2 recorded cases</summary>" in html and "<td>5</td>" in html
    assert "What the drawing shows." in html
    assert 'data-folder="../../_static/explore/"' in html and "new IntersectionObserver(" in html
    assert f'href="../../_downloads/programs/{PAGE}/{PROGRAM}.csv"' in html


def test_all_cases_stand_on_the_page_however_many(site):
    rows = [f"4,{stride},{offset},1,{stride + offset}" for stride in range(40) for offset in range(20)]
    data = "word_bytes,stride,offset,requests,sectors\n" + "\n".join(rows) + "\n"
    site.record(Command(f"./{PROGRAM}", ["4"]), name=PROGRAM, data={f"{PROGRAM}.csv": data})
    html = site.build(EXPLORE).html
    assert "<summary>800 recorded cases</summary>" in html and "more rows in the file" not in html
    assert html.count("<tr>") == 801 and "<td>39</td><td>19</td>" in html


def test_a_deviation_is_named_under_the_cases(recorded):
    recorded.page(
        f"{PAGE}.explore",
        "[[deviations]]\ncase = { stride = 1, offset = 1 }\nrecorded = { sectors = 6 }\n"
        'because = "the counter has one more"\n',
    )
    html, warnings = recorded.build(EXPLORE)
    assert not re.search(r"coalescing\.rst:\d", warnings)
    assert "<li>stride 1, offset 1: recorded sectors 6, since the counter has one more.</li>" in html


def test_a_deviation_that_appears_has_the_page_read_again(recorded):
    assert "since it is so" not in recorded.build(EXPLORE).html
    book = "[[deviations]]\ncase = { stride = 1 }\nrecorded = { sectors = 6 }\nbecause = 'it is so'\n"
    recorded.page(f"{PAGE}.explore", book)
    assert "since it is so" in recorded.build(fresh=False).html


def test_a_book_that_cannot_be_read_is_a_warning(recorded):
    recorded.page(f"{PAGE}.explore", "[[deviations]]\ncase = 3\n")
    _, warnings = recorded.build(EXPLORE)
    assert ".explore:2: deviations.1.case: is 3; expected a table" in warnings


def test_cases_that_are_not_recorded_are_a_warning(site):
    html, warnings = site.build(EXPLORE)
    assert "sectors_by_pattern" in warnings and "make record" in warnings
    assert "Its cases are not recorded yet." in html


def test_an_unknown_calculator_is_a_warning(recorded):
    _, warnings = recorded.build(".. explore:: roofs")
    assert "no calculator roofs; there are coalescing, bank_conflicts, occupancy" in warnings


def test_a_calculator_on_a_page_of_another_is_a_warning(recorded):
    _, warnings = recorded.build(".. explore:: occupancy")
    assert "the calculator occupancy belongs to programming/simt_kernels/occupancy" in warnings


def test_a_program_that_declares_no_data_is_a_warning(recorded):
    recorded.declare(f"lockstep_program({PROGRAM} PLAIN)")
    _, warnings = recorded.build(EXPLORE)
    assert f"no program {calculators.CALCULATORS['coalescing'].program} declares {PROGRAM}.csv under DATA" in warnings
