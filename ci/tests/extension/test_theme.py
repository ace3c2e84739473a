"""What other extensions put on a page, and what the site does not use of it."""

from lockstep.files import ROOT

from .test_frame import THEME

EXTENSIONS = ["lockstep_sphinx", "notfound.extension", "lockstep_theme"]
WITH_THEME = THEME | {"extensions": EXTENSIONS, "notfound_template": "404.html", "notfound_urls_prefix": "/"}


def test_furo_is_not_asked_for_the_whole_tree_on_any_page(site, monkeypatch):
    asked = []
    monkeypatch.setattr("furo.get_navigation_tree", asked.append)
    found = site.build("Text.", **WITH_THEME)
    assert set(asked) == {""}
    assert '<a class="reference internal" href="/part/demo.html">Demo</a>' in found.page("404.html")


def test_signatures_hold_no_elements_without_a_look(site):
    text = ".. cpp:function:: void fill(int n)\n\n   Fills ``n`` bytes.\n"
    html = site.build(text, **WITH_THEME).html
    signature = html.partition('<dt class="sig ')[2].partition("</dt>")[0]
    assert '<span class="kt">void</span>' in signature and 'class="pre"' not in signature
    assert '<span class="pre">n</span>' in html  # a literal in a sentence


def test_long_names_in_a_table_break_between_their_words(site):
    rows = "\n   * - ``cudaErrorInvalidConfiguration``, ``fill``\n     - ``cuda::memcpy_async_tx(n)``\n"
    html = site.build(f"``cudaErrorInvalidConfiguration``\n\n.. list-table::\n{rows}", **WITH_THEME).html
    assert html.count("cuda<wbr>Error<wbr>Invalid<wbr>Configuration<") == 1
    assert html.count("cudaErrorInvalidConfiguration<") == 1 and ">fill<" in html
    assert "cuda::<wbr>memcpy_<wbr>async_<wbr>tx(n)" in html


def test_long_names_in_headings_and_beside_the_page_break_between_their_words(site):
    title = "cudaErrorInvalidConfiguration: not valid"
    site.page("part/other.rst", f"{title}\n{'=' * len(title)}\n\nText.\n")
    parts = "cuda<wbr>Error<wbr>Invalid<wbr>Configuration: not valid"
    found = site.build("Text.", **WITH_THEME)
    assert f"<h1>{parts}<" in found.page("part/other.html")
    assert f"<title>{title}" in found.page("part/other.html") and f">{parts}</a>" in found.page("part/demo.html")


def test_styles_of_cards_are_loaded_where_there_are_some(site):
    site.page("part/other.rst", "Other\n=====\n\n.. dropdown:: More\n\n   Text.\n")
    found = site.build("Text.", **WITH_THEME | {"extensions": ["sphinx_design", *EXTENSIONS]})
    assert "sphinx-design.min.css" in found.page("part/other.html")
    assert "sphinx-design.min.css" not in found.html and "styles/furo.css" in found.html


def test_the_page_of_results_loads_the_search_at_once_and_nothing_that_code_needs(site):
    own = {"html_additional_pages": {"search": "search.html"}, "html_js_files": [("reader.js", {"defer": ""})]}
    made = site.build("Text.", html_static_path=[str(ROOT / "docs/_static")], **own, **WITH_THEME)
    found = made.page("search.html")
    assert '<link rel="preload" as="script" href="_search/search.js">' in found
    for name in ("pygments.css", "reader.js"):
        assert name in made.html and name not in found
