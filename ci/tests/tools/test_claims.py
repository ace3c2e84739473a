"""Numbers and claims of a page come from recordings and from nothing else."""

import pytest

from lockstep.recordings import claims


@pytest.fixture
def page(project):
    """Writes a claims file and loads it against a recorded program."""
    project.list.write_text("lockstep_program(demo DATA demo.csv)\n")
    project.prints(
        "printf 'stride,~ns\\n1,10\\n2,31\\n' > demo.csv", "echo 'read bandwidth   ~3.91 TB/s'", "echo 'n   5'"
    )
    assert project.lockstep("record run")[0] == 0
    path = project.root / "docs/part/page.claims"
    path.with_suffix(".rst").write_text("Page\n====\n")

    def load(text):
        path.write_text(text)
        return claims.load(path, project.root)

    load.project = project
    return load


def test_a_number_behind_a_label(page):
    assert page('[measured]\nrate = \'value("demo", "read bandwidth")\'\n').measured("rate") == "3.91"


def test_a_measured_number_right_behind_a_long_label(page):
    project = page.project
    transcript = next(project.root.rglob("demo.console"))
    transcript.write_text(transcript.read_text() + "stalled_dispatch_per_issue.ratio~0.65\n")
    text = '[measured]\nstalls = \'value("demo", "stalled_dispatch_per_issue.ratio")\'\n'
    assert page(text).measured("stalls") == "0.650"


def test_a_number_from_a_series_with_its_format(page):
    text = "[measured.worst]\nis = 'max(column(\"demo.csv\", \"~ns\"))'\nformat = '{:.0f} ns'\n"
    assert page(text).measured("worst") == "31 ns"


def test_a_claim_that_holds(page):
    text = '[claims]\n\'stride 2 costs three times\'= \'cell("demo.csv", "~ns", stride=2) > 3 * cell("demo.csv", "~ns", stride=1)\'\n'
    assert page(text).check() == []


def test_a_claim_that_does_not_hold_is_named(page):
    (problem,) = page("[claims]\n'it is fast' = 'value(\"demo\", \"read bandwidth\") > 4'\n").check()
    assert "docs/part/page.claims: does not hold" in problem
    assert "it is fast" in problem


def test_recorder_fails_on_a_broken_claim(page):
    page("[claims]\n'it is fast' = 'value(\"demo\", \"read bandwidth\") > 4'\n")
    status, printed = page.project.lockstep("source claims")
    assert status == 1
    assert "does not hold" in printed


def test_claims_hold_on_a_second_run_too(page):
    page("[claims]\n'it is fast' = 'value(\"demo\", \"read bandwidth\") > 3'\n")
    again = page.project.root / "again"
    page.project.prints(
        "printf 'stride,~ns\\n1,10\\n2,31\\n' > demo.csv", "echo 'read bandwidth   ~2.5 TB/s'", "echo 'n   5'"
    )
    assert page.project.lockstep("gpu-check program", "--keep", str(again))[0] == 0
    assert page.project.lockstep("source claims")[0] == 0
    assert page.project.lockstep("source claims", "--rerun", str(again))[0] == 1


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("value('demo', 'gone')", 'printed no line that begins with "gone"'),
        ("value('gone', 'n')", "no program is called gone"),
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
def test_each_mistake_has_its_message(page, expression, message):
    (problem,) = page(f'[claims]\n"it holds" = """{expression}"""\n').check()
    assert message in problem


def test_unknown_table_is_refused(page):
    with pytest.raises(claims.ClaimError, match="unknown table claim"):
        page("[claim]\n")


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


def test_a_factor_needs_a_reason(page):
    with pytest.raises(claims.ClaimError, match='x: a factor needs a reason; add because = "..."'):
        page("[measured.x]\nis = '1'\nfactor = 10\n")
    with pytest.raises(claims.ClaimError, match="factor is a number of at least 1"):
        page("[measured.x]\nis = '1'\nfactor = 0.5\nbecause = 'why not'\n")
    assert page("[measured.x]\nis = '1'\nfactor = 'any'\nbecause = 'a clock'\n").factors == {"x": float("inf")}
