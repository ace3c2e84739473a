"""A page is read again when the content of what it shows changed, whatever the dates say."""

import os

import pytest

from lockstep.recordings.session import Command
from lockstep_sphinx import outdated
from lockstep_sphinx.project import Project

PAGE = ":measured:`demo: rate`\n\n.. listing:: part/demo/demo\n   :region: kernel\n"


@pytest.fixture
def old_dates(site):
    """Gives every file of the project an old date, as an unpacked archive may."""

    def age() -> None:
        for path in (*site.root.glob("programs/**/*"), *site.root.glob("docs/**/*")):
            os.utime(path, (1, 1))

    return age


def test_nothing_is_read_again_where_nothing_changed(build, site):
    build(PAGE)
    page = site.root / "html/part/demo.html"
    before = page.stat().st_mtime_ns
    assert build(fresh=False).warnings == "" and page.stat().st_mtime_ns == before


def test_new_recording_with_an_old_date_is_shown(build, site, old_dates):
    build(PAGE)
    site.record(Command("./demo", ["rate   ~4.20 TB/s"]))
    old_dates()
    assert "4.20 TB/s" in build(fresh=False).html


def test_new_program_with_an_old_date_is_shown(build, site, old_dates):
    build(".. listing:: part/demo/demo\n   :region: kernel\n")
    site.write("demo.cu", (site.programs / "demo.cu").read_text().replace("+= 1", "+= 7"))
    old_dates()
    assert "7" in build(fresh=False).html


def test_page_depends_on_what_its_program_includes_from_its_folder(build, site):
    build(PAGE)
    site.write("near.hpp", "")
    site.write("demo.cu", '#include "near.hpp"\n' + (site.programs / "demo.cu").read_text())
    project = Project(site.root)
    assert site.programs / "near.hpp" in project.files_of(project.programs["part/demo/demo"])


def test_page_with_an_old_date_is_shown(build, site, old_dates):
    build("Before.")
    site.page("part/demo.rst", "Demo\n====\n\nAfterwards.\n")
    old_dates()
    assert "Afterwards" in build(fresh=False).html


def test_claims_file_that_appears_is_read(build, site):
    build("Fast.")
    site.page("part/demo.claims", '[claims]\n"it is fast" = \'value("demo", "rate") > 100\'\n')
    assert "does not hold" in build(fresh=False).warnings


def test_figure_with_an_old_date_is_drawn(build, site, old_dates):
    figure = "def draw(c):\n    c.size(100, 50)\n    c.text(50, 25, 'WORD')\n"
    site.page("part/figures/words.py", figure.replace("WORD", "before"))
    build(".. diagram:: words\n   :alt: a word\n")
    site.page("part/figures/words.py", figure.replace("WORD", "afterwards"))
    old_dates()
    assert "afterwards" in build(fresh=False).html


class Interrupted(KeyboardInterrupt):
    """What a reader's Ctrl-C does to a build."""


def test_build_that_was_interrupted_is_begun_afresh(build, site, monkeypatch):
    from sphinx.builders.html import StandaloneHTMLBuilder

    build(PAGE)
    site.write("demo.cu", (site.programs / "demo.cu").read_text().replace("+= 1", "+= 7"))
    site.record(Command("./demo", ["rate   ~4.20 TB/s"]))

    def interrupt(*arguments, **options):
        raise Interrupted

    with monkeypatch.context() as patch:  # the pages have been read, and saved as read; none is written
        patch.setattr(StandaloneHTMLBuilder, "write_doc", interrupt)
        with pytest.raises(Interrupted):
            build(fresh=False)
    assert (site.root / "doctrees/environment.pickle").exists()
    assert "3.91 TB/s" in (site.root / "html/part/demo.html").read_text()
    assert "4.20 TB/s" in build(fresh=False).html
    assert not list((site.root / "doctrees").glob("unfinished*"))


def test_pages_are_made_again_by_other_code(build, site, monkeypatch):
    build(PAGE)
    page = site.root / "html/part/demo.html"
    page.write_text("made by earlier code")
    monkeypatch.setattr(outdated, "code", lambda: "other")
    assert "3.91" in build(fresh=False).html


def test_page_taken_back_leaves_nothing(build, site):
    site.page("part/more.rst", "More\n====\n\nMore.\n")
    out = build(PAGE).out
    assert (out / "part/more.html").exists()
    (site.docs / "part/more.rst").unlink()
    build(fresh=False)
    assert not (out / "part/more.html").exists()


def test_program_taken_away_leaves_nothing(build, site):
    site.declare("lockstep_program(demo)", "lockstep_program(second)")
    site.write("second.cu", "// Is it here? Yes.\nint main() {}\n")
    out = build(PAGE).out
    gone = [out / "programs/part/demo/second.html", out / "_downloads/programs/part/demo/second.cu"]
    assert all(path.exists() for path in gone)
    (site.programs / "second.cu").unlink()
    site.declare("lockstep_program(demo)")
    build(fresh=False)
    assert not any(path.exists() for path in gone) and (out / "programs/part/demo/demo.html").exists()
