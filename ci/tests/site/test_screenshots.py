"""The pictures for a person to look at: all are taken, of pages that came to what they should show."""

import re
from contextlib import nullcontext

import pytest

from lockstep.calculators import CALCULATORS
from lockstep.files import ROOT
from lockstep.site import screenshots
from lockstep.site.screenshots import Shot
from lockstep.site.server import serve


def test_a_picture_is_taken_at_both_widths_and_in_both_themes_after_its_deed(searched, browser, tmp_path_factory):
    target, seen = tmp_path_factory.mktemp("pictures"), []
    look = "[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]"
    with serve(searched) as base:
        shot = Shot("home", "index.html", lambda page: seen.append(page.evaluate(look)))
        taken = screenshots.take(browser, base, shot, target)
    assert seen == [[1280, False], [1280, True], [390, False], [390, True]]
    assert [path.name for path in taken] == [
        f"home-{width}-{theme}.png" for width in (1280, 390) for theme in ("light", "dark")
    ]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in taken)


def test_a_printed_page_is_taken_as_it_is_on_paper(searched, browser, tmp_path_factory):
    seen = []
    with serve(searched) as base:
        shot = Shot("paper", "index.html", lambda page: seen.append(page.evaluate("matchMedia('print').matches")))
        [path] = screenshots.take_printed(browser, base, shot, tmp_path_factory.mktemp("pictures"))
    assert seen == [True] and path.name == "paper.png"


def test_the_search_is_shown_with_its_answers(searched, browser, tmp_path_factory, monkeypatch):
    monkeypatch.setattr(screenshots, "QUESTION", "kernel")
    monkeypatch.setattr(screenshots, "ROOT", tmp_path_factory.mktemp("root"))
    monkeypatch.setattr(screenshots, "chromium", lambda: nullcontext(browser))
    monkeypatch.setattr(screenshots, "PRINTED", ())
    shots = (
        Shot("box", "programming/kernels/errors.html", screenshots.type_question),
        Shot("page", "search.html?q=kernel", screenshots.see_answers),
    )
    monkeypatch.setattr(screenshots, "SHOTS", shots)
    assert screenshots.main([str(searched)]) == 0


def test_a_page_that_does_not_come_to_what_it_should_show_is_an_error(
    searched, browser, tmp_path_factory, monkeypatch, capsys
):
    monkeypatch.setattr(screenshots, "WAIT_MS", 200)
    monkeypatch.setattr(screenshots, "ROOT", tmp_path_factory.mktemp("root"))
    monkeypatch.setattr(screenshots, "chromium", lambda: nullcontext(browser))
    monkeypatch.setattr(screenshots, "PRINTED", ())
    monkeypatch.setattr(screenshots, "SHOTS", (Shot("map", "index.html", screenshots.open_facts),))
    assert screenshots.main([str(searched)]) == 1
    assert "map: index.html: Locator.click: Timeout" in capsys.readouterr().err


@pytest.mark.content
def test_the_search_the_map_print_and_each_calculator_are_among_the_pictures():
    names = {shot.name for shot in screenshots.SHOTS}
    assert {"search-box", "search-page", "map", "map-facts", *(f"calculator-{name}" for name in CALCULATORS)} <= names
    assert {"print-map", "print-calculator", "print-chart"} <= {shot.name for shot in screenshots.PRINTED}
    pages = {
        re.split("[?#]", shot.address)[0].removesuffix(".html") for shot in (*screenshots.SHOTS, *screenshots.PRINTED)
    }
    sources = [ROOT / (f"{page}.cu" if page.startswith("programs/") else f"docs/{page}.rst") for page in pages]
    assert {path.name for path in sources if not path.exists()} <= {"search.rst"}  # which the theme makes
