"""Each browser check is shown a page that breaks it, and must say so."""

import pytest

from lockstep.site import browser as checks
from lockstep.site.server import serve


@pytest.fixture
def visit(site, browser):
    def open_page(body: str, head: str = "", looks=checks.LOOKS[0]) -> checks.Report:
        with serve(site(head=head, index=body)) as base, checks.window(browser) as page:
            page.route("http://example.invalid/**", lambda route: route.abort())  # no test asks the network
            return checks.visit(page, base, "index.html", looks)

    return open_page


def test_a_good_page_passes(visit):
    assert visit("<p>text</p>").findings == []


def test_low_contrast_is_found(visit):
    findings = visit('<p style="color: #bbb; background: #fff">faint</p>').findings
    assert any("axe color-contrast" in text for text in findings)


def test_low_contrast_in_the_dark_alone_is_found(visit):
    head = "<style>@media (prefers-color-scheme: dark) { p { color: #333; background: #000 } }</style>"
    for looks, faint in zip(checks.LOOKS, ("390 px, dark", "1280 px, dark"), strict=True):
        [finding] = visit("<p>faint</p>", head, looks).findings
        assert f"({faint}): axe color-contrast" in finding


def test_faint_words_in_code_are_found_once_of_each_kind(visit):
    word = '<span class="k">if</span><span class="c1">// why</span>'
    head = "<style>pre { background: #fff; color: #000 } .c1 { color: #bbb }</style>"
    findings = visit(
        f'<div class="highlight-cuda"><div class="highlight"><pre>{word}{word}</pre></div></div>', head
    ).findings
    assert len(findings) == 2 and all("1 times, first at " in text for text in findings)


def test_small_targets_are_found(visit):
    small = '<button style="width: 8px; height: 8px; padding: 0; border: 0" aria-label="x"></button>'
    assert any("axe target-size" in text for text in visit(f"<div>{small}{small}</div>").findings)


def test_console_error_is_found(visit):
    assert any("console error: planted" in text for text in visit("<script>console.error('planted')</script>").findings)


def test_script_error_is_found(visit):
    assert any("script error: planted" in t for t in visit("<script>throw new Error('planted')</script>").findings)


def test_missing_file_is_found(visit):
    assert any("404" in text for text in visit('<p>x</p><script src="gone.js"></script>').findings)


def test_sideways_scroll_is_found_on_the_phone_only(visit):
    [finding] = visit('<div class="wide" style="width: 600px">x</div>').findings
    assert "390 px" in finding and "div.wide is too wide" in finding


def test_another_host_is_found(visit):
    findings = visit('<img alt="x" src="http://example.invalid/x.png">').findings
    assert any("asks another host: http://example.invalid/x.png" in text for text in findings)


def test_too_many_requests_are_found(visit, site):
    (site(index="") / "x.css").write_text("p { margin: 0 }")
    head = "".join(f'<link rel="stylesheet" href="x.css?{n}">' for n in range(12))
    assert any("13 requests, over 12" in text for text in visit("<p>x</p>", head).findings)


def test_a_heavy_page_is_found(visit, site):
    (site(index="") / "heavy.js").write_bytes(
        b"//" + bytes(ord("a") + (n * n * 7919 + n // 3) % 26 for n in range(200_000))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "MAX_PAGE_BYTES", 1_000)
        assert any(
            "a first visit loads" in text for text in visit("<p>x</p>", '<script src="heavy.js"></script>').findings
        )


def test_pictures_do_not_count(visit, site):
    (site(index="") / "big.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    body = "".join(f'<img alt="x" src="big.svg?{n}">' for n in range(20))
    assert visit(body).findings == []


def test_large_html_is_found(site):
    [finding] = checks.static_weight(site(index="x" * 300_001))
    assert finding.startswith("index.html: 300")


def test_many_elements_are_found():
    reports = [checks.Report([], 3_001), checks.Report([], 3_001), checks.Report([], 10)]
    assert checks.median_nodes(reports) and not checks.median_nodes(reports[1:])


SESSION = """<div class="highlight"><pre>$ ./a --n 5
elements 5
$ ./b
</pre><button onclick="navigator.clipboard.writeText({text})">Copy</button></div>"""


def copy(site, browser, text: str) -> list[str]:
    with serve(site(index=SESSION.replace("{text}", text))) as base:
        return checks.copy_leaves_prompts_out(browser, base, "index.html")


def test_copying_the_commands_passes(site, browser):
    assert copy(site, browser, r"'./a --n 5\n./b'") == []


def test_copying_prompts_is_found(site, browser):
    [finding] = copy(site, browser, r"'$ ./a --n 5\n$ ./b'")
    assert finding.startswith("copy: index.html copies ['$ ./a --n 5'")


def test_missing_copy_button_is_found(site, browser):
    with serve(site(index="<p>x</p>")) as base:
        assert "no terminal session" in checks.copy_leaves_prompts_out(browser, base, "index.html")[0]


def toggle(site, browser, script: str) -> list[str]:
    body = f'<button class="theme-toggle" onclick="{script}">theme</button>'
    head = "<script>addEventListener('load', () => { if (localStorage.dark) document.body.style.background = '#000' })</script>"
    with serve(site(head=head, index=body)) as base:
        return checks.theme_toggles(browser, base)


def test_a_theme_button_that_works_passes(site, browser):
    assert toggle(site, browser, "localStorage.dark = 1; document.body.style.background = '#000'") == []


def test_a_dead_theme_button_is_found(site, browser):
    assert toggle(site, browser, "") == ["theme: the theme button does not darken the page"]


def test_a_forgotten_theme_is_found(site, browser):
    assert "forgotten" in toggle(site, browser, "document.body.style.background = '#000'")[0]


def unknown(site, browser, **pages: str) -> list[str]:
    with serve(site(index="<p>x</p>", **pages)) as base:
        return checks.unknown_address_is_answered(browser, base)


def test_a_404_page_that_leads_home_passes(site, browser):
    assert unknown(site, browser, **{"404": '<a href="/index.html">home</a>'}) == []


def test_a_missing_404_page_is_found(site, browser):
    assert unknown(site, browser) == ["404 page: there is none that leads home"]


def test_a_404_page_with_relative_links_is_found(site, browser):
    assert unknown(site, browser, **{"404": '<a href="index.html">home</a>'}) == ["404 page: its link leads nowhere"]


def test_two_parts_of_a_page_with_one_name_are_found(visit):
    findings = visit("<p>x</p></main><aside>a</aside><aside>b</aside><main hidden>").findings
    assert any("axe landmark-unique" in text for text in findings)


def test_chapters_are_all_opened_and_of_programs_a_sample_with_the_measured_ones():
    chapters = ["index.html", *(f"part/page{n}.html" for n in range(99))]
    programs = [f"programs/part/page/program{n}.html" for n in range(500)]
    measured = [name for name in checks.speed.PAGES if name.startswith("programs/")]
    chosen = checks.sample([*chapters, *programs, *measured])
    assert chosen[:100] == chapters and measured and set(measured) < set(chosen)
    assert checks.SAMPLE <= len(chosen) - 100 <= checks.SAMPLE + len(measured)
    assert set(checks.sample([*measured, *programs[::-1]])) == set(chosen) - set(chapters), "it is the same each time"


def test_a_page_that_passed_is_not_opened_again_until_something_of_it_changes(site, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    measured, *_ = checks.speed.PAGES
    folder = site(index="<p>text</p>", bad="<p>text</p>", good="<p>text</p>", _static__site="a style")
    names = ["index.html", "bad.html", "good.html"]
    keys = checks.page_keys(folder, names)
    assert measured == "index.html" and checks.passed(keys) == {}
    good, bad = checks.Report([], 5, 700), checks.Report(["bad.html: scrolls"], 5)
    checks.keep(keys, {"index.html": good, "bad.html": bad, "good.html": good}, ["index.html: too slow"])
    assert checks.passed(checks.page_keys(folder, names)) == {"good.html": good}
    for changed in ("good.html", "_static/site.html"):
        before = checks.page_keys(folder, names)
        (folder / changed).write_text("another")
        assert checks.page_keys(folder, names)["good.html"] != before["good.html"]
    monkeypatch.setattr(checks.cache, "version", lambda _: "another browser")
    assert checks.page_keys(folder, names)["good.html"] not in (keys["good.html"], before["good.html"])
