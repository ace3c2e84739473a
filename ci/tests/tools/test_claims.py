"""Numbers and claims of a page come from recordings and from nothing else."""

import pytest

from lockstep import data
from lockstep.programs.declarations import Program, find
from lockstep.recordings import claims
from lockstep.recordings.session import Command
from lockstep.recordings.transcripts import Transcript


class Printed(claims.Recordings):
    """What a program `demo` printed and wrote."""

    def __init__(self, root):
        self.root = root
        self.programs = {"part/demo": Program("demo", "part", root, 1, data=("demo.csv",))}

    def transcript(self, program):
        find(self.programs, program)
        lines = [
            "rate ~3.91 TB/s",
            "fast ~10.0 us",
            "slow ~25.0 us",
            "errors 0",
            "lost ~4321",
            "stalled_dispatch_per_issue.ratio~0.65",
        ]
        return Transcript([Command("./demo", lines)])

    def rows(self, file):
        assert file == "demo.csv"
        return [{"stride": "1", "~ns": "10"}, {"stride": "2", "~ns": "11"}]


@pytest.fixture
def loaded(tmp_path):
    """A claims file, whose page shows the number `x`."""
    (tmp_path / "page.rst").write_text("It is :measured:`x`.\n")

    def load(text):
        (tmp_path / "page.claims").write_text(text)
        return claims.load(tmp_path / "page.claims", tmp_path, Printed(tmp_path))

    return load


@pytest.fixture
def checked(loaded):
    """What is wrong with a claims file."""
    return lambda text: loaded(text).check()


@pytest.fixture
def page(recorded):
    """Writes the claims file of a recorded project."""
    path = recorded.root / "docs/part/page.claims"
    path.with_suffix(".rst").write_text("Page\n====\n")

    def write(text):
        path.write_text(text)

    write.project = recorded
    return write


@pytest.mark.parametrize(
    ("label", "shown"),
    [("rate", "3.91"), ("stalled_dispatch_per_issue.ratio", "0.650"), ("fast", "10.0"), ("lost", "4321")],
)
def test_a_number_behind_a_label_has_three_digits(loaded, label, shown):
    assert loaded(f'[measured]\nx = \'value("demo", "{label}")\'\n').measured("x") == shown


def test_a_number_from_a_series_with_its_format(loaded):
    text = "[measured.worst]\nis = 'max(column(\"demo.csv\", \"~ns\"))'\nformat = '{:.0f} ns'\n"
    assert loaded(text).measured("worst") == "11 ns"


def test_a_claim_that_does_not_hold_is_named(checked):
    (problem,) = checked("[claims]\n'it is fast' = 'value(\"demo\", \"rate\") > 4'\n")
    assert problem.startswith(
        'page.claims:2: does not hold: "it is fast": value("demo", "rate") > 4; change the page or'
    )


def test_recorder_fails_on_a_broken_claim(page):
    page("[claims]\n'it is fast' = 'value(\"demo\", \"read bandwidth\") > 4'\n")
    status, printed = page.project.lockstep("source claims")
    assert status == 1
    assert "does not hold" in printed


def test_claims_hold_on_a_second_run_too(page):
    page("[claims]\n'it is fast' = 'value(\"demo\", \"read bandwidth\") > 3'\n")
    again = page.project.root / "again"
    page.project.prints("echo 'elements       5'", "echo 'read bandwidth ~2.5 TB/s'")
    assert page.project.lockstep("gpu-check program", "--keep", str(again))[0] == 0
    assert page.project.lockstep("source claims")[0] == 0
    assert page.project.lockstep("source claims", "--rerun", str(again))[0] == 1


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("value('demo', 'gone')", 'printed no line that begins with "gone"'),
        ("value('gone', 'rate')", "no program is called gone"),
        ("column('demo.csv', 'gone')", "has no column gone"),
        ("cell('demo.csv', '~ns')", "picks 2 rows"),
        ("cell('demo.csv', '~ns', no_such=1)", "has no column no such"),
        ("rows('gone.csv')", "not allowed"),
        ("__import__('os')", "not allowed"),
        ("(1).real", "not allowed"),
        ("1 / 0", "division by zero"),
        ("1 +", "cannot read"),
    ],
)
def test_each_mistake_has_its_message(checked, expression, message):
    (problem,) = checked(f'[claims]\n"it holds" = """{expression}"""\n')
    assert problem.startswith('page.claims:2: "it holds": ') and message in problem


def test_claims_without_a_page_are_found(page):
    page("")
    (page.project.root / "docs/part/page.rst").unlink()
    assert "there is no page beside it" in page.project.lockstep("source claims")[1]


def test_a_second_run_never_falls_back_to_the_recording(page):
    page("[claims]\n'it is fast' = 'value(\"demo\", \"read bandwidth\") > 3'\n")
    empty = page.project.root / "empty"
    empty.mkdir()
    status, printed = page.project.lockstep("source claims", "--rerun", str(empty))
    assert status == 1
    assert '"it is fast": part/page/demo was not run' in printed


# ---- what a file may hold


FORMAT = "expected one placeholder such as {:.1f} and no digit outside of it"


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("[claim]\n", '1: claim: unknown key; did you mean "claims"?; there are measured, claims; correct it'),
        ("[measured.x]\nis = '1'\nformt = '{:.0f}'\n", '3: measured.x.formt: unknown key; did you mean "format"?'),
        ("[measured.x]\nis = '1'\nfactr = 3\n", '3: measured.x.factr: unknown key; did you mean "factor"?'),
        ("[measured.x]\nis = '1'\nbecaus = 'so'\n", '3: measured.x.becaus: unknown key; did you mean "because"?'),
        ("[measured.x]\nformat = '{:.0f}'\n", '1: measured.x: lacks "is", a text that is not empty'),
        ("[measured]\nx = 43.7\n", "2: measured.x: is 43.7; expected a text that is not empty or a table with is, "),
        ("[measured]\nx = ['a']\n", "2: measured.x: is a list; expected a text that is not empty or a table with is, "),
        ("[claims]\n'it is so' = true\n", "2: claims.it is so: is true; expected a text"),
        ("measured = 3\n", "1: measured: is 3; expected a table"),
        ("[measured.x]\nis = '1'\nformat = '43.7'\n", f'3: measured.x.format: is "43.7"; {FORMAT}'),
        ("[measured.x]\nis = '1'\nformat = '{:,.0q}'\n", f'3: measured.x.format: is "{{:,.0q}}"; {FORMAT}'),
        ("[measured.x]\nis = '1'\nformat = '{1} {x}'\n", f'3: measured.x.format: is "{{1}} {{x}}"; {FORMAT}'),
        (
            "[measured.x]\nis = '1'\nformat = '{:.1f} {:.1f}'\n",
            f'3: measured.x.format: is "{{:.1f}} {{:.1f}}"; {FORMAT}',
        ),
        ("[measured.x]\nis = '1'\nformat = '{:9>4.1f}'\n", f'3: measured.x.format: is "{{:9>4.1f}}"; {FORMAT}'),
        ("[measured.x]\nis = '1'\nformat = '{:.1f} of 8'\n", f'3: measured.x.format: is "{{:.1f}} of 8"; {FORMAT}'),
        ("[measured.x]\nis = '1'\nformat = '{'\n", f'3: measured.x.format: is "{{"; {FORMAT}'),
        ("[measured.x]\nis = '1'\nfactor = 10\n", "3: measured.x.factor: a factor needs a reason"),
        (
            "[measured.x]\nis = '1'\nbecause = 'so'\n",
            "3: measured.x.because: a factor needs a reason, and the reason a",
        ),
        (
            "[measured.x]\nis = '1'\nfactor = 0.5\nbecause = 'so'\n",
            "3: measured.x.factor: is 0.5; expected a number of",
        ),
        ("\ufeff[measured]\n", "1: begins with a byte order mark; save it as UTF-8 without one"),
    ],
)
def test_what_a_file_may_not_hold_is_one_finding(tmp_path, text, finding):
    (tmp_path / "page.claims").write_text(text)
    with pytest.raises(data.DataError) as raised:
        claims.load(tmp_path / "page.claims", tmp_path, object())
    (said,) = raised.value.findings
    assert said.startswith(f"page.claims:{finding}")


# ---- claims and numbers that say nothing


@pytest.mark.parametrize(
    ("expression", "part"),
    [
        ("value('demo', 'rate') > 0", "value('demo', 'rate') > 0"),
        ("value('demo', 'rate') * 0 == 0", "value('demo', 'rate') * 0 == 0"),
        ("len(column('demo.csv', '~ns')) >= 0", "len(column('demo.csv', '~ns')) >= 0"),
        ("1 < 2 < 3 + 0 * value('demo', 'rate')", "1 < 2"),
        ("2 < 3 + 0 * value('demo', 'rate')", "2 < 3 + 0 * value('demo', 'rate')"),
        ("value('demo', 'rate') == value('demo', 'rate')", "value('demo', 'rate') == value('demo', 'rate')"),
        (
            "value('demo', 'rate') <= value('part/demo', 'rate', './demo')",
            "value('demo', 'rate') <= value('part/demo', ",
        ),
        ("value('demo', 'rate') > 3 and 1 < 2", "1 < 2"),
        ("value('demo', 'rate') > 3 or not value('demo', 'rate') > 100", "value('demo', 'rate') > 100"),
        ("value('demo', 'rate')", "value('demo', 'rate')"),
        ("value('demo', 'errors') >= -5", "value('demo', 'errors') >= -5"),
        ("max(column('demo.csv', '~ns')) >= min(column('demo.csv', '~ns'))", "max("),
    ],
)
def test_claim_that_holds_whatever_was_recorded_is_refused(checked, expression, part):
    (problem,) = checked(f'[claims]\n"it is so" = "{expression}"\n')
    assert problem.startswith(f'page.claims:2: "it is so": {part}')
    assert (
        "does not depend on what it reads; compare what value, column or cell gives with a limit that it may" in problem
    )


@pytest.mark.parametrize(
    "expression",
    [
        "value('demo', 'rate') > 3",
        "value('demo', 'errors') == 0",
        "value('demo', 'lost') > value('demo', 'errors')",
        "value('demo', 'fast') < value('demo', 'slow')",
        "9 < value('demo', 'fast') < 12 and not value('demo', 'slow') < 20",
        "max(column('demo.csv', '~ns')) < 1.2 * min(column('demo.csv', '~ns'))",
        "cell('demo.csv', '~ns', stride=2) > cell('demo.csv', '~ns', stride=1)",
    ],
)
def test_claim_that_other_recordings_would_break_stands(checked, expression):
    assert checked(f'[claims]\n"it is so" = "{expression}"\n') == []


@pytest.mark.parametrize(
    "expression", ["43.7", "43.7 + 0 * value('demo', 'rate')", "value('demo', 'rate') / value('demo', 'rate')",
                   "43.7 + 0.00001 * value('demo', 'rate')", "len(column('demo.csv', '~ns'))"],
)  # fmt: skip
def test_number_that_stays_the_same_is_refused(checked, expression):
    (problem,) = checked(f'[measured]\nx = "{expression}"\n')
    assert problem == (
        "page.claims:2: x: does not depend on what it reads; compute it from value, column or cell, or write :spec:"
    )


def test_number_that_no_page_shows_is_a_finding(checked):
    text = "[measured.{}]\nis = \"value('demo', 'rate')\"\nformat = '{{:.0f}} %'\n"
    assert checked(text.format("x")) == []
    assert checked(text.format("y")) == [
        "page.claims:1: y: the page does not show it; write :measured:`y` there, or remove it"
    ]


@pytest.mark.parametrize(
    "expression",
    ["[1, 2]", "'a'", "1 < 2", "(-1) ** 0.5", "10 ** 400", "1e308 * 10 * 0", "value(1, 2)", "1 in [1]", "\\u0000"],
)
def test_number_that_is_none_is_one_finding(checked, expression):
    (problem,) = checked(f'[measured]\nx = "{expression}"\n')
    assert problem.startswith("page.claims:2: x: ")


@pytest.mark.parametrize("expression", ["1 +", "\0", "(" * 300 + ")" * 300])
def test_expression_that_cannot_be_read_reads_nothing(expression):
    assert claims.reads(expression) == set()
