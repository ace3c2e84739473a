"""The reader's place: marks, counts, exercises, export and import, in a real browser on a site of four pages."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from lockstep.files import ROOT
from lockstep.site.browser import accessibility
from lockstep.site.server import serve
from lockstep_sphinx import assets

STATIC = ROOT / "docs/_static"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{name}</title><link rel="icon" href="data:,">
<script src="{root}_static/reader.js" defer></script></head><body>
<nav class="sidebar-tree">{links}</nav><main id="furo-main-content"><h1>{name}</h1>{body}</main></body></html>
"""
PAGES = {
    "index": "",
    "labs/index": '<div class="place-count" data-exercises="roll_call vector" data-pages="first index second"></div><div class="place" hidden></div>',
    "labs/first": '<div class="lockstep-exercise" data-program="labs/first/roll_call"><p class="lockstep-links"></p></div>'
    '<div class="place" hidden></div>',
    "labs/second": '<div class="place" hidden></div>',
    "your_progress": '<div class="place-settings" data-exercises="roll_call vector" data-pages="labs/first labs/index labs/second" data-predictions="labs/first/tile labs/first/copy">'
    '<p role="status">Nothing is kept.</p></div>',
}


@pytest.fixture
def place_site(tmp_path: Path) -> Path:
    assets.put(tmp_path / "_static")
    shutil.copy(STATIC / "reader.js", tmp_path / "_static/reader.js")
    for name, body in PAGES.items():
        root = "../" * name.count("/")
        has = {"labs/first": ' data-exercises="roll_call vector"'}  # exercises
        links = " ".join(
            f'<a class="reference internal" href="{root}{other}.html"{has.get(other, "")}>{other}</a>'
            for other in PAGES
        )
        path = tmp_path / f"{name}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(PAGE.format(name=name, root=root, links=links, body=body))
    return tmp_path


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context()
    opened.set_default_timeout(20_000)
    yield opened
    opened.close()


@pytest.fixture
def reader(place_site: Path, context: BrowserContext) -> Iterator[Page]:
    """A page whose `goto` takes names of the site, and which must never complain."""
    complaints: list[str] = []
    with serve(place_site) as base:
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        go = page.goto
        page.goto = lambda name: go(f"{base}{name}.html")  # type: ignore[method-assign, assignment, misc]
        yield page
        assert complaints == []


def stored(page: Page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(page.evaluate("localStorage.getItem('lockstep-place')"))
    return {name: found[name] for name in ("read", "solved")}


def test_a_page_is_read_when_the_reader_says_so(reader: Page) -> None:
    reader.goto("labs/first")
    assert reader.locator(".place-mark").count() == 0
    reader.get_by_label("I have read this page").check()
    assert stored(reader) == {"read": ["labs/first"], "solved": []}
    reader.goto("labs/index")
    assert reader.get_by_role("link", name="labs/first read", exact=True).count() == 1
    assert reader.locator(".place-mark").count() == 1
    assert reader.locator(".place-count").text_content() == "1 of 3 pages read, 0 of 2 exercises solved"


def test_a_mark_is_taken_back(reader: Page) -> None:
    reader.goto("labs/second")
    box = reader.get_by_label("I have read this page")
    box.check()
    reader.reload()
    assert box.is_checked()
    box.uncheck()
    assert reader.locator(".place-mark").count() == 0
    assert stored(reader)["read"] == []


def test_an_exercise_is_marked_with_the_keyboard(reader: Page) -> None:
    reader.goto("labs/first")
    reader.get_by_label("Solved").focus()
    reader.keyboard.press("Space")
    assert stored(reader) == {"read": [], "solved": ["roll_call"]}
    reader.goto("labs/index")
    assert "1 of 2 exercises solved" in (reader.locator(".place-count").text_content() or "")


def test_solved_exercises_are_counted_in_the_list_of_pages(reader: Page) -> None:
    reader.goto("labs/first")
    assert reader.locator(".place-solved").count() == 0
    box = reader.get_by_role("checkbox", name="Solved")
    box.check()
    assert reader.get_by_role("link", name="labs/first 1 of 2 exercises solved", exact=True).count() == 1
    assert reader.locator(".place-solved").all_inner_texts() == ["1/2"]
    reader.get_by_label("I have read this page").check()
    reader.goto("labs/second")
    assert reader.get_by_role("link", name="labs/first read 1 of 2 exercises solved", exact=True).count() == 1
    reader.goto("labs/first")
    box.uncheck()
    assert reader.locator(".place-solved").count() == 0


def test_another_tab_follows(reader: Page, context: BrowserContext) -> None:
    reader.goto("labs/first")
    other = context.new_page()
    other.goto(reader.url)
    other.get_by_label("I have read this page").check()
    reader.locator(".place-mark").wait_for()
    assert reader.get_by_label("I have read this page").is_checked()


def test_without_storage_nothing_is_offered(place_site: Path, context: BrowserContext) -> None:
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError') }})"
    )
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    with serve(place_site) as base:
        for name in PAGES:
            page.goto(f"{base}{name}.html")
            assert page.locator("input").count() == 0
        assert page.locator("[role=status]").text_content() == "Nothing is kept."
    assert errors == []


def test_a_damaged_entry_counts_as_nothing(reader: Page) -> None:
    reader.goto("index")
    reader.evaluate("localStorage.setItem('lockstep-place', '{\"read\": 5')")
    reader.goto("labs/first")
    assert not reader.get_by_label("I have read this page").is_checked()


def test_full_storage_leaves_the_box_as_it_was(reader: Page) -> None:
    reader.goto("labs/first")
    reader.evaluate("void (Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') })")
    reader.get_by_label("I have read this page").click()
    assert not reader.get_by_label("I have read this page").is_checked()


def chosen(page: Page, content: bytes, name: str = "place.json") -> str:
    """What the page says when a file is imported."""
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "", "buffer": content})
    page.wait_for_function("document.querySelector('[role=status]').textContent.includes('mport')")
    return page.locator("[role=status]").text_content() or ""


def test_what_is_exported_can_be_imported(reader: Page, tmp_path: Path) -> None:
    reader.goto("labs/first")
    reader.get_by_label("I have read this page").check()
    reader.get_by_label("Solved").check()
    reader.goto("your_progress")
    with reader.expect_download() as download:
        reader.get_by_role("button", name="Export to a file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    before = stored(reader)
    reader.once("dialog", lambda dialog: dialog.accept())
    reader.get_by_role("button", name="Forget everything").click()
    assert reader.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('lockstep')).length") == 0
    assert chosen(reader, file.read_bytes()) == (
        "Imported place.json. Kept: 1 of 3 pages read, 1 of 2 exercises solved, 0 of 2 predictions right."
    )
    assert stored(reader) == before


def test_predictions_are_exported_and_imported_and_older_files_have_none(reader: Page) -> None:
    reader.goto("your_progress")
    new = b'{"format": "lockstep-place", "version": 1, "read": [], "solved": [], "predicted": ["labs/first/tile"]}'
    assert "1 of 2 predictions right" in chosen(reader, new)
    assert "1 of 2 predictions right" in chosen(
        reader, b'{"format": "lockstep-place", "version": 1, "read": [], "solved": []}'
    )
    kept = json.loads(reader.evaluate("localStorage.getItem('lockstep-place')"))
    assert kept["predicted"] == ["labs/first/tile"]


def test_an_import_takes_nothing_away(reader: Page) -> None:
    reader.goto("labs/first")
    reader.get_by_label("I have read this page").check()
    reader.goto("your_progress")
    chosen(reader, b'{"format": "lockstep-place", "version": 1, "read": [], "solved": ["vector"]}')
    assert stored(reader) == {"read": ["labs/first"], "solved": ["vector"]}


BAD = {
    "it does not hold JSON": [b"", b"{", b"\xff\xfe{\x00", b"<html></html>", b"\x00\x01\x02"],
    'its "format" is not "lockstep-place"': [b"[]", b"null", b"5", b'{"format": "other", "version": 1}'],
    "this site reads version 1 of the format only": [b'{"format": "lockstep-place", "version": 2}'],
    'its "read" is not a list of names': [
        b'{"format": "lockstep-place", "version": 1, "read": "all", "solved": []}',
        b'{"format": "lockstep-place", "version": 1, "read": ["<img src=x onerror=alert(1)>"], "solved": []}',
        b'{"format": "lockstep-place", "version": 1, "solved": []}',
    ],
    'its "predicted" is not a list of names': [
        b'{"format": "lockstep-place", "version": 1, "read": [], "solved": [], "predicted": [3]}'
    ],
    'its "solved" is not a list of names': [
        b'{"format": "lockstep-place", "version": 1, "read": [], "solved": [null]}'
    ],
    "it is larger than 1 MB": [b" " * 1_000_001],
}


@pytest.mark.parametrize(("reason", "content"), [(why, content) for why, bad in BAD.items() for content in bad])
def test_a_bad_file_changes_nothing(reader: Page, reason: str, content: bytes) -> None:
    reader.goto("labs/first")
    reader.get_by_label("I have read this page").check()
    before = reader.evaluate("localStorage.getItem('lockstep-place')")
    reader.goto("your_progress")
    said = chosen(reader, content)
    assert said.startswith(f"Not imported: place.json: {reason}. Nothing was changed.")
    assert reader.evaluate("localStorage.getItem('lockstep-place')") == before


def test_the_settings_can_be_read_to_all(reader: Page) -> None:
    reader.goto("your_progress")
    reader.get_by_role("button", name="Import a file").wait_for()
    assert accessibility(reader) == []


@pytest.mark.content
def test_the_page_about_what_is_kept_names_all_of_it() -> None:
    scripts = [*STATIC.rglob("*.js"), *assets.FOLDER.rglob("*.js"), *(ROOT / "docs/_templates").glob("*.html")]
    used = [text for path in scripts if "localStorage." in (text := path.read_text(encoding="utf-8"))]
    keys = {
        key for text in used for key in re.findall(r'(?:localStorage\.\w+\(|const [A-Z]+ = )"(lockstep-[\w:-]+)"', text)
    }
    assert {"lockstep-place", "lockstep-gpu:"} <= keys
    page = (ROOT / "docs/your_progress.rst").read_text(encoding="utf-8")
    tried = "lockstep-probe"  # is removed at once
    assert {key for key in {*keys, "theme"} if f"``{key}``" not in page} == {tried}
