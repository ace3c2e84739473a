"""A site with an address names it on its pages, and says to search engines and feed readers what it holds."""

import re
import shutil
from xml.etree import ElementTree

import pytest

from lockstep.recordings.session import Command

from .conftest import DEMO
from .test_frame import build, commit, index, pages

BASE = "https://example.org/site/"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def made(site, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(site.root.parent))
    index(site)
    pages(site)
    site.record(Command("./demo", ["rate   ~3.91 TB/s"]))
    return site


def published(site, **config):
    return build(site, html_baseurl=BASE, html_context={"baseurl": BASE}, **config)


def test_without_an_address_no_page_names_one(made):
    found = build(made, html_context={"baseurl": ""})
    for name in ("part/demo.html", "programs/part/demo/demo.html"):
        assert not re.search("canonical|og:url|og:image|application/atom", found.page(name))
    assert not any((found.out / name).exists() for name in ("sitemap.xml", "robots.txt", "feed.xml"))


def test_pages_and_programs_name_their_own_address(made):
    found = published(made)
    for name in ("part/demo.html", "programs/part/demo/demo.html"):
        html = found.page(name)
        assert f'<link rel="canonical" href="{BASE}{name}">' in html
        assert f'<meta property="og:url" content="{BASE}{name}">' in html
        assert f'<meta property="og:image" content="{BASE}_static/card.png">' in html


def test_the_sitemap_holds_every_page_and_program(made):
    root = ElementTree.parse(published(made).out / "sitemap.xml").getroot()
    found = [url[0].text.removeprefix(BASE) for url in root]
    programs = [f"programs/part/demo/{name}.html" for name in ("alpha", "beta", "demo")]
    assert found == ["index.html", "part/demo.html", "part/first.html", "part/index.html", *programs]
    assert all(len(url) == 1 for url in root)  # without git, no dates


def test_robots_are_sent_to_the_sitemap(made):
    assert (published(made).out / "robots.txt").read_text().endswith(f"\nSitemap: {BASE}sitemap.xml\n")


def entries(out) -> list[dict[str, str]]:
    root = ElementTree.parse(out / "feed.xml").getroot()
    return [{part.tag.removeprefix(ATOM): part.text for part in entry} for entry in root.iter(f"{ATOM}entry")]


def test_the_feed_tells_of_recordings(made):
    [entry] = entries(published(made).out)
    assert (entry["title"], entry["id"]) == ("Demo", f"{BASE}part/demo.html")
    assert entry["updated"] == "2026-11-21T00:00:00Z"
    assert entry["summary"] == "Recorded on 2026-11-21 (NVIDIA H200). Opening words."


@pytest.mark.skipif(not shutil.which("git"), reason="git is missing")
def test_the_feed_tells_of_new_pages_the_newest_first(made):
    build(made)
    commit(made.root, "2026-01-02")
    made.page("part/index.rst", "A part\n======\n\n.. toctree::\n\n   first\n   demo\n   later\n")
    made.page("part/later.rst", "Later\n=====\n\nA page & more.\n")
    commit(made.root, "2026-11-24")
    found = entries(published(made).out)
    assert [entry["title"] for entry in found] == ["Later", "Demo", "Site", "First", "A part"]
    assert found[0] | {"link": None} == {
        "title": "Later", "id": f"{BASE}part/later.html", "link": None, "published": "2026-11-24T00:00:00Z",
        "updated": "2026-11-24T00:00:00Z", "summary": "A page & more.",
    }  # fmt: skip
    assert found[1]["published"] == "2026-01-02T00:00:00Z"


def test_two_builds_write_the_same(made):
    first = {name: (published(made).out / name).read_bytes() for name in ("sitemap.xml", "feed.xml")}
    assert first == {name: (published(made).out / name).read_bytes() for name in first}


def test_a_site_that_loses_its_address_loses_these_files(made):
    out = published(made).out
    assert (out / "feed.xml").exists()
    build(made)
    assert not any((out / name).exists() for name in ("sitemap.xml", "robots.txt", "feed.xml"))


def test_a_broken_transcript_is_left_to_its_page(made):
    made.write("alpha.cu", DEMO)
    made.write("alpha.console", "no transcript\n")
    assert [entry["title"] for entry in entries(published(made).out)] == ["Demo"]
