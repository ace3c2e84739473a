"""What readers take away: made of a small site, and looked at; each fault is provoked."""

import re
import shutil
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest

from lockstep.errors import LockstepError
from lockstep.files import ROOT
from lockstep.recordings import pictures
from lockstep.recordings.pictures import Picture
from lockstep.takeaway import check, epub, offline, pages, pdf
from lockstep_sphinx import assets

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>{following}</head><body><article>
<section id="top"><h1>{title}<a class="headerlink" href="#top">¶</a></h1>{body}</section></article></body></html>
"""
FIGURE = """<figure><div class="lockstep-wide"><svg class="lockstep-svg" role="img" aria-label="An arrow" viewBox="0 0 9 9" width="9"
height="9"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"><path d="M0 0L8 4"/></marker>
</defs><line class="lf-line" x1="0" y1="0" x2="9" y2="9" marker-end="url(#tip)"/></svg></div>
<div class="lockstep-narrow"><svg viewBox="0 0 1 1"></svg></div></figure>"""
LESSON = f"""<p>A <a href="../reference/words.html#term-warp" aria-describedby="defined-term-warp">warp</a> &amp; more.<br>
<a href="index.html#top">Up</a>, <a href="../programs/labs/add.html" download>source</a>, <a href="file:line:">file:line:</a></p>
<div class="lockstep-card" data-program="labs/add"><p class="lockstep-links"><a href="x.cu" download>Download</a></p>
<form><button name="run">Run</button></form><details class="lockstep-more"><summary>More</summary><p>Adds.</p>
<div class="lockstep-cmake">With CMake</div></details></div>{FIGURE}
<div class="lockstep-card lockstep-exercise" id="program-add" data-program="labs/add"><p>Add two numbers.</p></div>
<details class="sd-dropdown"><summary>A hint</summary><p>Not seven.</p></details>
<details class="sd-dropdown"><summary><span>The solution</span></summary><p>Forty-two, for <a href="#top">this</a>.</p></details>
<p>What follows.</p>
<div class="lockstep-transcript"><pre>$ ./add\n42\n</pre><details class="lockstep-provenance"><summary>Recorded on a GPU</summary>
<ul><li>driver</li></ul></details></div>
<div class="lockstep-definitions"><div id="defined-term-warp" role="tooltip" hidden>32 threads. <a href="x.html">See</a></div></div>"""


@pytest.fixture
def small(tmp_path):
    """A site of two parts; `changes` are other bodies for its pages."""

    def make(**changes: str) -> Path:
        folder = tmp_path / "site"
        bodies = {"index.html": "", "labs/index.html": "<p>Labs.</p>", "labs/one.html": LESSON,
                  "reference/words.html": '<dl><dt id="term-warp">warp</dt><dd>32 threads.</dd></dl>'}  # fmt: skip
        bodies |= {f"{name.replace('__', '/')}.html": body for name, body in changes.items()}
        names = list(bodies)
        for name, after in zip(names, [*names[1:], ""], strict=True):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            root = "../" * name.count("/")
            following = f'<link rel="next" title="N" href="{root}{after}">' if after else ""
            path.write_text(PAGE.format(title=f"Page {name[:-5]}", body=bodies[name], following=following))
        (folder / "_static/styles").mkdir(parents=True, exist_ok=True)
        (folder / "_static/pygments.css").write_text(".highlight .k { color: #a00 }\n@media print { }")
        for name in ("site.js", "logo.svg"):
            shutil.copy(ROOT / "docs/_static" / name, folder / "_static" / name)
        return folder

    return make


PICTURE = """<div style="height: 9000px"></div><div class="lockstep-picture"><figure class="lockstep-figure">
<img src="../_downloads/programs/labs/red.png" alt="A red square" width="40" height="40" loading="lazy" data-program="labs/draw"
data-file="red.png"><figcaption><p>Red.</p></figcaption></figure><details class="lockstep-provenance"><summary>Recorded on a GPU
</summary><ul><li>driver</li></ul></details><p class="lockstep-links"><a href="x.png" download>Download</a></p></div>"""
RED = pictures.png(Picture(40, 40, 3, bytes((200, 10, 10)) * 1600))


def pictured(small) -> Path:
    """A site with a picture far down on a page."""
    site = small(labs__one=PICTURE)
    file = site / "_downloads/programs/labs/red.png"
    file.parent.mkdir(parents=True)
    file.write_bytes(RED)
    return site


def book(site: Path, tmp_path: Path) -> dict[str, str]:
    """Makes a book; returns its files."""
    epub.make(site, tmp_path / "book.epub")
    with zipfile.ZipFile(tmp_path / "book.epub") as archive:
        return {name: archive.read(name).decode(errors="replace") for name in archive.namelist()}


# ---------------------------------------------------------------------------------------------------------------------
# Pages


def test_pages_come_in_the_order_in_which_they_are_turned(small):
    assert pages.order(small()) == ["index.html", "labs/index.html", "labs/one.html", "reference/words.html"]


def test_next_page_that_is_not_there_is_refused(small):
    site = small()
    (site / "labs/one.html").unlink()
    with pytest.raises(LockstepError, match="labs/index.html names labs/one.html as the next page"):
        pages.order(site)


@pytest.mark.parametrize("make", [offline.make, epub.make, lambda site, to: pdf.make(None, site, "labs", to)])  # type: ignore[arg-type]
def test_folder_without_a_site_is_refused_and_leaves_nothing(tmp_path, small, make):
    (tmp_path / "empty").mkdir()
    with pytest.raises(LockstepError, match="holds no built site; run make html"):
        make(tmp_path / "empty", tmp_path / "made")
    site = small()
    (site / "_takeaway").mkdir()
    with pytest.raises(LockstepError, match="offers files to take away already"):
        make(site, tmp_path / "made")
    assert not list(tmp_path.glob("made*"))


def test_part_that_is_not_there_is_refused(small):
    with pytest.raises(LockstepError, match="has no part ladders"):
        pages.of_part(small(), "ladders")


def test_page_loses_what_only_a_browser_can_do(small):
    text = str(pages.read(small(), "labs/one.html").body)
    assert not re.search("<form|<button|headerlink|lockstep-narrow|lockstep-links|CMake|driver|tooltip", text)
    assert all(word in text for word in ("Forty-two", "Recorded on a GPU", "lockstep-wide", "$ ./add"))


# ---------------------------------------------------------------------------------------------------------------------
# The book


def test_terms_become_notes(small, tmp_path):
    text = book(small(), tmp_path)["book/labs/one.xhtml"]
    assert re.search(r'<a epub:type="noteref" href="#defined-term-warp"[^>]*>warp</a>', text)
    assert re.search(r'<aside [^>]*id="defined-term-warp"[^>]*><p><b>warp</b>: 32 threads\. See', text)
    assert 'href="../reference/words.xhtml#term-warp">Glossary</a>' in text


def test_links_of_a_book_lead_into_it_or_to_the_published_site(small, tmp_path, monkeypatch):
    monkeypatch.delenv("LOCKSTEP_URL", raising=False)
    text = book(small(), tmp_path)["book/labs/one.xhtml"]
    assert '<a href="index.xhtml#top">Up</a>, source, file:line:' in text
    monkeypatch.setenv("LOCKSTEP_URL", "https://example.org/")
    text = book(small(), tmp_path)["book/labs/one.xhtml"]
    assert '<a href="https://example.org/programs/labs/add.html">source</a>' in text


def test_contents_name_parts_and_chapters(small, tmp_path):
    text = book(small(), tmp_path)["book/contents.xhtml"].replace("\n", "")
    assert '<li><a href="labs/index.xhtml">Page labs/index</a><ol><li><a href="labs/one.xhtml">' in text
    assert '<li><span>Reference</span><ol><li><a href="reference/words.xhtml">' in text


@pytest.mark.skipif(not shutil.which("java"), reason="java is missing; ci/setup.sh check installs it")
def test_a_wrong_book_does_not_pass_epubcheck(small, tmp_path):
    book(small(labs__one='<p id="a">x</p><p id="a">y</p>'), tmp_path)
    found = check.invalid(tmp_path / "book.epub")
    assert found and all('Duplicate ID "a"' in line for line in found), "nothing else is wrong with it"


def test_pictures_are_in_the_book_and_in_the_copy_on_disk(small, tmp_path):
    site = pictured(small)
    files = book(site, tmp_path)
    assert '<img alt="A red square" height="40" src="../_downloads/programs/labs/red.png" width="40"/>' in " ".join(
        files["book/labs/one.xhtml"].split()
    )
    assert "Recorded on a GPU" in files["book/labs/one.xhtml"] and "Download" not in files["book/labs/one.xhtml"]
    item = '<item id="i0" href="_downloads/programs/labs/red.png" media-type="image/png"/>'
    assert files["book/package.opf"].count(item) == 1
    with zipfile.ZipFile(tmp_path / "book.epub") as archive:
        assert archive.read("book/_downloads/programs/labs/red.png") == RED
    assert (unpacked(site, tmp_path) / "_downloads/programs/labs/red.png").read_bytes() == RED


@pytest.mark.skipif(not shutil.which("java"), reason="java is missing; ci/setup.sh check installs it")
def test_a_book_with_pictures_passes_epubcheck(small, tmp_path):
    book(pictured(small), tmp_path)
    assert check.invalid(tmp_path / "book.epub") == []


def test_every_kind_of_shape_has_its_colors_in_the_book():
    known = (ROOT / "ci/lockstep/takeaway/epub.css").read_text()
    site = assets.style()
    assert {name for name in re.findall(r"\.(l[fct]-[\w-]+)", site) if f".{name} " not in known} == set()


# ---------------------------------------------------------------------------------------------------------------------
# PDFs


def test_pdf_has_outline_numbers_and_links(small, tmp_path, browser):
    made = tmp_path / "labs.pdf"
    assert pdf.make(browser, small(), "labs", made) == 5  # cover, contents, two pages, solutions
    titles = ["Page labs/index", "Page labs/one", "Solutions"]
    assert pdf.faults(made, titles) == []
    assert pdf.faults(made, [*titles, "Another"]) == ["the outline lacks Another"]
    assert pdf.sheets_of(made)["labs.one"] == 4


def test_hints_stand_open_in_a_pdf_and_solutions_at_its_end(small, tmp_path, browser):
    made = tmp_path / "labs.pdf"
    pdf.make(browser, small(), "labs", made)
    sheets = [" ".join(sheet.extract_text().split()) for sheet in pdf.PdfReader(made).pages]
    assert "A hint Not seven. The solution: page 5 What follows." in sheets[3] and "Forty-two" not in sheets[3]
    assert "Solutions Page labs/one add Forty-two, for this." in sheets[4]
    assert "Solutions 5" in sheets[1], "in the contents"
    known = pdf.sheets_of(made)
    assert known["labs.one..solution-1"] == 5 and known["labs.one..program-add"] == 4, "each leads to the other"


def test_pictures_are_printed_far_down_too(small, tmp_path, browser):
    made = tmp_path / "labs.pdf"
    pdf.make(browser, pictured(small), "labs", made)
    things = [sheet["/Resources"].get("/XObject", {}) for sheet in pdf.PdfReader(made).pages]
    drawn = [one.get_object() for thing in things for one in thing.values()]
    [image] = [one for one in drawn if one["/Subtype"] == "/Image"]
    assert (image["/Width"], image["/Height"]) == (40, 40) and image.get_data()[:3] == bytes((200, 10, 10))


def test_picture_that_is_wider_than_the_sheet_is_refused(small, tmp_path, browser):
    site = small(labs__one='<img src="red.png" alt="A red square" width="2000" height="40">')
    (site / "labs/red.png").write_bytes(RED)
    with pytest.raises(LockstepError, match="labs: wider than the sheet: labs.one"):
        pdf.make(browser, site, "labs", tmp_path / "labs.pdf")


def test_part_without_solutions_has_no_page_for_them(small, tmp_path, browser):
    assert pdf.make(browser, small(), "reference", tmp_path / "reference.pdf") == 3


def test_each_part_is_printed_and_what_is_wrong_with_one_is_said(small, tmp_path, browser, monkeypatch):
    monkeypatch.setattr(check, "invalid", lambda book: [])
    monkeypatch.setattr(check, "opened", lambda *_: [])
    monkeypatch.setattr(check, "chromium", lambda: nullcontext(browser))
    site = small(reference__words='<p style="width: 900px">Too wide</p>')
    assert check.findings(site) == []
    [finding] = check.findings(site, ("labs", "reference"))
    assert "reference: wider than the sheet: reference.words: Too wide" in finding
    monkeypatch.setattr(pdf, "faults", lambda book, titles: [f"lacks {titles[-1]}"])
    assert check.printed(browser, site, "labs", tmp_path / "labs.pdf") == ["labs.pdf: lacks Page labs/one"]


def test_what_is_wider_than_the_sheet_is_refused(small, tmp_path, browser):
    site = small(labs__one='<p style="width: 900px">Too wide</p>')
    with pytest.raises(LockstepError, match="labs: wider than the sheet: labs.one: Too wide"):
        pdf.make(browser, site, "labs", tmp_path / "labs.pdf")
    assert not list(tmp_path.glob("labs.pdf*"))


# ---------------------------------------------------------------------------------------------------------------------
# The copy on disk; test_emulator.py runs programs in one


def unpacked(site: Path, tmp_path: Path) -> Path:
    offline.make(site, tmp_path / "copy.zip")
    with zipfile.ZipFile(tmp_path / "copy.zip") as archive:
        archive.extractall(tmp_path / "copy")
    return tmp_path / "copy" / offline.TOP


def test_search_works_from_disk(searched, tmp_path_factory, browser):
    copy = unpacked(searched, tmp_path_factory.mktemp("disk"))
    assert check.unfound(browser, f"{copy.as_uri()}/", "cudaGetLastError", "Error checking") == []
    assert "finds" in check.unfound(browser, f"{copy.as_uri()}/", "cudaGetLastError", "No such page")[0]
    shutil.rmtree(copy / "_search")
    assert "Timeout" in check.unfound(browser, f"{copy.as_uri()}/")[0]


def test_copy_without_browser_modules_is_found(small, tmp_path, browser, monkeypatch):
    monkeypatch.setattr(check, "unfound", lambda *_: [])
    copy = unpacked(small(), tmp_path)
    assert check.opened(browser, copy, None) == []
    [finding] = check.opened(browser, copy)
    assert "it has no browser modules, so no program was run" in finding


def test_same_site_makes_the_same_zip(small, tmp_path):
    site = small()
    for name in ("one.zip", "two.zip"):
        offline.make(site, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
