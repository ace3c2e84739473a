"""Whatever stands in a data file of the project, its reader ends in findings with file and line, never in a traceback."""

import json

import pytest

from lockstep import calculators, capabilities, data, guide_map
from lockstep.programs import declarations, toolkits
from lockstep.recordings import claims, rerun_record
from lockstep.rerun import results
from lockstep_sphinx.frame import history


def map_of(root):
    if problems := guide_map.load(root / "docs").problems:
        raise data.DataError(problems)


READERS = {
    "docs/page.claims": lambda root: claims.load(root / "docs/page.claims", root, object()),
    "docs/page.explore": lambda root: calculators.book(root, "page"),
    "docs/reference/compute_capabilities.toml": capabilities.load,
    "docs/reference/guide_map/sections.toml": map_of,
    "docs/reference/guide_map/2.2.toml": map_of,
    "docs/rerun.json": rerun_record.load,
    "toolkits.json": lambda root: toolkits.load.__wrapped__(root / "toolkits.json"),
    "results/plan.json": lambda root: results.load_plan(root / "results"),
}
MALFORMED = [
    b"\xef\xbb\xbf{}",
    b"\xff",
    b"{",
    b"[",
    b"[]",
    b"null",
    b"3",
    b'"text"',
    b"x = 1\n",
    b'{"x": 1}',
    b"[x]\n",
    b"\0",
]


@pytest.mark.parametrize("content", MALFORMED)
@pytest.mark.parametrize("name", READERS)
def test_malformed_file_is_findings_with_file_and_line(tmp_path, name, content):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    with pytest.raises(data.DataError) as raised:
        READERS[name](tmp_path)
    for finding in raised.value.findings:
        assert f"{path.name}:1: " in finding and "; " in finding, finding


@pytest.mark.parametrize("content", MALFORMED)
def test_days_that_cannot_be_read_are_not_told(tmp_path, content):
    (tmp_path / "build").mkdir()
    (tmp_path / "build/history.json").write_bytes(content)
    assert history.dates(tmp_path) == {}


def test_results_leave_out_what_was_cut_off_and_name_what_is_no_result(tmp_path):
    whole = {"test": "t", "kind": "recording", "program": "p", "outcome": "passed", "key": "k", "seconds": 1.5}
    log = tmp_path / "results.jsonl"
    log.write_text(f'\n{json.dumps(whole)}\n{{"test": "memch\n')
    assert results.load(tmp_path)["t"].seconds == 1.5
    for wrong, said in ((3, "is 3; expected a table"), (whole | {"outcom": 1}, "outcom: unknown key; did you mean")):
        log.write_text(f"\n{json.dumps(whole)}\n{json.dumps(wrong)}\n")
        with pytest.raises(data.DataError, match=f"results.jsonl:3:1: {said}"):
            results.load(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{", '{{"key": "{key}"}}', '{{"key": "{key}", "standard": 17, "programs": [3]}}']
)
def test_declarations_that_are_not_whole_are_made_again(tmp_path, text):
    (tmp_path / "build").mkdir()
    (tmp_path / declarations.WRITTEN).write_text(text.replace("{key}", declarations.key(tmp_path)))
    assert not declarations.up_to_date(tmp_path)
    with pytest.raises(declarations.DeclarationError, match="not made from these CMake lists; run: make html"):
        declarations.load(tmp_path)


def test_a_toolkit_that_was_not_examined_is_found(tmp_path):
    table = {"examined": ["12.8"], "since": {"13.0": ["cudaNew"]}, "changed": {}, "qualified": {}}
    path = tmp_path / "toolkits.json"
    path.write_text(json.dumps(table, indent=1))
    with pytest.raises(
        data.DataError, match=r"toolkits.json:5: since: names 13.0, which is no version under examined; "
    ):
        toolkits.load.__wrapped__(path)
