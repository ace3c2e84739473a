"""The committed record of the last re-run adds up, is of this toolkit, and was edited by nobody."""

import json
from dataclasses import replace

import pytest

from lockstep import data
from lockstep.files import ROOT
from lockstep.recordings import rerun_record

CURE = "restore it with git checkout docs/rerun.json, or on a GPU machine run make gpu-check"


def finding(root) -> str:
    """The one thing that is wrong with a record."""
    with pytest.raises(data.DataError) as raised:
        rerun_record.load(root)
    (said,) = raised.value.findings
    return said


def test_a_record_that_adds_up_reads_back_as_it_was_written(tmp_path, rerun_json):
    rerun_json(tmp_path)
    first = rerun_record.load(tmp_path)
    rerun_record.write(tmp_path, replace(first, digest="old"))
    assert rerun_record.load(tmp_path) == first and len(first.digest) == 16


def test_without_a_record_nothing_is_said(tmp_path):
    assert rerun_record.load(tmp_path) is None and rerun_record.remark(tmp_path, []) == ""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"failed": 0,',
            '"failed": 81,',
            ":8: tests.recording.tests: 1 passed, 81 failed, 1 skipped and 0 not run are not 2 t",
        ),
        (
            '"passed": 8,',
            '"passed": 7,',
            ":18: tests.sanitize.tests: 7 passed, 0 failed, 0 skipped and 0 not run are not 8 t",
        ),
        ('"numbers": 210', '"numbers": 211', ":73: pages: lists 210 numbers, and 211 are counted; "),
        ('"claims": 226', '"claims": 1', ":73: pages: lists 226 claims, and 1 are counted; "),
        ('"failed": [],', '"failed": ["memcheck.part.demo"],', ":38: failed: lists 1 tests, and 0 are counted; "),
        ('"recording",', "", ":79: programs: lists 9 tests, and 10 are counted; "),
        (
            '"date": "2026-11-23"',
            '"date": "2026-11-20"',
            ":2: date: is 2026-11-20, and the last test ran on 2026-11-23; ",
        ),
        (
            '"date": "2026-11-23"',
            '"date": "2099-01-01"',
            ':2: date: is "2099-01-01"; expected a day such as 2026-11-23 that',
        ),
        (
            '"toolkit": "13.0.88"',
            '"toolkit": "13.1.2"',
            ":5: toolkit: is of CUDA 13.1.2; the site's toolkit is 13.0; on a GPU",
        ),
        ("NVIDIA H200", "NVIDIA B200", ":105: was edited by hand since a re-run wrote it; "),
        ("3.11", "3.9", ":105: was edited by hand since a re-run wrote it; "),
        ('"driver": "580.1",', "", ':1: lacks "driver", a text that is not empty; '),
        ('"claims": 226', '"claims": null', ":37: claims: is null; expected a whole number; "),
        ('"claims"', '"claim"', ':1: lacks "claims"'),
    ],
)
def test_record_that_was_changed_is_one_finding_with_its_line(tmp_path, rerun_json, old, new, said):
    path = rerun_json(tmp_path)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(data.DataError) as raised:
        rerun_record.load(tmp_path)
    assert any(one.startswith(f"docs/rerun.json{said}") for one in raised.value.findings), raised.value.findings
    assert len(raised.value.findings) == (2 if new == '"claim"' else 1)


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '"text"', "\ufeff{}", '{"key": "806d6db490c07ac1"}'])
def test_record_of_which_a_part_is_left_says_what_to_do(tmp_path, rerun_json, text):
    path = rerun_json(tmp_path)
    path.write_text(text)
    with pytest.raises(data.DataError) as raised:
        rerun_record.load(tmp_path)
    assert all(said.startswith("docs/rerun.json:1: ") for said in raised.value.findings)
    assert all(CURE in said or "without one" in said for said in raised.value.findings)


def test_record_that_was_cut_off_is_one_finding(tmp_path, rerun_json):
    path = rerun_json(tmp_path)
    path.write_text(path.read_text()[:700])
    assert finding(tmp_path).endswith(CURE)


@pytest.mark.content
def test_the_committed_record_adds_up():
    assert json.loads((ROOT / rerun_record.NAME).read_text())["digest"] == rerun_record.load(ROOT).digest
