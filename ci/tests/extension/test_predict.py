"""Predictions: the build finds the right option in what was recorded, and the page judges the reader's."""

import pytest

from lockstep.files import ROOT
from lockstep.recordings.session import Command
from lockstep.site.browser import accessibility
from lockstep.site.server import serve

RUNS = Command("./demo", ["rate   ~3.91 TB/s", "error  cudaSuccess", "row    1 2 3"])
RATE = 'value("demo", "rate")'
QUESTION = "How fast is it?"
REASON = "\n      A reason."


def predict(*options: str, name: str = "speed", recorded: str = RATE, question: str = QUESTION) -> str:
    """A prediction with these options."""
    text = "\n".join(f"   {option}{REASON}" for option in options)
    return f".. predict:: {name}\n   :recorded: {recorded}\n   :unit: TB/s\n\n   {question}\n\n{text}\n\n"


@pytest.fixture
def made(site):
    site.record(RUNS)
    return site


def right(html: str) -> list[str]:
    """The options that the page takes for right."""
    return [line.partition("<span>")[2].partition("</span>")[0] for line in html.splitlines() if "data-right" in line]


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        (("less than 3 TB/s", "3 to 5 TB/s", "more than 5 TB/s"), "3 to 5 TB/s"),
        (("less than 3.91 TB/s", "more than 3.91 TB/s"), "more than 3.91 TB/s"),
        (("3.91 TB/s", "4,000 TB/s"), "3.91 TB/s"),
        (("slow : x < 1", "fast : x > 1"), "fast"),
    ],
)
def test_the_option_that_holds_for_the_recorded_value_is_right(made, options, answer):
    html, warnings = made.build(predict(*options))
    assert warnings == "" and right(html) == [answer]
    assert '<p>Recorded: <span class="measured">3.91 TB/s</span></p>' in html


def test_the_answer_follows_the_recording(made):
    text = predict("less than 3 TB/s", "more than 3 TB/s")
    assert right(made.build(text).html) == ["more than 3 TB/s"]
    made.record(Command("./demo", ["rate   ~2.00 TB/s"]))
    assert right(made.build(fresh=False).html) == ["less than 3 TB/s"]


@pytest.mark.parametrize(
    ("recorded", "options", "answer"),
    [
        ("demo: error", ("``cudaErrorUnknown``", "``cudaSuccess``"), "cudaSuccess"),
        ("demo: error", ('it fails : x == "cudaErrorUnknown"', 'all is well : x == "cudaSuccess"'), "all is well"),
        ("demo [./demo]: row", ("1 1 1", "1 2 3"), "1 2 3"),
        ("demo: rate", ("less than 1 TB/s", "more than 1 TB/s"), "more than 1 TB/s"),
    ],
)
def test_a_printed_text_or_number_is_read_as_measured_reads_it(made, recorded, options, answer):
    html, warnings = made.build(predict(*options, recorded=recorded))
    assert warnings == "" and html.count("data-right") == 1
    assert answer in next(line for line in html.splitlines() if "data-right" in line)


def test_without_scripts_the_answer_stands_in_a_fold(made):
    html = made.build(predict("less than 3 TB/s", "more than 3 TB/s")).html
    assert f"<fieldset><legend>{QUESTION}</legend>" in html and '<button type="button" hidden>' in html
    assert "<details><summary>Answer</summary><dl>" in html and "<dt>more than 3 TB/s: right</dt>" in html


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (predict("less than 1 TB/s", "1 to 2 TB/s"), "no option holds for what was recorded, 3.91 TB/s"),
        (predict("less than 5 TB/s", "3 to 5 TB/s"), "2 options hold for what was recorded, 3.91 TB/s"),
        (predict("very fast", "more than 3 TB/s"), 'the option "very fast" is no range, and has no condition on x'),
        (predict("fast : 3 > 2", "more than 3 TB/s"), 'the option "fast" is no range, and has no condition on x'),
        (predict("more than 3 TB/s"), "a definition list with two options or more"),
        (predict("1 TB/s", "3.91 TB/s", recorded="2 + 2"), "2 + 2 reads nothing"),
        (predict("1 TB/s", "3.91 TB/s", recorded="demo: speed"), 'demo printed no line that begins with "speed"'),
        (predict("1 TB/s", "3.91 TB/s", name="How-fast"), "is named with small letters, digits and _, not How-fast"),
        (predict("1 TB/s", "3.91 TB/s") * 2, "the page has two predictions speed"),
        (predict("a : x ++", "3.91 TB/s"), "cannot read"),
        (f".. predict:: speed\n\n   {QUESTION}\n\n   1{REASON}\n   2{REASON}\n", "say in :recorded: what the answer is"),
    ],
)  # fmt: skip
def test_a_prediction_that_does_not_follow_from_the_recording_is_a_warning(made, text, warning):
    assert warning in made.build(text).warnings


def test_a_number_typed_into_the_question_is_a_warning_and_one_in_an_option_is_not(made):
    options = "less than 3 TB/s", "more than 3 TB/s"
    assert '"5 TB/s" is typed' in made.build(predict(*options, question="Does it reach 5 TB/s?")).warnings
    assert made.build(predict(*options)).warnings == ""


def test_a_prediction_holds_the_comparisons_of_its_program(made):
    compares = "It is faster, :measured:`demo: rate`.\n\n"
    assert "no claim holds it to that" in made.build(compares).warnings
    assert made.build(compares + predict("less than 3 TB/s", "more than 3 TB/s")).warnings == ""


def test_drafts_wait_for_the_recording_without_a_warning(site):
    assert site.build(predict("1 TB/s", "2 TB/s"), lockstep_allow_stale=True).warnings == ""


# ---- in a browser

STATIC = {"html_static_path": [str(ROOT / "docs/_static")], "html_js_files": [("reader.js", {"defer": ""})]}
KEPT = "JSON.parse(localStorage.getItem('lockstep-place') ?? '{}').predicted ?? []"


@pytest.fixture(scope="module")
def quiz(site_for_all):
    """A page with two predictions, built."""
    site = site_for_all("labs/demo")
    site.record(RUNS)
    slow = predict("less than 3 TB/s", "more than 3 TB/s")
    error = predict(
        "``cudaSuccess``", "``cudaErrorUnknown``", name="error", recorded="demo: error", question="Which error?"
    )
    site.build(slow + error, **STATIC)
    return site


@pytest.fixture
def page(quiz, opened):
    with opened(quiz.root / "html", "labs/demo.html") as page:
        page.get_by_role("button", name="Check").first.wait_for()
        yield page


def said(page, number: int = 0) -> str:
    return " ".join(page.locator(".lockstep-predict [role=status]").nth(number).inner_text().split())


def test_a_wrong_answer_gets_its_reason_and_another_try(page):
    page.get_by_label("less than 3 TB/s").check()
    page.get_by_role("button", name="Check").first.click()
    assert said(page) == "Not this one. A reason."
    page.get_by_label("more than 3 TB/s").check()
    assert said(page) == ""
    page.get_by_role("button", name="Check").first.click()
    assert said(page) == "Right. A reason. Recorded: 3.91 TB/s"


def test_a_right_answer_is_kept_with_the_place_and_a_wrong_one_is_not(page):
    page.get_by_label("cudaErrorUnknown").check()
    page.get_by_role("button", name="Check").last.click()
    assert page.evaluate(KEPT) == []
    page.get_by_label("cudaSuccess").check()
    page.get_by_role("button", name="Check").last.click()
    assert page.evaluate(KEPT) == ["labs/demo/error"]
    page.reload()
    page.get_by_text("1 of 2 predicted right").wait_for()
    assert page.locator(".predicted").count() == 1


def test_the_keyboard_is_enough(page):
    page.get_by_label("less than 3 TB/s").focus()
    for key in ("Space", "ArrowDown", "Tab", "Enter"):
        page.keyboard.press(key)
    assert said(page).startswith("Right.")


def test_no_answer_is_asked_for(page):
    page.get_by_role("button", name="Check").first.click()
    assert said(page) == "Choose an answer first."


def test_where_nothing_is_kept_answers_are_judged_all_the_same(quiz, browser):
    with serve(quiz.root / "html") as base:
        context = browser.new_context()
        context.add_init_script(
            "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError') }})"
        )
        page = context.new_page()
        page.goto(f"{base}labs/demo.html")
        page.get_by_label("more than 3 TB/s").check()
        page.get_by_role("button", name="Check").first.click()
        assert said(page).startswith("Right.")
        page.get_by_text("1 of 2 predicted right").wait_for()
        context.close()


def test_predictions_can_be_read_by_all(page):
    page.get_by_label("more than 3 TB/s").check()
    page.get_by_role("button", name="Check").first.click()
    assert [found for found in accessibility(page) if not found.startswith("axe landmark")] == []  # the theme of tests


def test_the_script_comes_only_to_pages_with_predictions(quiz, browser):
    with serve(quiz.root / "html") as base:
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{base}index.html", wait_until="networkidle")
        page.close()
    assert [url for url in asked if "/course/" in url] == []
