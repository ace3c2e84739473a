"""Calculators in a real browser: loaded when seen, by keyboard and on a phone, and refusing what they do not take."""

from contextlib import contextmanager

import pytest

from lockstep.calculators import CALCULATORS
from lockstep.files import ROOT
from lockstep.site import browser as checks
from lockstep.site import explore_browser
from lockstep.site.server import serve
from lockstep_sphinx import assets

EXPLORE = ROOT / "docs/_ext/lockstep_sphinx/explore"
MAX_BYTES = 15_000  # a calculator with all that is loaded for it

CASES = """<details><summary>2 recorded cases</summary><table><thead><tr><th scope="col">word bytes</th><th scope="col">stride</th>
<th scope="col">offset</th><th scope="col">sectors</th></tr></thead>
<tbody><tr><td>4</td><td>3</td><td>0</td><td>12</td></tr></tbody></table></details>"""
COLUMNS = {"coalescing": "word_bytes stride offset sectors"}
BOX = '<div class="lockstep-explore" data-explore="{name}" data-columns="{columns}" data-folder="_static/explore/"><p class="explore-needs">Needed.</p><div hidden><p>In words.</p></div>{cases}</div>'
COLORS = """<style>body { --color-background-primary: #fff; --color-background-secondary: #f6f6f6; --color-background-border: #ddd;
--color-foreground-primary: #000; --color-foreground-secondary: #444; --color-foreground-muted: #777; margin: 16px }</style>"""
HEAD = '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="lockstep.css">' + COLORS


@pytest.fixture
def opened(site, browser):
    """Opens a page with a calculator under so many empty pixels."""

    @contextmanager
    def open_page(name: str = "coalescing", above: int = 0, scripts: bool = True, width: int = 390):
        box = BOX.format(name=name, columns=COLUMNS.get(name, ""), cases=CASES)
        script = f"<script>{(EXPLORE / 'seen.js').read_text()}</script>"
        folder = site(head=HEAD, index=f'<div style="height: {above}px"></div>{box}{script}')
        assets.put(folder / "_static")
        (folder / assets.STYLE).write_text(assets.style())
        context = browser.new_context(java_script_enabled=scripts, viewport={"width": width, "height": 800})
        with serve(folder) as base:
            page = context.new_page()
            page.set_default_timeout(10_000)
            page.goto(f"{base}index.html")
            try:
                yield page
            finally:
                context.close()

    return open_page


def test_it_is_loaded_when_it_is_about_to_be_seen(opened):
    asked = []
    with opened(above=5000) as page:
        page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
        page.wait_for_timeout(300)
        assert asked == [] and page.locator("form[aria-label]").count() == 0
        page.locator("summary").scroll_into_view_if_needed()
        page.wait_for_selector(".lockstep-explore svg")
        assert sorted(asked) == ["coalescing.js", "explore.css", "explore.js"]


@pytest.mark.parametrize("name", CALCULATORS)
def test_it_and_all_that_is_loaded_for_it_are_small(name):
    files = [EXPLORE / file for file in ("seen.js", "explore.js", "explore.css", f"{name}.js")]
    assert sum(file.stat().st_size for file in files) <= MAX_BYTES


def test_it_is_used_by_keyboard_alone(opened):
    with opened() as page:
        page.wait_for_selector(".lockstep-explore svg")
        assert page.get_by_text("In words.").is_visible() and page.get_by_text("Needed.").count() == 0
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowDown")  # 8 bytes
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowUp")  # a stride of 3
        assert page.locator("output").inner_text() == "24 sectors a request: 768 bytes moved, 256 used (33.3 %)."
        assert page.get_by_role("img").get_attribute("aria-label") == "Sectors touched: 0 to 23"


def test_it_says_what_was_recorded_of_the_same_case(opened):
    with opened() as page:
        page.get_by_label("stride, words").fill("3")
        assert page.locator("output").inner_text().endswith("(33.3 %). Recorded: 12 sectors.")


@pytest.mark.parametrize("typed", ["", "-1", "257", "1.5", "1e9"])
def test_what_it_does_not_take_is_refused_in_one_line(opened, typed):
    with opened() as page:
        stride = page.get_by_label("stride, words")
        stride.fill(typed)
        assert page.locator("output").inner_text() == "stride, words: a whole number from 0 to 256"
        assert stride.get_attribute("aria-invalid") == "true"
        stride.fill("1")
        assert page.locator("output").inner_text().startswith("4 sectors a request")
        assert stride.get_attribute("aria-invalid") == "false"


def test_the_fields_of_bank_conflicts_take_what_the_pattern_takes(opened):
    with opened("bank_conflicts") as page:
        page.get_by_label("word that a lane reads").select_option("tile")
        page.get_by_label("a", exact=True).fill("0")
        assert page.locator("output").inner_text() == "a: a whole number from 1 to 32"
        page.get_by_label("a", exact=True).fill("1")
        assert page.locator("output").inner_text() == "32 wavefronts, a 32-way bank conflict."
        page.get_by_label("b", exact=True).fill("1")
        assert page.locator("output").inner_text() == "1 wavefront, no bank conflict."


def test_occupancy_says_what_decides_and_that_no_block_fits(opened):
    with opened("occupancy") as page:
        page.wait_for_selector(".lockstep-explore svg")
        said = page.locator("output")
        assert said.inner_text().endswith("an occupancy of 50 %. Limited by shared memory.")
        page.get_by_label("compute capability").select_option("75")
        assert said.inner_text().endswith("an occupancy of 25 %. Limited by shared memory.")
        page.get_by_label("registers of a thread").fill("255")
        page.get_by_label("threads of a block").fill("1024")
        assert said.inner_text() == "No block fits: it needs more than an SM has to give (registers)."


@pytest.mark.parametrize("name", CALCULATORS)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_it_is_accessible_and_does_not_scroll_sideways(opened, name, theme, width):
    with opened(name, width=width) as page:
        page.wait_for_selector(".lockstep-explore svg")
        checks.look(page, width, theme)
        assert checks.accessibility(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_javascript_the_recorded_cases_remain(opened):
    with opened(scripts=False) as page:
        page.locator("summary").click()
        assert page.locator("td").all_inner_texts() == ["4", "3", "0", "12"]
        assert page.locator(".lockstep-explore form").count() == 0
        assert page.get_by_text("Needed.").is_visible() and not page.get_by_text("In words.").is_visible()


def test_what_cannot_be_loaded_is_said(opened):
    with opened(above=5000) as page:
        page.route("**/explore/coalescing.js", lambda route: route.abort())
        page.locator("summary").scroll_into_view_if_needed()
        page.wait_for_function("document.querySelector('.lockstep-explore').textContent.includes('did not load')")


@pytest.fixture
def on_its_page(site, browser):
    """What is found of the calculator of sectors on its page, which lists these cases: stride and sectors."""

    def find(cases: dict[int, int], promised: int, start: str = "lockstep-explore") -> list[str]:
        rows = "".join(f"<tr><td>4</td><td>{a}</td><td>0</td><td>{b}</td></tr>" for a, b in cases.items())
        table = f"<details><summary>{promised} recorded cases</summary><table><tbody>{rows}</tbody></table></details>"
        name, page = "coalescing", CALCULATORS["coalescing"].page
        box = BOX.format(name=name, columns=COLUMNS[name], cases=table).replace("lockstep-explore", start)
        box = box.replace("_static/", "../../_static/")
        script = f"<script>{(EXPLORE / 'seen.js').read_text()}</script>"
        folder = site(head=HEAD.replace("lockstep.css", "/lockstep.css"), **{page.replace("/", "__"): box + script})
        assets.put(folder / "_static")
        with serve(folder) as base:
            return explore_browser.findings(browser, base, folder)

    return find


def test_a_calculator_that_knows_its_first_case_passes(on_its_page):
    assert on_its_page({1: 4, 2: 8}, promised=2) == []


def test_a_calculator_that_does_not_know_its_first_case_is_found(on_its_page):
    said, listed = on_its_page({1: 4}, promised=2)
    assert "coalescing.html: the calculator coalescing says" in said and "nothing recorded of the case" in said
    assert listed.endswith("promises 2 recorded cases, and lists 1")


def test_a_calculator_that_does_not_come_is_found(on_its_page, monkeypatch):
    monkeypatch.setattr(explore_browser, "WAIT_MS", 300)
    assert on_its_page({}, promised=0, start="other") == [
        "programming/simt_kernels/coalescing.html: the calculator coalescing is not there"
    ]
