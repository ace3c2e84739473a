"""The files of a program are written again when what decides them changes, and not otherwise."""

import pytest

from lockstep.recordings.session import Command
from lockstep_sphinx import outdated
from lockstep_sphinx.source_pages import source_pages

PAGE = ".. program-card:: part/demo/demo"
MADE = (
    "programs/part/demo/demo.html",
    "_downloads/programs/part/demo/demo.cu",
    "_downloads/programs/part/demo/demo.csv",
)


@pytest.fixture
def built(site):
    """Builds a site of two programs, one of which has data, and marks the files of that one."""
    site.declare("lockstep_program(demo DATA demo.csv)", "lockstep_program(second)")
    site.write("second.cu", "// Is it here? Yes.\nint main() {}\n")
    site.write("demo.csv", "x,y\n1,2\n")
    out = site.build(PAGE).out
    for name in MADE:
        (out / name).write_text("marked")
    return site


def left(site) -> set[str]:
    """What a further build leaves as it was."""
    out = site.build(fresh=False).out
    return {name for name in MADE if (out / name).read_text() == "marked"}


def test_nothing_is_written_where_nothing_changed(built):
    assert left(built) == set(MADE)


def test_a_file_that_is_gone_is_made_again(built):
    (built.root / "html" / MADE[1]).unlink()
    assert not left(built)
    assert "add_one" in (built.root / "html" / MADE[1]).read_text()


@pytest.mark.parametrize(
    "change",
    {
        "source": lambda site: site.write("demo.cu", (site.programs / "demo.cu").read_text() + "\nvoid further() {}\n"),
        "data": lambda site: site.write("demo.csv", "x,y\n1,3\n"),
        "header": lambda site: (site.root / "programs/include/lockstep/check.hpp").open("a").write("// x\n"),
        "declaration": lambda site: site.declare(
            "lockstep_program(demo MIN_CC 90 DATA demo.csv)", "lockstep_program(second)"
        ),
        "title of its chapter": lambda site: site.page("part/demo.rst", f"Another\n=======\n\n{PAGE}\n"),
        "title of a page beside it": lambda site: site.page("part/more.rst", "More\n====\n\nMore.\n"),
        "program after it": lambda site: site.declare("lockstep_program(demo DATA demo.csv)"),
    }.items(),
    ids=lambda change: change[0],
)
def test_what_decides_them_has_them_written(built, change):
    change[1](built)
    assert not left(built)


def test_a_recording_alone_changes_nothing_of_them(built):
    built.record(Command("./demo", ["1"]), data={"demo.csv": "x,y\n1,2\n"})
    assert left(built) == set(MADE)


def test_other_code_has_them_written(built, monkeypatch):
    monkeypatch.setattr(outdated, "code", lambda: "other")
    assert not left(built)


def test_a_build_that_ended_early_leaves_nothing_to_rely_on(built, monkeypatch):
    def fail(*_):
        raise KeyboardInterrupt

    built.write("second.cu", "// Is it here? Yes, again.\nint main() {}\n")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(source_pages, "_write_program", fail)
        built.build(fresh=False)
    assert not left(built)
