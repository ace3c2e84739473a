"""The record of the last re-run is shown as it is, failures and gaps included."""

import json

import pytest

RECORD = {
    "date": "2026-11-23",
    "gpu": "NVIDIA H200 (compute capability 9.0, 1 GPU)",
    "driver": "580.1",
    "toolkit": "13.0.88",
    "key": "0",
    "tests": {
        "recording": {"tests": 3, "passed": 2, "failed": 0, "skipped": 1},
        "sanitize": {"tests": 12, "passed": 12, "failed": 0, "skipped": 0},
        "exercise": {"tests": 0, "passed": 0, "failed": 0, "skipped": 0},
    },
    "numbers": 210,
    "claims": 226,
    "failed": [],
    "skipped": [{"test": "part.demo.pair", "reason": "it needs 2 GPUs, this machine has 1"}],
    "not evaluated": [{"what": "part/demo.claims", "reason": "it needs 2 GPUs, this machine has 1"}],
    "deviations": [
        {
            "page": "part/demo", "program": "part/demo/demo", "label": "read bandwidth", "recorded": 3.91,
            "found": 3.11, "unit": "TB/s", "factor": 1.257,
        },
        {
            "page": "part/quiet", "program": "part/quiet/still", "label": "rate", "recorded": 1.0, "found": 1.0,
            "unit": "", "factor": 1.0,
        },
    ],
    "seconds": {},
}  # fmt: skip


@pytest.fixture
def show(build, site):
    """Builds a page that shows a record."""

    def shown(record):
        if record is not None:
            site.page("rerun.json", record if isinstance(record, str) else json.dumps(record))
        return build(".. rerun-record::")

    return shown


def test_absent_record_is_one_honest_sentence(show):
    html, warnings = show(None)
    assert "<p>No re-run has been recorded yet.</p>" in html and warnings == ""
    assert "<table" not in html


def test_record_is_shown_with_machine_counts_and_reasons(show):
    html, warnings = show(RECORD)
    assert warnings == ""
    assert "on 2026-11-23, on NVIDIA H200 (compute capability 9.0, 1 GPU), with driver 580.1" in html
    assert "Transcripts, run again and compared" in html and "<p>12</p>" in html
    assert "it needs 2 GPUs, this machine has 1 (1 test)" in html
    assert "1 number or claim of a page, since a program that they need did not run" in html
    assert "210 numbers in sentences and 226 claims" in html


def test_largest_deviations_are_listed_with_their_pages(show):
    html, _ = show(RECORD)
    assert "demo: read bandwidth" in html and "~3.91 TB/s" in html and "1.26" in html
    assert 'href="#"' in html or 'href="demo.html"' in html
    assert "still: rate" not in html


def test_failures_are_named(show):
    html, _ = show(RECORD | {"failed": ["memcheck.part.demo.demo"]})
    assert "These failed:" in html and "memcheck.part.demo.demo" in html


def test_record_that_is_older_than_the_transcripts_says_so(show):
    assert "Some transcripts have been recorded since" in show(RECORD).html


def test_record_of_these_transcripts_does_not(show, site):
    from lockstep.programs import declarations
    from lockstep.recordings import rerun_record

    key = rerun_record.whole_key(declarations.load(site.root).values())
    assert "Some transcripts have been recorded since" not in show(RECORD | {"key": key}).html


def test_record_that_cannot_be_read_is_a_warning(show):
    html, warnings = show("{")
    assert "docs/rerun.json: cannot be read" in warnings
    assert "No re-run has been recorded yet." in html


def test_record_that_lacks_something_is_a_warning(show):
    _, warnings = show({name: value for name, value in RECORD.items() if name != "tests"})
    assert "docs/rerun.json: lacks 'tests'" in warnings


def test_new_record_has_the_page_read_again(show, build, site):
    show(None)
    site.page("rerun.json", json.dumps(RECORD))
    assert "2026-11-23" in build(fresh=False).html


def test_what_did_not_run_is_counted(show):
    assert "<p>Not run</p>" not in show(RECORD).html
    left = {"tests": 12, "passed": 9, "failed": 0, "skipped": 0, "not run": 3}
    every = {kind: counts | {"not run": 0} for kind, counts in RECORD["tests"].items()}
    html, warnings = show(RECORD | {"tests": every | {"sanitize": left}})
    assert warnings == "" and "<p>Not run</p>" in html and "<p>3</p>" in html


def test_what_another_model_of_gpu_said_is_listed_by_page(show):
    otherwise = [{"page": "part/demo", "what": 'does not hold: "it is fast"'}]
    html, warnings = show(RECORD | {"otherwise": otherwise})
    assert warnings == "" and "another model of GPU than the recordings" in html
    assert "it is fast" in html
    assert "another model" not in show(RECORD).html


def test_several_days_are_told_by_kind(show):
    days = {"recording": ["2026-11-22"], "sanitize": ["2026-11-22", "2026-11-23"], "exercise": []}
    tests = {kind: counts | {"dates": days[kind]} for kind, counts in RECORD["tests"].items()}
    html, warnings = show(RECORD | {"tests": tests})
    assert warnings == "" and "The last re-run was on 2026-11-22 and 2026-11-23, on NVIDIA H200" in html
    assert "<p>Ran on</p>" in html and "<p>2026-11-22, 2026-11-23</p>" in html
    assert "Ran on" not in show(RECORD).html
