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


def planted(root: Path, page: str) -> list[str]:
    """What is printed as advice about a page."""
    for name, text in (("reference/words.rst", GLOSSARY), ("part/page.rst", page)):
        (root / "docs" / name).parent.mkdir(parents=True)
        (root / "docs" / name).write_text(text, encoding="utf-8")
    assert list(language.findings(root)) == []  # a length is no finding
    return list(language.advice(root))


@pytest.mark.parametrize("count", [3, 1601])
def test_length_of_a_page_is_advice(tmp_path, count):
    found = planted(tmp_path, "Latency\n=======\n\n" + "word " * (count - 1) + "\n")
    assert found == [f"docs/part/page.rst:1: {count} words of prose; most pages have 400 to 1500"]


def test_page_that_fits_has_no_advice(tmp_path):
    assert planted(tmp_path, "Latency\n=======\n\n" + "word " * 500 + "\n") == []


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("programs/a.cu", 'int behind;  // nobody waits\nconst char* s = "whoever";\n', [1, 2]),
        ("programs/a.hpp", "/* one\n   nobody */ int behind;\n", [2]),
        ("ci/lockstep/a.py", 'behind = 1\n# nobody\ntext = f"whoever {n}"\n', [2, 3]),
        (
            "docs/part/a.rst",
            ":former-title: Behind\n:search-words: behind,\n   behind\n\n``behind`` and :doc:`behind`\nnobody\n",
            [6],
        ),
        ("docs/part/a.claims", '"it is behind" = 1\n', [1]),
        ("docs/reference/guide_map/a.toml", 'page = "behind"\ntext = "nobody"\n', [2]),
        ("README.md", "`behind` nobody\n", [1]),
    ],
)
def test_words_are_found_where_readers_meet_them(tmp_path, name, text, lines):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = list(language.findings(tmp_path))
    assert [one.split(": ")[0] for one in found] == [f"{name}:{line}" for line in lines]
