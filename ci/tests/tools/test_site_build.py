"""The strict build of the site begins in an empty folder; no step is left out, and none follows one that failed."""

import os
import subprocess
from pathlib import Path

import pytest
import sphinx.cmd.build

from lockstep import files
from lockstep.programs import cmake_lists
from lockstep.site import build, doxygen, history, search_index, targets


@pytest.fixture
def site(tmp_path, monkeypatch):
    """Builds in a project whose Sphinx does nothing; returns the status, the steps, and what is left of an earlier build."""
    out = tmp_path / "out"
    for name in ("out/part/gone.html", "out.doctrees/part/gone.doctree"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("of an earlier build")
    done = []
    monkeypatch.setattr(history, "note", lambda root: done.append("history"))
    monkeypatch.setattr(cmake_lists, "update", lambda root: done.append("declarations"))
    monkeypatch.setattr(doxygen, "read", lambda root: run.doxygen_ends)
    monkeypatch.setattr(search_index, "write", lambda folder: done.append("search"))

    def run(strict: bool = False, sphinx_ends: int = 0) -> tuple[int, list[str], list[str]]:
        monkeypatch.setattr(sphinx.cmd.build, "main", lambda words: done.append("pages") or sphinx_ends)
        status = build.build(tmp_path, out, strict=strict)
        return status, done, sorted(path.name for path in tmp_path.glob("out*/part/gone.*"))

    run.doxygen_ends = 0
    return run


STEPS = ["history", "declarations", "pages", "search"]


def test_strict_build_begins_empty(site):
    assert site(strict=True) == (0, STEPS, [])


def test_build_for_a_reader_keeps_what_is_there(site):
    assert site() == (0, STEPS, ["gone.doctree", "gone.html"])


def test_pages_that_fail_get_no_search(site):
    assert site(sphinx_ends=2)[:2] == (2, STEPS[:3])


def test_headers_that_doxygen_cannot_read_stop_the_build(site):
    site.doxygen_ends = 3
    assert site()[:2] == (1, STEPS[:2])


# -- the headers -------------------------------------------------------------------------------------------------------


def test_headers_are_read_again_when_their_content_changes_not_their_date(tmp_path, monkeypatch):
    header, log, bin_ = tmp_path / "programs/include/a.hpp", tmp_path / "log", tmp_path / "bin"
    header.parent.mkdir(parents=True)
    header.write_text("one", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    settings = "INPUT = programs/include\nOUTPUT_DIRECTORY = build/doxygen\n"
    (tmp_path / "docs/Doxyfile").write_text(settings, encoding="utf-8")
    bin_.mkdir()
    (bin_ / "doxygen").write_text(f"#!/bin/sh\n[ $1 = --version ] || echo $1 >>{log}\n[ ! -e fails ]\n")
    (bin_ / "doxygen").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_}:{os.environ['PATH']}")

    def runs() -> tuple[int, int]:
        status = doxygen.read(tmp_path)
        found = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        assert set(found) <= {"docs/Doxyfile"}
        return status, len(found)

    assert [runs(), runs()] == [(0, 1), (0, 0)]
    os.utime(header, (2**31, 2**31))
    assert runs() == (0, 0)
    header.write_text("two", encoding="utf-8")
    os.utime(header, (0, 0))
    assert [runs(), runs()] == [(0, 1), (0, 0)]
    header.unlink()
    (tmp_path / "fails").touch()
    assert [runs(), runs()] == [(1, 1), (1, 1)]  # a failure is said again


# -- make html, make takeaway, make pages --------------------------------------------------------------------------------


class Steps:
    """The commands that a target runs, each noted and not run; `fails` names those that end with status 1."""

    def __init__(self, monkeypatch):
        self.ran: list[str] = []
        self.fails: set[str] = set()
        monkeypatch.setattr(targets, "lockstep", lambda *words, **known: self.note(" ".join(words), known))
        monkeypatch.setattr(
            targets.subprocess, "run", lambda words, **_: self.done(Path(words[0]).name + f" {words[1]}")
        )
        for module in (targets.offline, targets.epub, targets.pdf):
            name = module.__name__.rpartition(".")[2]
            monkeypatch.setattr(module, "main", lambda argv, name=name: self.note(f"{name} {argv[0]}", {}))

    def note(self, command: str, variables: dict[str, str]) -> int:
        settings = [f"{name.removeprefix('LOCKSTEP_').lower()}={value}" for name, value in variables.items()]
        self.ran.append(" ".join([command, *settings]))
        return int(self.ran[-1] in self.fails)

    def done(self, command: str) -> "Steps":
        self.returncode = self.note(command, {})
        return self


PAGES = "site pages modules=yes takeaway=yes"


@pytest.fixture
def steps(monkeypatch) -> Steps:
    monkeypatch.delenv("LOCKSTEP_TAKEAWAY", raising=False)
    return Steps(monkeypatch)


def test_pages_come_first_then_modules_then_the_pages_that_show_them(steps, capsys):
    assert targets.html([]) == 0
    assert steps.ran == [PAGES, "setup.sh modules", "emulate web", "site pages takeaway=yes"]
    said = capsys.readouterr().out
    assert said.index("can be read now") < said.index("The site is ready.  Open  file:///")


def test_site_without_modules_never_asks_for_their_tools(steps, capsys):
    assert targets.html(["--modules", "no"]) == 0 and steps.ran == ["site pages modules=no takeaway=yes"]
    assert "without the programs that run in the browser" in capsys.readouterr().out


def test_site_stands_where_the_modules_tools_cannot_be_installed(steps, capsys):
    steps.fails.add("setup.sh modules")
    assert targets.html([]) == 0 and steps.ran == [PAGES, "setup.sh modules"]
    assert "but for the programs" in capsys.readouterr().out


def test_module_that_does_not_compile_leaves_a_site_and_a_failure(steps):
    steps.fails.add("emulate web")
    assert targets.html([]) == 1 and steps.ran[-1] == "site pages takeaway=yes"


def test_pages_that_fail_are_not_called_ready(steps, capsys):
    steps.fails.add(PAGES)
    assert targets.html([]) == 1 and len(steps.ran) == 1 and "ready" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "typed", "said"),
    [
        (targets.html, ["--modules", "none"], "invalid choice: 'none'"),
        (targets.publish, ["example.org"], "an address begins with https:// and ends in a slash, unlike 'example.org'"),
        (targets.publish, [""], "an address begins with https://"),
    ],
)
def test_misspelt_setting_is_a_bad_argument(steps, capsys, command, typed, said):
    with pytest.raises(SystemExit) as ended:
        command(typed)
    assert ended.value.code == 2 and said in capsys.readouterr().err and steps.ran == []


def test_site_of_which_files_are_made_offers_none(steps, monkeypatch):
    monkeypatch.setenv("LOCKSTEP_TAKEAWAY", "no")
    assert targets.html([]) == 0 and [command for command in steps.ran if "site pages" in command] == [
        "site pages modules=yes takeaway=no",
        "site pages takeaway=no",
    ]


@pytest.mark.parametrize("target", ["offline", "epub", "pdf", "takeaway"])
def test_make_builds_that_site_first(target):
    told = subprocess.run(["make", "-pn", target], cwd=files.ROOT, capture_output=True, text=True, check=True).stdout
    assert f"{target}: LOCKSTEP_TAKEAWAY := no" in told.splitlines()


def test_what_is_taken_away_is_made_before_the_site_offers_it(steps):
    assert targets.take(["--modules", "no"]) == 0
    made = [f"{name} build/html" for name in ("offline", "epub", "pdf")]
    assert steps.ran == [*made, "site pages build/html modules=no takeaway=yes"]


def test_published_site_has_its_address_and_stops_at_what_fails(steps, tmp_path, monkeypatch):
    monkeypatch.setattr(targets, "ROOT", tmp_path)
    (tmp_path / "build/pages").mkdir(parents=True)
    monkeypatch.setenv("LOCKSTEP_URL", "")
    assert targets.publish(["https://example.org/lockstep/"]) == 0
    assert steps.ran == [
        "emulate web",
        "site pages --strict build/pages",
        "site frames build/pages",
        "takeaway make build/pages",
    ]
    assert (
        os.environ["LOCKSTEP_URL"] == "https://example.org/lockstep/" and (tmp_path / "build/pages/.nojekyll").exists()
    )
    steps.ran.clear()
    steps.fails.add("site pages --strict build/pages")
    assert targets.publish(["https://example.org/"]) == 1 and len(steps.ran) == 2
