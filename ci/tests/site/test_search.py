"""Each check of the search is shown a site that breaks it, and must say so."""

from collections import Counter

import pytest

from lockstep import data
from lockstep.files import ROOT
from lockstep.site import search_check as checks
from lockstep.site import search_index
from lockstep.site.server import serve

DEEP = "programming/kernels/errors.html"
AS_LONG_AS_IT_TAKES = 60_000  # ms: what is fast enough is measured on the real site, not while other tests run


def ask(folder, browser, *asked: str) -> dict[str, list[str]]:
    with serve(folder) as base:
        found = checks.answers(browser, base, list(asked))
    return {text: [address for address, _ in results] for text, results in found.items()}


def change(folder, old: str, new: str, names: str = "**/*.html") -> None:
    for path in folder.glob(names):
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


# What is found


def test_search_words_told_twice_are_found():
    [twice] = checks.repeated_words({"part/here": ("page-locked", "Page-locked", "pinned"), "part/there": ("pinned",)})
    assert twice == "docs/part/here.rst:1: :search-words: says “page-locked” twice; remove one"


def test_a_name_finds_chapters_before_programs_and_lists(searched, browser):
    found = ask(searched, browser, "cudaGetLastError")["cudaGetLastError"]
    assert found[0] == DEEP
    assert set(found[1:]) == {
        "programs/programming/kernels/errors/last_error.html",
        "reference/apis/runtime_functions.html",
    }


def test_of_pages_that_say_the_same_chapters_come_first_then_labs_programs_and_references(searched, browser, add_page):
    pages = [
        "programming/zebra.html",
        "ladders/zebra.html",
        "programs/programming/z/zebra.html",
        "reference/zebra.html",
    ]
    for page, title in zip(pages, ("Zebras", "Zebras", "zebra.cu", "More"), strict=True):
        add_page(page, title, "<p>A zebra has stripes.</p>")
    search_index.write(searched)
    assert ask(searched, browser, "a zebra")["a zebra"] == pages


def test_a_name_in_a_namespace_finds_its_page(searched, browser):
    assert ask(searched, browser, "cuda::barrier")["cuda::barrier"] == [DEEP]


def test_the_beginning_of_an_instruction_finds_it(searched, browser):
    [address] = ask(searched, browser, "cp.async.bulk")["cp.async.bulk"]
    assert address.endswith("last_error.html")


def test_a_former_title_finds_its_page(searched, browser):
    assert ask(searched, browser, "when a kernel goes wrong")["when a kernel goes wrong"][0] == DEEP


def test_a_question_whose_words_do_not_all_occur_is_answered(searched, browser):
    assert ask(searched, browser, "error checking zebra")["error checking zebra"][0] == DEEP


def test_a_slip_is_forgiven(searched, browser):
    assert "reference/words.html" in ask(searched, browser, "coalesicng")["coalesicng"]


def test_a_slip_counts_as_the_word_that_is_meant(searched, browser, add_page):
    add_page("a.html", "Zebra stripes", "<p>Text.</p>")
    add_page("b.html", "Stripes", "<p>Stripes, and stripes of a zebra, and again stripes.</p>")
    search_index.write(searched)
    for slip in ("zerba stripes", "zebbra stripes", "ezbra stripes"):
        assert ask(searched, browser, slip)[slip][0] == "a.html"


def test_words_that_mean_the_same_find_each_other(searched, browser, add_page):
    add_page("a.html", "Zebras", "<p>How large is it?</p>")
    search_index.write(searched)
    assert ask(searched, browser, "biggest zebra", "huge")["huge"] == ["a.html"]


def test_words_of_the_same_meaning_stand_in_one_group_alone():
    words = Counter(word for group in search_index.synonyms() for word in group)
    assert [word for word, count in words.items() if count > 1] == []


def test_two_words_that_readers_type_together_count_more_than_apart(searched, browser, add_page, monkeypatch):
    said = {"b": ("spotted horse", "grey cat")}
    add_page("a.html", "Cats", "<p>A horse. Spotted. A horse is here.</p>")
    add_page("b.html", "Dogs", "<p>A dog.</p>")
    add_page("c.html", "Birds", "<p>A bird.</p>")
    said |= {"c": ("spotted cat", "horse")}
    monkeypatch.setattr(search_index.page_fields, "all_search_words", lambda _: said)
    search_index.write(searched)
    assert ask(searched, browser, "is my horse spotted")["is my horse spotted"][0] == "b.html"


def test_a_name_without_its_beginning_finds_its_pages(searched, browser):
    assert DEEP in ask(searched, browser, "getlasterror")["getlasterror"]


def test_a_word_that_no_page_has_is_named_and_the_rest_answered(searched, browser, add_page):
    add_page("programming/software.html", "Software and kernels", "<p>Software runs kernels.</p>")
    search_index.write(searched)
    with serve(searched) as base:
        found = checks.answers(browser, base, ["softmax kernel", "softmax", "kernels of software", "kernelized"])
    assert found["softmax kernel"].missing == ["softmax"] and found["softmax kernel"]
    assert found["softmax"].missing == ["softmax"] and found["softmax"] == []
    assert found["kernels of software"].missing == found["kernelized"].missing == []
    assert found["kernelized"]


def test_words_that_no_page_has_together_are_told(searched, browser, add_page):
    add_page("a.html", "Zebras", "<p>A zebra.</p>")
    search_index.write(searched)
    with serve(searched) as base:
        found = checks.answers(browser, base, ["zebra barrier", "zebra", "cudaGetLastError scopes"])
        page = browser.new_page()
        page.goto(base + "search.html?q=zebra+barrier")
        page.locator(".search-results mark").first.wait_for(timeout=checks.WAIT_MS)
        status = page.locator(".search-status").inner_text()
        page.close()
    assert {text: results.apart for text, results in found.items()} == {
        "zebra barrier": True,
        "zebra": False,
        "cudaGetLastError scopes": False,
    }
    assert status == "No page has all of these words. 2 results for some of them."


def test_a_name_is_found_by_its_last_words_and_prose_by_no_letters_within(searched, browser):
    found = ask(searched, browser, "lasterror", "hec")
    assert "reference/apis/runtime_functions.html" in found["lasterror"] and found["hec"] == []


def test_what_readers_abbreviate_is_found_by_its_full_name(searched, browser, add_page):
    add_page("layout.html", "An array of structures", "<p>Text.</p>")
    add_page("product.html", "The SGEMM ladder", "<p>Text.</p>")
    add_page("libraries.html", "Libraries", "<p>There is <code>CUDA::cufft</code> for transforms.</p>")
    search_index.write(searched)
    found = ask(searched, browser, "AoS", "GEMM", "FFT")
    assert [found[text][0] for text in found] == ["layout.html", "product.html", "libraries.html"]


def test_excerpts_mark_what_the_pages_say_instead(searched, browser, add_page):
    add_page("layout.html", "Layouts", "<p>An array of structures.</p>")
    search_index.write(searched)
    with serve(searched) as base:
        page = browser.new_page()
        page.goto(base + "search.html?q=AoS")
        page.locator(".search-results mark").first.wait_for(timeout=checks.WAIT_MS)
        assert page.locator(".search-results mark").all_inner_texts() == ["array", "structures"]
        page.close()


def test_the_page_of_results_has_one_search_box(searched, browser):
    with serve(searched) as base:
        for width in checks.WIDTHS:
            with checks.opened(browser, f"{base}search.html", width) as page:
                assert page.locator("input[name=q]:visible").count() == 1


def test_a_section_comes_before_those_below_it(searched, browser, add_page):
    number = '<div class="lockstep-guide"><b data-covers>{}</b></div>'
    add_page("a.html", "One", f"<p>Text.</p>{number.format('5.4.2')}")
    add_page("b.html", "Two", f"<p>Text.</p>{number.format('5.4')}")
    search_index.write(searched)
    assert ask(searched, browser, "section 5.4")["section 5.4"] == ["b.html", "a.html"]


def test_a_title_with_a_comma_is_one_title_and_a_term_with_one_is_two(searched, browser, add_page):
    add_page("a.html", "Kittens, dogs, and birds", "<p>Kittens purr. Kittens sleep. Kittens play. Kittens jump.</p>")
    add_page("b.html", "Kittens", "<p>Kittens purr.</p>")
    search_index.write(searched)
    assert ask(searched, browser, "kittens")["kittens"][0] == "b.html"
    assert ask(searched, browser, "coalesced access")["coalesced access"][0] == "reference/words.html"


def test_a_title_that_holds_the_whole_question_comes_first(searched, browser, add_page):
    add_page("a.html", "The memory hierarchy", "<p>Memory.</p>", former="Memories")
    add_page("reference/errors/full.html", "cudaErrorFull: out of memory", "<p>Memory.</p>")
    search_index.write(searched)
    [first, _] = ask(searched, browser, "CUDA error: out of memory")["CUDA error: out of memory"]
    assert first == "reference/errors/full.html"


def test_a_name_that_nobody_uses_finds_its_pieces(searched, browser):
    assert DEEP in ask(searched, browser, "cudaErrorChecking")["cudaErrorChecking"]


def test_a_result_leads_to_its_section_and_says_where_it_is(searched, browser):
    with serve(searched) as base:
        page = browser.new_page()
        page.goto(base + "search.html")
        page.wait_for_function("globalThis.lockstepSearch !== undefined")
        found = page.evaluate("lockstepSearch.find('cuda::barrier').then(([first]) => lockstepSearch.describe(first))")
        page.close()
    assert found["href"] == f"{base}{DEEP}#odd"
    assert found["way"] == ["Programming", "Kernels", "Scopes"]


def test_a_program_says_which_chapter_shows_it(searched, browser):
    assert way(searched, browser, "commit_group") == ["Programming", "Kernels", "Error checking"]


def test_breadcrumbs_say_where_a_page_is_if_its_folder_does_not(searched, browser):
    chapter = searched / "programming/kernels/index.html"
    trail = '<nav aria-label="breadcrumbs"><ol><li><a href="../../reference/words.html">Glossary</a></li></ol></nav>'
    chapter.write_text(chapter.read_text().replace("<article", f"{trail}<article"))
    search_index.write(searched)
    assert way(searched, browser, "commit_group") == ["Glossary", "Kernels", "Error checking"]


def way(folder, browser, text: str) -> list[str]:
    """What the first result says of where it is."""
    with serve(folder) as base:
        page = browser.new_page()
        page.goto(base + "search.html")
        page.wait_for_function("globalThis.lockstepSearch !== undefined")
        said: list[str] = page.evaluate(
            "(text) => lockstepSearch.find(text).then(([first]) => lockstepSearch.describe(first)).then(({ way }) => way)",
            text,
        )
        page.close()
    return said


# Names and questions


def test_a_name_that_misses_a_page_is_found():
    held = {"a.html": "cudaFree(x)", "b.html": "and cudaFree", "c.html": "cudaFreeAsync"}
    [line] = checks.name_findings(held, {"cudaFree": [("a.html", "A")]})
    assert line == "search: cudaFree finds 1 of 2 pages, and not b.html"


def test_a_name_that_finds_more_passes():
    assert checks.name_findings({"a.html": "cudaFree"}, {"cudaFree": [("a.html", "A"), ("b.html", "B")]}) == []


def test_the_text_of_a_page_is_read_without_the_index(searched):
    held = checks.texts(searched)
    assert "lockstep::check(cudaGetLastError())" in held[DEEP] and "search.html" not in held
    assert {"cudaGetLastError", "cuda::barrier", "cp.async.bulk.commit_group"} <= set(checks.names(searched, held))


def questions(count: int, pages: tuple[str, ...] = ("right",), pending: str = "") -> list[checks.Question]:
    return [checks.Question(f"q{n}", "x", pages, pending) for n in range(count)]


RIGHT, WRONG = ("right.html", "R"), ("wrong.html", "W")


def test_right_answers_pass():
    assert checks.question_findings(questions(3), {f"q{n}": [RIGHT] for n in range(3)})[0] == []


def test_too_few_right_answers_first_are_found():
    found = {f"q{n}": [WRONG, RIGHT] if n < 3 else [RIGHT] for n in range(10)}
    [line] = checks.question_findings(questions(10), found)[0]
    assert line == "search: 7 of 10 questions find a page that answers them first, below 85%"


def test_too_few_right_answers_among_three_are_found_and_named():
    found = {"q0": [WRONG, ("x.html", ""), ("y.html", ""), RIGHT]} | {f"q{n}": [RIGHT] for n in range(1, 10)}
    lines, report = checks.question_findings(questions(10), found)
    assert "among the first three, below 97%" in lines[0]
    assert "  not among the first three: “q0”; first is wrong.html" in report


def test_a_question_without_an_answer_is_found():
    lines, _ = checks.question_findings(questions(1), {"q0": []})
    assert lines[0] == "search: nothing is found for “q0”"


def test_a_pending_question_is_not_counted_and_must_find_something():
    asked = [*questions(1), checks.Question("later", "x", (), "no page yet")]
    assert checks.question_findings(asked, {"q0": [RIGHT], "later": [WRONG]})[0] == []
    nothing = checks.Found()
    nothing.missing = []
    found = {"q0": [RIGHT], "later": nothing}
    assert checks.question_findings(asked, found)[0] == ["search: nothing is found for “later”"]
    nothing.missing = ["later"]  # the search says that no page has the word
    assert checks.question_findings(asked, found)[0] == []


def test_a_question_without_a_page_must_be_told_so():
    asked = [checks.Question(ask, "absent", (), "no page yet") for ask in ("softmax", "int8 matmul", "warp")]
    found = {ask: checks.Found([RIGHT]) for ask in ("softmax", "int8 matmul", "warp")}
    for results in found.values():
        results.missing, results.apart = [], False
    found["softmax"].missing, found["int8 matmul"].apart = ["softmax"], True
    assert checks.question_findings(asked, found)[0] == ["search: does not say that no page answers “warp”"]


@pytest.mark.content
def test_the_texts_of_all_recorded_errors_must_be_found():
    texts = checks.error_texts()
    assert len(texts) > 40 and {"misaligned address", "an illegal memory access was encountered"} <= set(texts)


def test_a_kind_that_hides_behind_the_others_is_found():
    asked = [*questions(20), *(checks.Question(f"s{n}", "symptom", ("right",), "") for n in range(3))]
    found = {q.ask: [RIGHT] for q in asked} | {"s0": [WRONG, RIGHT]}
    [line] = checks.question_findings(asked, found)[0]
    assert line.startswith("search: of 3 questions of the kind symptom, 67% find") and "100% among three" in line
    assert "  symptom     3 questions:  67% first, 100% among three" in checks.question_findings(asked, found)[1]


def test_instructions_and_texts_of_errors_are_names_that_must_be_found(searched):
    held = {"a.html": "use st.async.weak.shared::cluster, then clusterlaunchcontrol.try_cancel and ptx::mbarrier_init"}
    names = checks.names(searched, held)
    assert {"st.async.weak.shared", "clusterlaunchcontrol.try_cancel", "ptx::mbarrier_init"} <= set(names)
    held = {"a.html": "it says misaligned address.", "b.html": "misaligned addresses"}
    assert checks.name_findings(held, {"misaligned address": []}) == [
        "search: misaligned address finds 0 of 1 pages, and not a.html"
    ]


def test_titles_that_share_no_word_are_named(searched):
    asked = [
        checks.Question("checking errors", "title", (DEEP.removesuffix(".html"),), ""),
        checks.Question("launch failed", "title", (DEEP.removesuffix(".html"),), ""),
    ]
    [line], report = checks.title_findings(searched, asked)
    assert (
        line
        == "search: 1 of 2 questions share a word with a title that should answer them; name pages by what is asked"
    )
    assert report[1:] == ["  no title: “launch failed”; Error checking"]


def test_titles_that_share_a_word_pass(searched):
    asked = [checks.Question("checking errors", "title", (DEEP.removesuffix(".html"),), "")] * 12
    asked += [
        checks.Question("launch failed", kind, (), pending) for kind, pending in (("title", "why"), ("forum", ""))
    ]
    assert checks.title_findings(searched, asked)[0] == []


def test_questions_are_read_with_the_pages_that_answer_them(tmp_path):
    (tmp_path / "part.toml").write_text('[lookup]\n"a warp" = ["part/warps"]\n"textures" = "no page yet"\n')
    assert checks.questions(tmp_path) == [
        checks.Question("a warp", "lookup", ("part/warps",), ""),
        checks.Question("textures", "lookup", (), "no page yet"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            '[lookup]\n"a" = ["b"]\n\n[lokup]\n',
            'part.toml:4: lokup: unknown key; did you mean "lookup"?; there are title, lookup, ',
        ),
        ('ask = "a"\n', "part.toml:1: ask: unknown key; there are title, lookup, "),
        (
            '[api]\n"a" = ["b"]\n"b" = 3\n',
            "part.toml:3: api.b: is 3; expected a list of the pages that answer it or a text that is not empty",
        ),
        ('[api]\n"a" = []\n', "part.toml:2: api.a: is an empty list; expected a list of the pages that answer it"),
        ("[api]\n[api]\n", "part.toml:2: cannot be read: Cannot declare"),
    ],
)
def test_a_faulty_file_of_questions_is_one_finding_with_its_line(tmp_path, text, found):
    (tmp_path / "part.toml").write_text(text)
    with pytest.raises(data.DataError) as error:
        checks.questions(tmp_path)
    assert found in error.value.findings[0] and "; correct it" in error.value.findings[0]


@pytest.mark.content
def test_the_questions_are_many_and_name_pages_that_exist():
    asked = checks.questions()
    counted = [question for question in asked if not question.pending]
    assert len(counted) >= 130 and not [q for q in counted if not q.pages]
    assert [text for text, count in Counter(q.ask for q in asked).items() if count > 1] == []
    sources = [ROOT / "docs" / f"{page}.rst" for q in asked for page in q.pages if not page.startswith("programs/")]
    sources += [ROOT / f"{page}.cu" for q in asked for page in q.pages if page.startswith("programs/")]
    assert [str(path) for path in sources if not path.exists()] == []


@pytest.mark.content
def test_the_questions_name_what_the_search_was_made_for():
    assert {question.kind for question in checks.questions()} == set(checks.KINDS)


# What a reader does


@pytest.mark.parametrize("width", checks.WIDTHS)
def test_a_box_that_works_passes(searched, browser, width):
    with serve(searched) as base:
        assert checks.box_works(browser, base + DEEP, width) == []


def test_a_page_without_a_visible_box_is_found(searched, browser):
    change(searched, 'class="header-search"', 'hidden class="none"')
    with serve(searched) as base:
        assert "0 are visible" in checks.box_works(browser, base + DEEP, 390)[0]


def test_a_box_that_stays_silent_is_found(searched, browser, monkeypatch):
    monkeypatch.setattr(checks, "WAIT_MS", 300)
    change(searched, "lockstepSearch.table(", "void(", "_search/search.js")
    with serve(searched) as base:
        assert checks.box_works(browser, base + DEEP, 1280) == ["search box (1280 px): nothing comes as one types"]


def test_keys_that_do_nothing_are_found(searched, browser):
    change(searched, "ArrowDown", "F9", "_search/search.js")
    with serve(searched) as base:
        assert "the arrow keys do not choose a result" in checks.box_works(browser, base + DEEP, 1280)[0]


def test_results_that_screen_readers_do_not_understand_are_found(searched, browser):
    change(searched, 'role: "option"', 'role: "banana"', "_search/search.js")
    change(searched, "</style>", "[role=banana] { color: #ddd !important }</style>")
    with serve(searched) as base:
        monkey = checks.OPTION.replace("[role=option]", "a")
        old, checks.OPTION = checks.OPTION, monkey
        try:
            assert any("axe aria" in text for text in checks.box_works(browser, base + DEEP, 1280))
        finally:
            checks.OPTION = old


def test_a_search_page_that_works_passes(searched, browser):
    with serve(searched) as base:
        assert checks.page_works(browser, base + DEEP) == []


def test_a_search_page_that_loses_the_focus_is_found(searched, browser, monkeypatch):
    monkeypatch.setattr(checks, "WAIT_MS", 500)
    change(searched, 'list.querySelector("a")?.focus()', "0", "_search/search.js")
    with serve(searched) as base:
        assert checks.page_works(browser, base + DEEP) == ["search page: the focus does not come to the first result"]


def test_a_search_page_says_where_to_go_without_scripts(searched, browser):
    with serve(searched) as base:
        assert checks.works_without_scripts(browser, base + DEEP) == []
        change(searched, "noscript", "div", "search.html")
        assert checks.works_without_scripts(browser, base + DEEP) == ["search: without JavaScript, nothing leads on"]


def test_a_site_from_disk_is_searched(searched, browser, monkeypatch):
    assert checks.works_from_disk(browser, searched) == []
    monkeypatch.setattr(checks, "WAIT_MS", 300)
    (searched / "_search/search.js").unlink()
    assert checks.works_from_disk(browser, searched) == ["search: from disk, nothing is found"]


def test_a_slow_or_heavy_search_is_found(searched, browser, monkeypatch):
    monkeypatch.setattr(checks, "FIRST_RESULT_MS", AS_LONG_AS_IT_TAKES)
    with serve(searched) as base:
        found, timing = checks.in_time(browser, base + DEEP, ("kernel",))
        assert found == [] and "first result on a slow network" in timing
        monkeypatch.setattr(checks.speed, "MOST_RUNS", 2)
        monkeypatch.setattr(checks, "FIRST_RESULT_MS", 1)
        monkeypatch.setattr(checks, "LOADED_BYTES", 1)
        late, heavy = checks.in_time(browser, base + DEEP, ("kernel",))[0]
    assert "over 1" in late and "over 1" in heavy


def test_a_page_of_results_that_is_heavy_late_or_moves_is_found(searched, browser, monkeypatch):
    monkeypatch.setattr(checks, "RESULTS_MS", AS_LONG_AS_IT_TAKES)
    with serve(searched) as base:
        found, figures = checks.results_in_time(browser, base, ("kernel",))
        assert found == [] and "page of results" in figures
        monkeypatch.setattr(checks.speed, "MOST_RUNS", 2)
        for name in ("RESULTS_BYTES", "RESULTS_REQUESTS", "RESULTS_MS", "RESULTS_SHIFT"):
            monkeypatch.setattr(checks, name, -1)
        assert len(checks.results_in_time(browser, base, ("kernel",))[0]) == 4


def test_a_folder_without_an_index_is_refused(tmp_path, capsys):
    assert checks.main([str(tmp_path)]) == 2
    assert "run `make html` first" in capsys.readouterr().err
