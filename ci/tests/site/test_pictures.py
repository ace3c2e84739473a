"""A picture that was swapped, added or removed by hand is found."""

import pytest

from lockstep.files import ROOT
from lockstep.site import pictures


@pytest.fixture
def project(tmp_path):
    for folder in (pictures.FOLDER, pictures.DIGESTS.parent):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("card.png", "screenshot.png"):
        (tmp_path / pictures.FOLDER / name).write_bytes(b"\x89PNG " + name.encode())
    pictures.note(tmp_path)
    return tmp_path


def test_pictures_that_were_taken_stand(project):
    assert pictures.problems(project) == []


@pytest.mark.parametrize(("name", "line"), [("card.png", 2), ("screenshot.png", 3), ("new.png", 1)])
def test_picture_that_was_swapped_or_added_is_one_finding(project, name, line):
    (project / pictures.FOLDER / name).write_bytes(b"\x89PNG of something else")
    (problem,) = pictures.problems(project)
    where = f"ci/lockstep/site/pictures.json:{line}: docs/_static/{name}"
    assert problem.startswith(
        f"{where} is not the picture that was taken; restore it, or run: python3 ci site screenshots"
    )


def test_picture_that_was_removed_is_one_finding(project):
    (project / pictures.FOLDER / "card.png").unlink()
    assert len(pictures.problems(project)) == 1


@pytest.mark.content
def test_the_project_s_own_pictures_are_those_that_were_taken():
    assert pictures.problems(ROOT) == []
