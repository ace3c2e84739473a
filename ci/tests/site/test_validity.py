"""The validator is really asked, and its answer kept short."""

import shutil

import pytest

from lockstep.site import validity

pytestmark = pytest.mark.skipif(not shutil.which("java"), reason="java is missing; ci/setup.sh check installs it")


def test_errors_are_found_with_page_and_line_and_a_valid_page_passes(site):
    [finding] = validity.findings(site(index="<p>text</p>", wrong='<p id="a">x</p><p id="a">y</p>'))
    assert finding.startswith("wrong.html:3.") and "Duplicate ID" in finding


def test_a_valid_page_is_looked_at_once(site, tmp_path, monkeypatch, capsys):
    folder = site(index="<p>text</p>")
    asked = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(validity, "findings", lambda _, names: asked.append(names) or [])
    assert [validity.main([str(folder)]) for _ in range(2)] == [0, 0]
    assert len(asked) == 1 and "1 pages are valid HTML, 1 of them known" in capsys.readouterr().out
    (folder / "index.html").write_text("<p>another</p>")
    validity.main([str(folder)])
    assert asked[1:] == [["index.html"]]


def test_an_invalid_page_is_looked_at_again(site, tmp_path, monkeypatch):
    folder = site(index="<p>text</p>")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(validity, "findings", lambda _, names: ["index.html:1.1: error"] if names else [])
    assert [validity.main([str(folder)]) for _ in range(2)] == [1, 1]
