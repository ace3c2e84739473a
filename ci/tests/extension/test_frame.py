"""What frames pages: the way to them, their neighbors, related pages, a footer, and what others show of them."""

import re
import shutil
import subprocess
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from sphinx.errors import ExtensionError

from lockstep.site import history

from .conftest import DEMO, ROOT

THEME = {"html_theme": "furo", "templates_path": [str(ROOT / "docs/_templates")], "project": "Site", "release": "1.0"}
CARDS = ".. program-card:: part/demo/{}\n\n"


def pages(site) -> None:
    """A part with two chapters, the second of which shows three programs, not in the order of their names."""
    site.page("part/index.rst", "A part\n======\n\n.. toctree::\n\n   first\n   demo\n")
    site.page("part/first.rst", "First\n=====\n\nText.\n")
    site.declare(*(f"lockstep_program({name})" for name in ("alpha", "beta", "demo")))
    for name in ("alpha", "beta"):
        site.write(f"{name}.cu", DEMO)


def build(site, text: str = "", **config):
    """Builds with the theme of the site."""
    cards = "".join(CARDS.format(name) for name in ("demo", "alpha", "beta"))
    return site.build(f"Opening words.\n\n{text}\n\n{cards}", **THEME | config)


def index(site) -> None:
    """The front page names the part alone, as that of the site does."""
    original = site.page

    def page(name: str, text: str) -> None:
        original(name, "Start\n=====\n\n.. toctree::\n\n   part/index\n" if name == "index.rst" else text)

    site.page = page


@pytest.fixture
def made(site):
    index(site)
    pages(site)
    return site


def trail(html: str) -> list[str]:
    found = re.search(r'<nav class="lockstep-trail" aria-label="breadcrumbs">(.*?)</nav>', html)
    return re.findall(r"<li[^>]*>(.*?)</li>", found[1]) if found else []


def test_breadcrumbs_lead_from_the_front_page_to_the_chapter(made):
    assert trail(build(made).html) == ['<a href="../index.html">Site</a>', '<a href="index.html">A part</a>', "Demo"]


def test_breadcrumbs_of_a_program_lead_through_its_chapter(made):
    assert trail(build(made).page("programs/part/demo/alpha.html")) == [
        '<a href="../../../index.html">Site</a>',
        '<a href="../../../part/index.html">A part</a>',
        '<a href="../../../part/demo.html">Demo</a>',
        "alpha.cu",
    ]


def test_the_front_page_has_no_breadcrumbs(made):
    assert trail(build(made).page("index.html")) == []


def beside(html: str) -> str:
    """The list of pages beside a page."""
    return html.partition('<div class="sidebar-tree">')[2].partition("</div>")[0]


TWO_PARTS = "Start\n=====\n\n.. toctree::\n   :caption: Learn\n\n   part/index\n   other/index\n"


@pytest.fixture
def two_parts(site):
    """Two parts; of the first, one chapter has pages of its own."""
    original = site.page
    site.page = lambda name, text: original(name, TWO_PARTS if name == "index.rst" else text)
    pages(site)
    site.page("part/index.rst", "A part\n======\n\n.. toctree::\n\n   first/index\n   demo\n")
    site.page("part/first/index.rst", "First\n=====\n\n.. toctree::\n\n   inner\n   next\n")
    site.page("other/index.rst", "Other part\n==========\n\n.. toctree::\n\n   far\n")
    for name in ("part/first/inner", "part/first/next", "other/far"):
        title = name.rpartition("/")[2].capitalize()
        site.page(f"{name}.rst", f"{title}\n{'=' * len(title)}\n")
    return site


def listed(html: str) -> list[str]:
    return re.findall("<a[^>]*>(.*?)</a>", beside(html))


def test_beside_a_page_stand_the_parts_its_chapters_and_their_pages(two_parts):
    found = build(two_parts)
    near = ["A part", "First", "Inner", "Next", "Demo", "Other part"]
    assert listed(found.page("part/first/inner.html")) == listed(found.page("part/first/index.html")) == near
    assert listed(found.page("part/demo.html")) == listed(found.page("part/index.html"))
    assert listed(found.html) == ["A part", "First", "Demo", "Other part"]
    assert listed(found.page("other/far.html")) == ["A part", "Other part", "Far"]
    assert listed(found.page("index.html")) == listed(found.page("search.html")) == ["A part", "Other part"]


def test_the_page_itself_is_marked_in_the_list_beside_it(two_parts):
    html = beside(build(two_parts).page("part/first/inner.html"))
    assert (
        '<li class="current current-page"><a class="reference internal" href="#" aria-current="page">Inner</a>' in html
    )
    assert html.count("aria-current") == 1 and html.count('class="toctree-l1 current"') == 1
    assert '<p class="caption" role="heading" aria-level="2"><span>Learn</span></p>' in html


def test_beside_a_program_stand_the_pages_near_its_own(two_parts):
    html = beside(build(two_parts).page("programs/part/demo/alpha.html"))
    assert re.findall("<a[^>]*>(.*?)</a>", html) == ["A part", "First", "Demo", "Other part"]
    assert 'href="../../../part/demo.html"' in html and "aria-current" not in html


def test_a_new_title_reaches_the_pages_beside_it(two_parts):
    build(two_parts)
    two_parts.page("part/first/next.rst", "Changed\n=======\n")
    assert "Changed" in listed(build(two_parts, fresh=False).page("part/first/inner.html"))


def neighbors(html: str) -> dict[str, str]:
    return dict(re.findall(r'<a class="(next|prev)-page" href="([^"]*)"', html))


def test_programs_follow_each_other_as_their_chapter_shows_them(made):
    made = build(made)
    assert neighbors(made.page("programs/part/demo/demo.html")) == {"next": "alpha.html"}
    assert neighbors(made.page("programs/part/demo/alpha.html")) == {"prev": "demo.html", "next": "beta.html"}
    assert neighbors(made.page("programs/part/demo/beta.html")) == {"prev": "alpha.html"}


def test_the_last_program_of_a_chapter_leads_to_the_first_of_the_next(made):
    made.page("part/first.rst", "First\n=====\n\n" + CARDS.format("beta"))
    made = made.build("".join(CARDS.format(name) for name in ("demo", "alpha")), **THEME)
    beta = made.page("programs/part/demo/beta.html")
    assert neighbors(beta) == {"next": "demo.html"} and '<div class="title">demo.cu (Demo)</div>' in beta
    demo = made.page("programs/part/demo/demo.html")
    assert neighbors(demo) == {"prev": "beta.html", "next": "alpha.html"}
    assert '<div class="title">beta.cu (First)</div>' in demo and '<div class="title">alpha.cu</div>' in demo


def test_pages_follow_each_other_as_the_part_lists_them(made):
    assert neighbors(build(made).page("part/first.html")) == {"next": "demo.html", "prev": "index.html"}


def test_a_program_that_no_page_shows_stands_below_its_folder(made):
    made.declare(*(f"lockstep_program({name})" for name in ("alpha", "beta", "demo", "lonely")))
    made.write("lonely.cu", DEMO)
    assert trail(build(made).page("programs/part/demo/lonely.html"))[-2:] == [
        '<a href="../../../part/demo.html">Demo</a>',
        "lonely.cu",
    ]


def test_chapters_that_use_the_same_names_are_related(made):
    made.page("part/index.rst", "A part\n======\n\n.. toctree::\n\n   first\n   demo\n   far\n   last\n")
    made.page("part/far.rst", "Far\n===\n\nText.\n")
    made.page("part/last.rst", "Last\n====\n\n.. listing:: part/demo/demo\n   :region: kernel\n")
    html = build(made).page("part/last.html")
    related = html.partition('<nav class="lockstep-related"')[2].partition("</nav>")[0]
    assert '<a href="demo.html">Demo</a>' in related and "Far" not in related


def test_pages_that_link_the_same_are_related(made):
    made.page(
        "part/index.rst",
        "A part\n======\n\n.. toctree::\n\n   first\n   demo\n   words\n   far\n   last\n   list\n   other\n",
    )
    made.page("part/words.rst", "Words\n=====\n\n.. glossary::\n\n   warp\n      32 threads.\n")
    made.declare(*(f"lockstep_program({name})" for name in ("alpha", "beta", "demo", "plain")))
    made.write("plain.cu", "// It uses no name.\nint main() {}\n")
    shown = "\n.. listing:: part/demo/plain\n"
    made.page("part/far.rst", f"Far\n===\n\nA :term:`warp`.\n{shown}")
    made.page("part/first.rst", f"First\n=====\n\nText.\n{shown}")
    made.page("part/last.rst", f"Last\n====\n\nSee :doc:`first`.\n{shown}")
    made.page("part/other.rst", f"Other\n=====\n\n:term:`Warps <warp>`.\n{shown}")
    made.page("part/list.rst", "List\n====\n\n:term:`Warps <warp>`.\n")
    found = build(made)

    def near(page: str) -> list[str]:
        box = found.page(f"part/{page}.html").partition('<nav class="lockstep-related"')[2].partition("</nav>")[0]
        return re.findall("<li><a[^>]*>(.*?)</a>", box)

    assert near("far") == ["Other"] and near("other") == ["Far"], "both link the term"
    assert near("first") == ["Last"], "which links it"
    assert near("list") == [], "since it shows no program"


def test_programs_of_another_chapter_are_related(made):
    made.page("part/index.rst", "A part\n======\n\n.. toctree::\n\n   first\n   demo\n   last\n")
    made.page("part/last.rst", "Last\n====\n\n.. program-card:: part/demo/gamma\n")
    made.declare(*(f"lockstep_program({name})" for name in ("alpha", "beta", "demo", "gamma")))
    made.write("gamma.cu", DEMO)
    html = build(made).page("programs/part/demo/gamma.html")
    assert '<li><a href="alpha.html">alpha.cu</a> <span>in Demo</span></li>' in html
    assert "lockstep-related" in html and 'href="gamma.html"' not in html.partition("lockstep-related")[2]


def test_a_page_has_one_viewport_and_named_sides(made):
    html = build(made).html
    assert html.count('name="viewport"') == 1
    assert re.findall("<aside[^>]*>", html) == [
        '<aside aria-label="Site" class="sidebar-drawer">',
        '<aside aria-label="On this page" class="toc-drawer no-toc">',
    ]


def test_descriptions_are_short_on_pages_and_programs(made):
    made.write("alpha.cu", "// Is it long? " + "Very long, " * 30 + "indeed.\n" + DEMO.partition("\n")[2])
    found = build(made, "words " * 50)
    described = [
        re.search('<meta name="description" content="([^"]*)">', found.page(name))[1]
        for name in ("part/demo.html", "programs/part/demo/alpha.html")
    ]
    assert described[0] == "Opening words." and described[1].startswith("Is it long? Very long,")
    assert all(0 < len(text) <= 160 for text in described)


FOOT = re.compile(r'<div class="right-details lockstep-foot">(.*?)</div>', re.S)


def test_without_settings_the_footer_tells_the_version_alone(made, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(made.root.parent))
    assert FOOT.search(build(made).html)[1].strip() == "<p>Site 1.0</p>"


def test_footer_names_the_toolkit_of_the_recordings(made):
    (made.root / "ci").mkdir()
    (made.root / "ci/requirements-cuda.in").write_text("cuda-toolkit==13.0.1\n")
    assert "Site 1.0, recorded with CUDA Toolkit 13.0" in FOOT.search(build(made).html)[1]


def issue(html: str) -> dict[str, list[str]]:
    """What the issue holds that the footer's question opens."""
    [address] = re.findall('<a href="([^"]*)">Was this page clear\\?</a>', FOOT.search(html)[1])
    assert address.startswith("https://example.org/me/site/issues/new?")
    return parse_qs(urlsplit(unescape(address)).query)


def test_one_setting_offers_to_edit_and_to_report(made):
    (made.root / "ci").mkdir()
    (made.root / "ci/requirements-cuda.in").write_text("cuda-toolkit==13.0.1\n")
    found = build(made, lockstep_repository="https://example.org/me/site")
    assert '<a href="https://example.org/me/site/edit/main/docs/part/demo.rst">Edit this page</a>' in found.html
    asked = "What was unclear, missing or wrong?\n\n\n\nPage: {}\nVersion: Site 1.0, CUDA Toolkit 13.0\n"
    assert issue(found.html) == {"title": ["Demo: "], "body": [asked.format("docs/part/demo.rst")]}
    program = found.page("programs/part/demo/alpha.html")
    assert "https://example.org/me/site/edit/main/programs/part/demo/alpha.cu" in program
    assert issue(program) == {"title": ["alpha.cu: "], "body": [asked.format("programs/part/demo/alpha.cu")]}
    assert "clear?" not in found.page("search.html"), "which is no page that anyone wrote"


@pytest.mark.skipif(not shutil.which("git"), reason="git is missing")
def test_footer_tells_the_day_of_the_last_change_of_page_or_program(made):
    build(made)
    commit(made.root, "2026-01-02")
    found = build(made)
    assert '<time datetime="2026-01-02">2026-01-02</time>' in FOOT.search(found.page("part/first.html"))[1]
    made.write("alpha.cu", DEMO + "// more\n")
    commit(made.root, "2026-03-04")
    found = build(made, fresh=False)
    assert '<time datetime="2026-03-04">' in FOOT.search(found.html)[1]
    assert '<time datetime="2026-03-04">' in FOOT.search(found.page("programs/part/demo/alpha.html"))[1]
    assert '<time datetime="2026-01-02">' in FOOT.search(found.page("part/first.html"))[1]


def commit(root, day: str) -> None:
    """Commits all pages and programs on a day, and notes the history as `make html` does."""
    for command in (
        ["init", "-q"],
        ["add", "docs", "programs"],
        ["-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "x"],
    ):
        date = f"{day}T12:00:00Z"
        environment = {"GIT_COMMITTER_DATE": date, "GIT_AUTHOR_DATE": date, "PATH": "/usr/bin:/bin", "HOME": str(root)}
        subprocess.run(["git", "-C", str(root), *command], check=True, env=environment)
    history.note(root)


def test_a_new_title_above_reaches_the_breadcrumbs_below(made):
    build(made)
    made.page("part/index.rst", "Another name\n============\n\n.. toctree::\n\n   first\n   demo\n")
    assert '<a href="index.html">Another name</a>' in trail(build(made, fresh=False).page("part/first.html"))


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("html_baseurl", "https://example.org/site"),
        ("html_baseurl", "example.org/"),
        ("lockstep_repository", "someone/lockstep"),
        ("lockstep_repository", "ftp://example.org/lockstep"),
    ],
)
def test_an_address_that_would_break_links_stops_the_build(made, setting, value):
    with pytest.raises(
        ExtensionError, match=f"LOCKSTEP_[A-Z]+ is {value}; give an address such as https://example.org"
    ):
        build(made, **{setting: value})
