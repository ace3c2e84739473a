"""The course: steps with their times, and paths whose steps follow from one another."""

import pytest

from lockstep.files import ROOT
from lockstep.recordings.session import Command
from lockstep.site.server import serve

PAGES = """\
[pages]
"labs/first" = { can = "do `one` thing" }
"labs/second" = { can = "do another", needs = ["labs/first"] }
"""
PATH = PAGES + '[paths.short]\ndays = 2\nsteps = ["labs/first", "labs/second"]\n'
EXERCISE = """\
// Add one.
int main() {
    // [task]
    return 0;
    //= given
    //| return 1;
    //= mutant two
    //| return 2;
    // [/task]
}
"""
SHOW = ".. course-path:: short"
PREDICT = ".. predict:: name\n   :recorded: demo: rate\n\n   What?\n\n   1 TB/s\n      No.\n   3 TB/s\n      Yes.\n"
STATIC = {"html_static_path": [str(ROOT / "docs/_static")], "html_js_files": [("reader.js", {"defer": ""})]}


@pytest.fixture
def site(site_at):
    made = site_at("labs/demo")
    made.record(Command("./demo", ["rate ~3 TB/s"]))
    made.page("labs/first.rst", "First\n=====\n\n" + "word " * 1000 + "\n")
    made.page("labs/second.rst", "Second\n======\n\nText.\n")
    return made


def course(site, text: str) -> str:
    """What the build says of this course."""
    site.page("course.toml", text)
    return site.build(SHOW).warnings


def test_a_path_shows_its_steps_with_what_one_can_do_and_the_time(site):
    assert course(site, PATH) == ""
    html = site.build(fresh=False).html
    assert (
        '<a class="reference internal" href="first.html">First</a> <span class="course-cost">10 min: 1 page</span>'
        in html
    )
    assert "<p>Afterwards you can do <code>one</code> thing.</p>" in html
    assert "<strong>10 min</strong> in all, 5 min on each of 2 days." in html


def test_exercises_and_predictions_count(site):
    site.declare("lockstep_program(demo)", "lockstep_program(task EXERCISE)")
    site.write("task.cu", EXERCISE)
    site.page("labs/second.rst", f"Second\n======\n\n.. exercise:: labs/demo/task\n\n{PREDICT}")
    course(site, PATH)
    html = site.build(fresh=False).html
    assert "25 min: 1 page, 1 exercise, 1 prediction" in html
    assert 'data-parts="read:labs/second=1 solved:task=20 predicted:labs/second/name=2"' in html


def test_a_chapter_is_all_its_pages(site):
    site.page("labs/chapter/index.rst", "Chapter\n=======\n")
    site.page("labs/chapter/inside.rst", "Inside\n======\n")
    steps = (
        '"labs/chapter/index" = { can = "do all" }\n"labs/last" = { can = "end", needs = ["labs/chapter/inside"] }\n'
    )
    site.page("labs/last.rst", "Last\n====\n")
    text = f'[pages]\n{steps}[paths.short]\ndays = 1\nsteps = ["labs/chapter/index", "labs/last"]\n'
    assert "course.toml" not in course(site, text)
    assert "5 min: 2 pages" in site.build(fresh=False).html


def test_the_time_follows_the_page(site):
    course(site, PATH)
    site.page("labs/second.rst", "Second\n======\n\n" + "word " * 3000 + "\n")
    assert "30 min: 1 page" in site.build(fresh=False).html


def test_what_readers_of_a_path_know_stands_before_it(site):
    known = PATH.replace('steps = ["labs/first", ', 'knows = ["labs/first"]\nsteps = [')
    assert course(site, known) == ""
    expects = 'This path expects what <a class="reference internal" href="first.html">First</a> teaches.'
    assert expects in site.build(fresh=False).html


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (
            PATH.replace('["labs/first", "labs/second"]\n', '["labs/second", "labs/first"]\n'),
            "course.toml:6: WARNING: labs/second needs labs/first, which is in a later step of short; put it before",
        ),
        (
            PATH.replace('steps = ["labs/first", ', "steps = ["),
            "course.toml:6: WARNING: labs/second needs labs/first, which is in no step of short",
        ),
        (PATH.replace('"labs/second"]', '"labs/demo"]'), "labs/demo is a step of short; say under [pages]"),
        (PATH.replace('"labs/second"]', '"labs/first"]'), "labs/first is a step of short twice"),
        (PATH.replace('needs = ["labs/first"]', 'needs = ["labs/gone"]'), "course.toml:3: WARNING: labs/gone is no page"),
        (PATH.replace("days", "weeks"), 'course.toml:5: paths.short.weeks: unknown key'),
        (PATH.replace("can = \"do another\"", "can = \"\""), "course.toml:3: pages.labs/second.can: is"),
        (PATH.replace("paths.short", "paths.long"), "course.toml has no path short; it has long"),
    ],
)  # fmt: skip
def test_a_path_that_does_not_hold_together_is_a_warning(site, text, warning):
    assert warning in course(site, text)


def test_a_course_that_is_missing_is_a_warning(site):
    assert "course.toml: cannot be read" in site.build(SHOW).warnings


def test_done_steps_are_ticked_and_the_time_left_is_shown(site, browser):
    site.page("course.toml", PATH)
    site.build(SHOW, **STATIC)
    with serve(site.root / "html") as base:
        page = browser.new_page()
        page.goto(f"{base}labs/demo.html", wait_until="networkidle")
        assert page.locator(".course-mark").count() == 0 and page.locator(".course-left").inner_text() == ""
        page.evaluate('localStorage.setItem(\'lockstep-place\', \'{"read": ["labs/first"], "solved": []}\')')
        page.reload(wait_until="networkidle")
        assert page.get_by_role("img", name="done").count() == 1
        assert page.locator(".course-left").inner_text().strip() == "For you, 5 min are left."
        page.evaluate('localStorage.setItem(\'lockstep-place\', \'{"read": ["labs/first", "labs/second"]}\')')
        page.reload(wait_until="networkidle")
        assert page.get_by_role("img", name="done").count() == 2
        assert page.locator(".course-left").inner_text().strip() == "You are done."
        page.close()
