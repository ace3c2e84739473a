"""The link check finds what leads nowhere, and nothing else."""

from lockstep.site import links


def test_good_links_pass(site):
    folder = site(
        index='<p id="here"><a href="sub/page.html#there">there</a> <a href="#here">here</a></p>',
        sub__page='<p id="there"><a href="../index.html">up</a> <a href="https://example.org/x">out</a></p>',
    )
    assert links.findings(folder) == []


def test_missing_file_is_found(site):
    [finding] = links.findings(site(index='<a href="gone.html">x</a>'))
    assert finding.startswith("index.html:3: gone.html leads to no file")


def test_missing_anchor_is_found(site):
    [finding] = links.findings(site(index='<a href="other.html#gone">x</a>', other="<p>y</p>"))
    assert "other.html#gone names an anchor" in finding


def test_missing_anchor_on_the_same_page_is_found(site):
    assert len(links.findings(site(index='<a href="#gone">x</a>'))) == 1


def test_missing_picture_is_found(site):
    assert len(links.findings(site(index='<img src="gone.svg" alt="x">'))) == 1


def test_leading_slash_counts_from_the_folder(site):
    folder = site(index="<p>home</p>", sub__page='<a href="/index.html">home</a> <a href="/gone.html">gone</a>')
    assert len(links.findings(folder)) == 1


def test_search_index_and_assets_are_no_pages(site):
    assert links.findings(site(index="<p>home</p>", _search__x='<a href="gone.html">x</a>')) == []


FOOTER = '<a class="next-page" href="two.html">Two</a>'


def test_words_about_the_next_page_need_no_link(site):
    folder = site(index=f'<p>Next: the second.</p> <p><a href="three.html">3</a></p>{FOOTER}', two="2", three="3")
    assert links.findings(folder) == []


def test_the_footer_alone_names_the_next_page(site):
    pages = {"two": "<p>2</p>", "three": "<p>3</p>", "chapter__index": "<p>4</p>"}
    [finding] = links.findings(site(index=f'<p>Next: <a href="two.html">two</a>.</p>{FOOTER}', **pages))
    assert "the footer leads to two.html already" in finding
    assert links.findings(site(index=f'<p>Next: <a href="chapter/index.html">on</a>.</p>{FOOTER}', **pages)) == []
    [finding] = links.findings(site(index=f'<p>Next: <a href="three.html">three</a>.</p>{FOOTER}', **pages))
    assert "three.html is named as the next page, but two.html follows" in finding
