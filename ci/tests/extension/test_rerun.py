"""The record of the last re-run is shown as it is, failures and gaps included."""

import pytest

from lockstep.programs import declarations
from lockstep.recordings import rerun_record
from lockstep.recordings.rerun_record import Counts, Kinds, Otherwise, Ran

NOT_SHOWN = "The last re-run"
DAY = "2026-11-23"
ONE, MANY, NONE = Counts(2, 1, 0, 1, 0, (DAY,)), Counts(8, 8, 0, 0, 0, (DAY,)), Counts(0, 0, 0, 0, 0, ())


@pytest.fixture
def show(build, site, rerun_json):
    """Builds a page that shows a record with these changes."""

    def shown(**changes):
        rerun_json(site.root, **changes)
        return build(".. rerun-record::")

    return shown


def test_record_that_was_removed_is_a_warning(build):
    html, warnings = build(".. rerun-record::")
    assert (
        "docs/rerun.json is missing; restore it with git checkout docs/rerun.json, or on a GPU machine run" in warnings
    )
    assert warnings.count("WARNING") == 1 and "<table" not in html


def test_record_is_shown_with_machine_counts_and_reasons(show):
    html, warnings = show()
    assert warnings == ""
    assert "on 2026-11-23, on NVIDIA H200 (compute capability 9.0, 1 GPU), with driver 580.1" in html
    assert "Transcripts, run again and compared" in html and "<p>8</p>" in html
    assert "it needs 2 GPUs, this machine has 1 (1 test)" in html
    assert "1 number or claim of a page, since a program that they need did not run" in html
    assert "210 numbers in sentences and 226 claims" in html


def test_largest_deviations_are_listed_with_their_pages(show):
    html, _ = show()
    assert "demo: read bandwidth" in html and "~3.91 TB/s" in html and "1.26" in html
    assert 'href="#"' in html or 'href="demo.html"' in html
    assert "still: rate" not in html


def test_failures_are_named(show):
    html, _ = show(failed=["memcheck.part.demo.demo"], tests=Kinds(ONE, Counts(8, 7, 1, 0, 0, (DAY,)), NONE))
    assert "These failed:" in html and "memcheck.part.demo.demo" in html


def test_program_that_was_recorded_since_is_not_rerun_yet_and_no_error(show):
    html, warnings = show()
    assert "<em>Not re-run yet</em>: 1 program recorded since then, demo." in html and warnings == ""


def test_record_of_these_transcripts_names_none(show, site):
    demo, pair = declarations.load(site.root)["part/demo/demo"], Ran("0", {DAY: ["recording"]})
    ran = Ran(rerun_record.state(demo), {DAY: ["recording", *["memcheck"] * 8]})
    html, warnings = show(programs={demo.path: ran, "part/demo/pair": pair})
    assert "Not re-run yet" not in html and NOT_SHOWN in html and warnings == ""


def test_record_that_cannot_be_read_is_one_warning(build, site):
    site.page("rerun.json", '{"tests": {')
    html, warnings = build(".. rerun-record::")
    assert "docs/rerun.json:1: cannot be read: " in warnings and "git checkout docs/rerun.json" in warnings
    assert warnings.count("WARNING") == 1 and NOT_SHOWN not in html


def test_new_record_has_the_page_read_again(show, build, site, rerun_json):
    show()
    rerun_json(site.root, driver="590.2")
    assert "with driver 590.2" in build(fresh=False).html


def test_what_did_not_run_is_counted(show):
    assert "<p>Not run</p>" not in show().html
    html, warnings = show(tests=Kinds(ONE, Counts(11, 8, 0, 0, 3, (DAY,)), NONE))
    assert warnings == "" and "<p>Not run</p>" in html and "<p>3</p>" in html


def test_what_another_model_of_gpu_said_is_listed_by_page(show):
    html, warnings = show(otherwise=[Otherwise("part/demo", 'does not hold: "it is fast"')])
    assert warnings == "" and "another model of GPU than the recordings" in html
    assert "it is fast" in html
    assert "another model" not in show().html


def test_several_days_are_told_by_kind(show):
    before = "2026-11-22"
    programs = {"part/demo/demo": Ran("0", {before: ["recording"] * 3, DAY: ["memcheck"] * 7})}
    tests = Kinds(Counts(2, 1, 0, 1, 0, (before,)), Counts(8, 8, 0, 0, 0, (before, DAY)), NONE)
    html, warnings = show(tests=tests, programs=programs)
    assert warnings == "" and "The last re-run was on 2026-11-22 and 2026-11-23, on NVIDIA H200" in html
    assert "<p>Ran on</p>" in html and "<p>2026-11-22, 2026-11-23</p>" in html
    assert "Ran on" not in show().html


def test_one_part_is_shown_alone(show, build):
    show()
    html, warnings = build(".. rerun-record:: differences")
    assert warnings == "" and "demo: read bandwidth" in html and NOT_SHOWN not in html
    assert "has no part parts; it has summary, newer, differences" in build(".. rerun-record:: parts").warnings
