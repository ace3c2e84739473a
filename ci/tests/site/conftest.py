"""A site of a page or two, and one that can be searched."""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from lockstep.files import ROOT
from lockstep.site import search_index

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">{head}</head>
<body><main role="main"><h1>A page</h1>{body}</main></body></html>
"""


@pytest.fixture
def site(tmp_path):
    """Writes pages into a folder: `site(index="<p>text</p>")`; a double underscore stands for a slash."""

    def write(head: str = "", **bodies: str) -> Path:
        for name, body in bodies.items():
            path = tmp_path / (name.replace("__", "/") + ".html")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(PAGE.format(head=head, body=body))
        return tmp_path

    return write


STATIC = ROOT / "docs/_static"
BOX = '<input class="sidebar-search" id="{id}" name="q" aria-label="Search the site">'
SEARCHED = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width">{former}
<link rel="stylesheet" href="{root}_static/site.css">
<style>body {{ --color-background-primary: #fff; --color-background-hover: #eee; --color-foreground-primary: #000;
--color-foreground-secondary: #444; --color-brand-primary: #0b6b50; }} .visually-hidden {{ position: absolute; left: -9999px }}
h1 {{ margin-top: 10rem }} input, button {{ min-height: 24px }}</style></head>
<body><header><form class="header-search" action="{root}search.html" role="search" aria-label="Top">{above}</form></header>
<aside aria-label="Side"><form class="sidebar-search-container" action="{root}search.html" role="search" aria-label="Side">{beside}</form></aside>
<article role="main" id="furo-main-content"><section id="top"><h1>{title}<a class="headerlink" href="#top">¶</a></h1>
{body}</section></article>
<script src="{root}_static/site.js" defer></script></body></html>
"""
SEARCH = """<form class="search-form" role="search" aria-label="Pages"><input name="q" aria-label="Search for"><button>Search</button></form>
<noscript><p>Without JavaScript: <a href="index.html">home</a></p></noscript>
<p class="search-status" role="status"></p><ol class="search-results"></ol>"""


def write_page(folder: Path, address: str, title: str, body: str, former: str = "") -> None:
    """Writes one page."""
    root = "../" * address.count("/")
    meta = f'<meta name="former-title" content="{former}">' if former else ""
    boxes = {"above": BOX.format(id="above"), "beside": BOX.format(id="beside")}
    path = folder / address
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SEARCHED.format(title=title, body=body, former=meta, root=root, **boxes), encoding="utf-8")


@pytest.fixture
def searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pages like those that the theme makes, the real scripts, an index."""
    folder = tmp_path
    monkeypatch.setattr(search_index, "PAGES", folder)  # no sources, so no search words
    (folder / "_static").mkdir()
    for name in ("site.js", "site.css"):
        shutil.copy(STATIC / name, folder / "_static" / name)
    write_page(folder, "index.html", "Home", "<p>A site about every kernel.</p>")
    write_page(folder, "404.html", "This page is not here", "<p>Search for it.</p>")
    write_page(folder, "search.html", "Search", SEARCH)
    write_page(folder, "programming/index.html", "Programming", "<p>All of it.</p>")
    write_page(folder, "programming/kernels/index.html", "Kernels", "<p>What a kernel is.</p>")
    write_page(
        folder,
        "programming/kernels/errors.html",
        "Error checking",
        '<p>A kernel returns nothing.</p><section id="cudagetlasterror"><h2>cudaGetLastError</h2><div class="highlight"><pre>'
        '<span class="n">lockstep</span>::<span class="n">check</span>(<span class="n">cudaGetLastError</span>());'
        '</pre></div></section><section id="odd"><h2>Scopes</h2><p><code>cuda::barrier</code> takes part.</p></section>',
        former="When a kernel goes wrong",
    )
    write_page(
        folder,
        "reference/words.html",
        "Glossary",
        '<dl><dt id="term-coalescing">coalescing</dt><dt id="term-coalesced-access">coalesced access</dt>'
        '<dd>Few transfers for a warp.</dd><dt id="term-warp">warp</dt><dd>32 threads.</dd></dl>',
    )
    write_page(
        folder,
        "reference/apis/runtime_functions.html",
        "CUDA runtime API: functions",
        '<div class="lockstep-index"><dl class="lockstep-programs"><dt id="api-cudagetlasterror"><a href="#x"><code>'
        'cudaGetLastError</code></a></dt><dd><a href="../../programs/programming/kernels/errors/last_error.html">last_error</a>'
        "</dd></dl></div>",
    )
    write_page(
        folder,
        "programs/programming/kernels/errors/last_error.html",
        "last_error.cu",
        "<p>What does a failed launch leave?</p><pre>cudaGetLastError(); // cp.async.bulk.commit_group, ends a kernel</pre>",
    )
    search_index.write(folder)
    return folder


@pytest.fixture
def add_page(searched: Path) -> Callable[..., None]:
    """Adds a page to that site: `add_page("card.html", "Card", "<p>text</p>")`."""
    return partial(write_page, searched)
