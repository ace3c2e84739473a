"""Pages speak in the field's words."""

from pathlib import Path

import pytest

from lockstep.checks import language

GLOSSARY = (
    "Glossary\n========\n\n.. glossary::\n\n   thread block\n   block\n      A group.\n\n   latency\n      A time.\n"
)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("The wait is behind the launch.", "behind"),
        ("Nobody reads it.", "Nobody"),
        ("A neighbouring lane", "neighbouring"),
        ("It synchronises", "synchronises"),
        ("Newer cards have it", "Newer cards"),
    ],
)
def test_replaced_words_are_found(line, word):
    assert [found for found, _ in language.replaced(line)] == [word]


@pytest.mark.parametrize(
    "line",
    ["clock_behind_a_barrier", "labs/optimisation_1", "a program card", "neighbor", "cluster_neighbours.cu"],
)
def test_names_of_files_and_our_own_words_are_left_alone(line):
    assert list(language.replaced(line)) == []


def test_prose_is_what_a_reader_reads():
    page = (
        ":former-title: Old\n:search-words: one, two,\n   three\n\nTitle words\n===========\n\nThree more words.\n\n.. listing:: a/b\n   :region: c\n\n"
        ".. code-block:: c++\n\n   int not_prose = 1;\n\n.. note::\n\n   Two words.\n\n.. list-table::\n   :header-rows: 1\n\n   * - cell\n"
    )
    assert [text.strip() for _, text in language.prose(page)] == [
        "Title words",
        "Three more words.",
        "",
        "Two words.",
        "",
        "* - cell",
    ]
    assert language.words(page) == 8


def test_title_is_the_first_heading():
    assert language.title(":former-title: Old\n\nNew title\n=========\n\nText.\n") == "New title"


@pytest.mark.parametrize(
    ("title", "fits"),
    [
        ("Thread blocks and grids", True),
        ("Latency hiding", True),
        ("Latencies", True),
        ("cudaMemcpy in depth", True),
        ("CMake for CUDA projects", True),
        ("Waiting", False),
        ("Two styles of memory", False),
    ],
)
def test_titles_hold_a_term(title, fits):
    assert language.title_fits(title, language.terms(GLOSSARY)) is fits


def planted(tmp_path: Path, page: str) -> list[str]:
    (tmp_path / "docs/reference").mkdir(parents=True)
    (tmp_path / "docs/reference/words.rst").write_text(GLOSSARY, encoding="utf-8")
    (tmp_path / "docs/part").mkdir()
    (tmp_path / "docs/part/page.rst").write_text(page, encoding="utf-8")
    return [text for text in language.page_findings(tmp_path) if "part/page" in text]


def test_short_and_long_pages_are_found(tmp_path):
    assert "3 words of prose" in planted(tmp_path, "Latency\n=======\n\nTwo words.\n")[0]


def test_long_page_is_found(tmp_path):
    assert "1601 words of prose" in planted(tmp_path, "Latency\n=======\n\n" + "word " * 1600 + "\n")[0]


SEARCHED = ":search-words: optimisation,\n   neighbours\n\nLatency\n=======\n\n" + "word " * 500


def test_what_readers_call_things_is_free(tmp_path):
    assert planted(tmp_path, SEARCHED) == []


def test_what_a_page_calls_things_is_not(tmp_path):
    assert 'docs/part/page.rst:7: "optimisation"' in planted(tmp_path, f"{SEARCHED}\noptimisation\n")[0]


def test_page_that_fits_has_no_finding(tmp_path):
    assert planted(tmp_path, "Latency\n=======\n\n" + "word " * 500 + "\n") == []


def test_words_in_comments_and_strings_are_found(tmp_path):
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "a.cu").write_text('int behind;  // nobody waits\nconst char* s = "whoever";\n', encoding="utf-8")
    found = list(language.source_findings(tmp_path))
    assert [text.split(": ")[0] for text in found] == ["programs/a.cu:1", "programs/a.cu:2"]
