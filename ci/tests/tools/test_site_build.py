"""The strict build of the site begins in an empty folder; no step is left out, and none follows one that failed."""

import pytest
import sphinx.cmd.build

from lockstep.programs import cmake_lists
from lockstep.site import build, history, search_index


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Builds in a project whose Sphinx does nothing; returns the status, the steps, and what is left of an earlier build."""
    (tmp_path / "ci").mkdir()
    doxygen = tmp_path / "ci/doxygen.sh"
    doxygen.write_text("#!/bin/sh\nexit 0\n")
    doxygen.chmod(0o755)
    out = tmp_path / "out"
    for name in ("out/part/gone.html", "out.doctrees/part/gone.doctree"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("of an earlier build")
    done = []
    monkeypatch.setattr(history, "note", lambda root: done.append("history"))
    monkeypatch.setattr(cmake_lists, "update", lambda root: done.append("declarations"))
    monkeypatch.setattr(search_index, "write", lambda folder: done.append("search"))

    def run(strict: bool = False, sphinx_ends: int = 0) -> tuple[int, list[str], list[str]]:
        monkeypatch.setattr(sphinx.cmd.build, "main", lambda words: done.append("pages") or sphinx_ends)
        status = build.build(tmp_path, out, strict=strict)
        return status, done, sorted(path.name for path in tmp_path.glob("out*/part/gone.*"))

    run.doxygen = doxygen
    return run


STEPS = ["history", "declarations", "pages", "search"]


def test_strict_build_begins_empty(site):
    assert site(strict=True) == (0, STEPS, [])


def test_build_for_a_reader_keeps_what_is_there(site):
    assert site() == (0, STEPS, ["gone.doctree", "gone.html"])


def test_pages_that_fail_get_no_search(site):
    assert site(sphinx_ends=2)[:2] == (2, STEPS[:3])


def test_headers_that_doxygen_cannot_read_stop_the_build(site):
    site.doxygen.write_text("#!/bin/sh\nexit 3\n")
    assert site()[:2] == (1, STEPS[:2])
