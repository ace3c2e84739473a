"""The strict build of the site begins in an empty folder, so that what was taken back is nowhere to be found."""

import shutil
import subprocess

import pytest

from lockstep.files import ROOT


@pytest.fixture
def site(tmp_path):
    """Runs ci/site.sh in a project whose Sphinx does nothing; returns what is left in the folder of the site."""
    (tmp_path / "ci").mkdir()
    (tmp_path / ".venv/bin").mkdir(parents=True)
    shutil.copy(ROOT / "ci/site.sh", tmp_path / "ci/site.sh")
    for name in ("ci/doxygen.sh", ".venv/bin/python"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 0\n")
        (tmp_path / name).chmod(0o755)
    for name in ("out/part/gone.html", "out.doctrees/part/gone.doctree"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("of an earlier build")

    def run(*options: str) -> list[str]:
        subprocess.run([tmp_path / "ci/site.sh", *options, "out"], check=True, stdin=subprocess.DEVNULL)
        return sorted(path.name for path in tmp_path.glob("out*/part/gone.*"))

    return run


def test_strict_build_begins_empty(site):
    assert site("--strict") == []


def test_build_for_a_reader_keeps_what_is_there(site):
    assert site() == ["gone.doctree", "gone.html"]
