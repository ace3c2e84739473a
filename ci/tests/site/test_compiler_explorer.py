"""A card's link to Compiler Explorer goes on from the page of the program's source, which alone holds the address."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from lockstep.site.server import serve

OUTSIDE = "https://godbolt.org/clientstate/eNo"
CARD = '<p><a id="link" href="programs/demo.html#compiler-explorer">Open in Compiler Explorer</a></p>'
SOURCE = f'<p class="lockstep-links" id="compiler-explorer"><a href="{OUTSIDE}">Open in Compiler Explorer</a></p>'


@pytest.fixture
def site(searched: Path, add_page: Callable[..., None]) -> Path:
    add_page("card.html", "Card", CARD)
    add_page("programs/demo.html", "demo.cu", SOURCE)
    return searched


def open_page(browser, address: str, **options: bool) -> Page:
    context = browser.new_context(**options)
    context.route(  # no test asks the network
        lambda url: not url.startswith(("http://127.0.0.1:", "file:")),
        lambda route: route.fulfill(body="there") if route.request.url == OUTSIDE else route.abort(),
    )
    page = context.new_page()
    page.goto(address)
    return page


def test_a_click_opens_it(site, browser):
    with serve(site) as base:
        page = open_page(browser, base + "card.html")
        page.locator("#link").click()
        page.wait_for_url(OUTSIDE)
        page.context.close()


def test_without_scripts_the_link_leads_to_the_source(site, browser):
    with serve(site) as base:
        page = open_page(browser, base + "card.html", java_script_enabled=False)
        page.locator("#link").click()
        page.wait_for_url(base + "programs/demo.html#compiler-explorer")
        page.context.close()


def test_from_disk_the_link_leads_to_the_source(site, browser):
    page = open_page(browser, (site / "card.html").as_uri())
    page.locator("#link").click()
    page.wait_for_url((site / "programs/demo.html").as_uri() + "#compiler-explorer")
    page.context.close()
