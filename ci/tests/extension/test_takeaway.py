"""The site names the files that a reader can take away where it has them, and nowhere else."""

import os
import re

import pytest

from lockstep_sphinx.publish import takeaway

from .test_frame import THEME

SHOWN = ".. takeaway::\n\n   Not here."


def put(file, size: int) -> None:
    """A file that was made on a day."""
    file.write_bytes(b"x" * size)
    os.utime(file, (1_764_430_000, 1_764_430_000))


@pytest.fixture
def made(site):
    """Leaves files such as `make takeaway` makes."""
    folder = site.root / takeaway.BUILD
    folder.mkdir(parents=True)
    for name in takeaway.FILES:
        put(folder / name, 1_250_000)
    return folder


def test_site_without_files_promises_none(site, made):
    html, warnings = site.build(SHOWN)
    assert "Not here." in html and takeaway.FOLDER not in html and warnings == ""
    assert not (site.root / "html" / takeaway.FOLDER).exists()


def test_files_are_named_with_their_sizes_and_lie_in_the_site(site, made):
    built = site.build(SHOWN, lockstep_takeaway=True)
    assert 'href="../_takeaway/lockstep.epub">A book for e-readers (EPUB)</a>, 1.2 MB, made on 2025-11-29' in built.html
    assert "Not here." not in built.html and built.warnings == ""
    assert {path.name for path in (built.out / takeaway.FOLDER).iterdir()} == set(takeaway.FILES)


def test_page_follows_the_files(site, made):
    site.build(SHOWN, lockstep_takeaway=True)
    put(made / "lockstep.zip", 22_400_000)
    assert ", 22 MB" in site.build(fresh=False, lockstep_takeaway=True).html
    built = site.build(fresh=False)
    assert "Not here." in built.html and not (built.out / takeaway.FOLDER).exists()


def test_what_is_not_there_is_not_offered(site, made):
    site.build(SHOWN, lockstep_takeaway=True)
    for name in takeaway.FILES:
        if name != "lockstep-labs.pdf":
            (made / name).unlink()
    built = site.build(fresh=False, lockstep_takeaway=True)
    assert re.findall(r'href="../_takeaway/([^"]*)"', built.html) == ["lockstep-labs.pdf"]
    assert [path.name for path in (built.out / takeaway.FOLDER).iterdir()] == ["lockstep-labs.pdf"]


def test_newer_file_takes_the_place_of_the_older_one(site, made):
    site.build(SHOWN, lockstep_takeaway=True)
    (made / "lockstep.zip").write_bytes(b"y" * 1_250_000)
    built = site.build(fresh=False, lockstep_takeaway=True)
    assert (built.out / takeaway.FOLDER / "lockstep.zip").read_bytes()[:1] == b"y"


LINK = '<a href="https://example.org/part/demo.html#takeaway">Read offline: zip, book, PDFs</a>'


@pytest.mark.parametrize(
    ("address", "offers"), [("https://example.org/", True), ("", True), ("https://example.org/", False)]
)
def test_footer_of_a_published_site_leads_to_the_files(site, made, address, offers):
    site.page("part/other.rst", "Other\n=====\n\nText.\n")
    site.build(SHOWN, html_baseurl=address, **THEME)
    built = site.build(fresh=False, html_baseurl=address, lockstep_takeaway=offers, **THEME)
    shown = address != "" and offers
    assert [LINK in built.page(f"{name}.html") for name in ("part/other", "programs/part/demo/demo", "search")] == [
        shown
    ] * 3
    assert ('<ul class="simple" id="takeaway">' in built.html) == offers
