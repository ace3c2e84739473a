"""Dates come from git's whole history, and from nowhere else."""

import os
import shutil
import subprocess

import pytest

from lockstep.site import history
from lockstep_sphinx.frame import history as noted

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is missing")


@pytest.fixture
def repository(tmp_path):
    """A folder with git, and a function that commits a file on a day."""
    root = tmp_path / "repository"
    root.mkdir()

    def git(*arguments: str, day: str = "2026-01-01") -> None:
        names = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        days = {f"GIT_{who}_DATE": f"{day}T12:00:00Z" for who in ("AUTHOR", "COMMITTER")}
        subprocess.run(
            ["git", "-C", str(root), *arguments], check=True, capture_output=True, env=os.environ | names | days
        )

    def commit(path: str, text: str, day: str) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        git("add", path)
        git("commit", "-m", "x", day=day)

    git("init", "-q")
    return root, commit, git


def test_files_have_the_days_of_their_first_and_last_commit(repository):
    root, commit, _ = repository
    commit("docs/größe.rst", "1", "2026-01-02")
    commit("docs/größe.rst", "2", "2026-03-04")
    commit("other/x", "1", "2026-05-06")
    assert history.dates(root, "docs") == {"docs/größe.rst": ("2026-01-02", "2026-03-04")}


def test_the_state_of_the_history_has_a_name_that_changes(repository):
    root, commit, _ = repository
    commit("docs/a", "1", "2026-01-02")
    before = history.head(root)
    commit("docs/a", "2", "2026-01-03")
    assert before and history.head(root) not in ("", before)


def test_a_part_of_the_history_tells_nothing(repository, tmp_path):
    root, commit, _ = repository
    commit("docs/a", "1", "2026-01-02")
    commit("docs/a", "2", "2026-01-03")
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth", "1", root.as_uri(), str(shallow)], check=True, capture_output=True)
    assert history.head(shallow) == ""


def test_a_folder_without_git_has_no_history(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert (history.head(tmp_path), history.dates(tmp_path, "docs")) == ("", {})


def test_a_machine_without_git_has_no_history(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert history.head(tmp_path) == ""


def test_what_is_noted_is_read_again(repository):
    root, commit, _ = repository
    commit("docs/a", "1", "2026-01-02")
    history.note(root)
    assert noted.dates(root) == {"docs/a": noted.Dates("2026-01-02", "2026-01-02")}
    commit("docs/a", "2", "2026-01-03")
    history.note(root)
    assert noted.dates(root)["docs/a"].changed == "2026-01-03"


def test_without_a_note_no_date_is_known(tmp_path):
    assert noted.dates(tmp_path) == {}


def test_only_recordings_that_differ_from_a_commit_are_kept(repository):
    root, commit, _ = repository
    for name in ("a.console", "b.console", "c.csv", "d.cu"):
        commit(f"programs/{name}", "recorded", "2026-01-02")
    for name in ("a.console", "c.csv", "d.cu"):
        (root / "programs" / name).write_text("found")
    history.keep_recordings(root, "HEAD")
    kept = root / history.COMMITTED
    assert sorted(path.name for path in kept.rglob("*") if path.is_file()) == ["a.console", "c.csv"]
    assert (kept / "programs/a.console").read_text() == "recorded"
