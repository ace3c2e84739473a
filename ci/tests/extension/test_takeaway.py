"""The site names the files that a reader can take away where it has them, and nowhere else."""

import pytest
from sphinx.errors import ExtensionError

from lockstep_sphinx.publish import takeaway

SHOWN = ".. takeaway::\n\n   Not here."


@pytest.fixture
def made(site):
    """Leaves files such as `make takeaway` makes."""
    folder = site.root / takeaway.BUILD
    folder.mkdir(parents=True)
    for name in takeaway.FILES:
        (folder / name).write_bytes(b"x" * 1_250_000)
    return folder


def test_site_without_files_promises_none(site, made):
    html, warnings = site.build(SHOWN)
    assert "Not here." in html and takeaway.FOLDER not in html and warnings == ""
    assert not (site.root / "html" / takeaway.FOLDER).exists()


def test_files_are_named_with_their_sizes_and_lie_in_the_site(site, made):
    built = site.build(SHOWN, lockstep_takeaway=True)
    assert 'href="../_takeaway/lockstep.epub">A book for e-readers (EPUB)</a>, 1.2 MB' in built.html
    assert "Not here." not in built.html and built.warnings == ""
    assert {path.name for path in (built.out / takeaway.FOLDER).iterdir()} == set(takeaway.FILES)


def test_page_follows_the_files(site, made):
    site.build(SHOWN, lockstep_takeaway=True)
    (made / "lockstep.zip").write_bytes(b"x" * 22_400_000)
    assert ", 22 MB" in site.build(fresh=False, lockstep_takeaway=True).html
    built = site.build(fresh=False)
    assert "Not here." in built.html and not (built.out / takeaway.FOLDER).exists()


def test_missing_file_stops_the_build(site, made):
    (made / "lockstep-labs.pdf").unlink()
    with pytest.raises(ExtensionError, match=r"lockstep-labs.pdf is to be offered and missing; run make takeaway"):
        site.build(SHOWN, lockstep_takeaway=True)
