"""Each fault in what frames a page is shown to the check, which must name it."""

import pytest

from lockstep.site import frames

BASE = "https://example.org/site/"
HTML = """<!doctype html><html><head><meta name="viewport" content="x">{head}</head><body>
<aside aria-label="Site"></aside>{trail}<article><p>Text.</p></article>{neighbors}</body></html>
"""
TRAIL = '<nav class="t" aria-label="breadcrumbs"><ol>{}<li aria-current="page">Here</li></ol></nav>'


@pytest.fixture
def site(tmp_path):
    """Two pages and two programs without a fault, with an address or without."""

    def write(address: str = "") -> dict[str, str]:
        made = {}
        around = {
            "programs/a/one.html": '<a class="next-page" href="two.html">',
            "programs/a/two.html": '<a class="prev-page" href="one.html">',
        }
        for name in ("index.html", "a/page.html", *around):
            head = '<meta name="description" content="What it is.">'
            if address:
                head += (
                    f'<link rel="canonical" href="{address}{name}"><meta property="og:url" content="{address}{name}">'
                    f'<meta property="og:image" content="{address}card.png">'
                )
            links = '<li><a href="x">x</a></li>' * 2
            trail = TRAIL.format(links) if name != "index.html" else ""
            made[name] = HTML.format(head=head, trail=trail, neighbors=around.get(name, ""))
        if address:
            urls = "".join(f"<url><loc>{address}{name}</loc></url>" for name in made)
            made["sitemap.xml"] = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
        return made

    def found(made: dict[str, str]) -> list[str]:
        for name, text in made.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return frames.findings(tmp_path)

    return write, found


@pytest.mark.parametrize("address", ["", BASE])
def test_a_site_without_a_fault_passes(site, address):
    write, found = site
    assert found(write(address)) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("a/page.html", "</head>", '<meta content="y" name="viewport"></head>', "2 viewport tags"),
        ("a/page.html", '<aside aria-label="Site">', "<aside>", "1 aside without a name"),
        ("a/page.html", "What it is.", "", "no description"),
        ("a/page.html", "What it is.", "x" * 161, "its description has 161 characters, over 160"),
        ("a/page.html", 'aria-current="page"', "", "no breadcrumbs that end in this page"),
        ("a/page.html", 'aria-label="breadcrumbs"', "", "no breadcrumbs that end in this page"),
        ("programs/a/one.html", '<li><a href="x">x</a></li>' * 2, '<li><a href="x">x</a></li>', "name no chapter"),
        ("programs/a/two.html", '<a class="prev-page" href="one.html">', "", "which does not name it in turn"),
        ("programs/a/one.html", "two.html", "gone.html", "which does not name it in turn"),
        (
            "programs/a/two.html",
            '<a class="prev-page" href="one.html">',
            "",
            "two.html: its page has no previous program",
        ),
        ("a/page.html", "</head>", '<meta property="og:url" content="x"></head>', "but no canonical one"),
    ],
)
def test_a_fault_is_named(site, name, old, new, fault):
    write, found = site
    made = write()
    assert old in made[name]
    made[name] = made[name].replace(old, new)
    assert any(fault in text for text in found(made))


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("a/page.html", f'<link rel="canonical" href="{BASE}a/page.html">', "", "its canonical address and og:url"),
        (
            "a/page.html",
            f'og:url" content="{BASE}a/page.html',
            'og:url" content="other',
            "its canonical address and og:url",
        ),
        ("a/page.html", f"{BASE}card.png", "card.png", "og:image must be an address of this site"),
        ("sitemap.xml", f"<loc>{BASE}a/page.html</loc>", "<loc>x</loc>", f"sitemap.xml: lacks {BASE}a/page.html"),
        ("sitemap.xml", f"<loc>{BASE}a/page.html</loc>", "<loc>x</loc>", "sitemap.xml: x is no page"),
    ],
)
def test_a_fault_in_addresses_is_named(site, name, old, new, fault):
    write, found = site
    made = write(BASE)
    assert old in made[name]
    made[name] = made[name].replace(old, new)
    assert any(fault in text for text in found(made))


def test_a_missing_sitemap_is_named(site):
    write, found = site
    made = write(BASE)
    del made["sitemap.xml"]
    assert found(made) == ["sitemap.xml: is missing, though pages name their address"]


def test_a_sitemap_that_an_earlier_build_left_is_named(site):
    write, found = site
    assert found(write() | {"sitemap.xml": "x"}) == ["sitemap.xml: the site has no address; build it again"]


def test_an_empty_folder_is_refused(tmp_path, capsys):
    assert frames.main([str(tmp_path)]) == 2 and "make html" in capsys.readouterr().err
