"""Regions, comments and single-file downloads."""

import pytest

from lockstep.programs import downloads, regions, sources


def test_region_spans_the_lines_between_its_markers():
    found = regions.find("a\n// [tile-loop]\nb\nc\n// [/tile-loop]\n")
    assert found["tile-loop"] == regions.Region("tile-loop", 3, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("// [a]\nx\n", 'x.cu:1: [a] is never closed; add "// [/a]"'),
        ("// [/a]\n", 'x.cu:1: [/a] closes nothing; add "// [a]" before it'),
        ("// [a]\n// [b]\n", 'x.cu:1: [a] is never closed; add "// [/a]"'),
        ("// [a]\n// [/a]\n// [a]\n// [/a]\n", "x.cu:3: [a] is opened twice; give it another name"),
        ("// [Big One]\n", "x.cu:1: [Big One] is no region name; use lower-case-with-dashes"),
    ],
)
def test_each_mistake_in_a_marker_has_its_message(text, message):
    with pytest.raises(sources.SourceError) as error:
        regions.find(text, "x.cu")
    assert str(error.value) == message


def test_comments_go_and_strings_stay():
    text = 'int a; // one\nconst char* s = "// no /* comment"; /* two */\n\nchar c = \'"\';  // "three\n'
    assert sources.strip_comments(text) == 'int a;\nconst char* s = "// no /* comment";\nchar c = \'"\';'


def test_digit_separators_are_no_characters():
    assert sources.strip_comments("int n = 1'000'000;  // a million\n") == "int n = 1'000'000;"


def test_raw_strings_stay_whole():
    text = 'auto k = R"(// not a comment\n)";'
    assert sources.strip_comments(text) == text


def test_download_holds_each_header_once_and_no_markers(project):
    (project.header.parent / "check.hpp").write_text("#pragma once\nnamespace lockstep { inline void check() {} }\n")
    project.edit(project.header, "#pragma once\n", "#pragma once\n#include <lockstep/check.hpp>\n")
    project.edit(project.source, "// [body]", "#include <lockstep/check.hpp>\n// [body]")
    project.edit(project.source, "{ lockstep", "{ lockstep::check(); lockstep")
    text = downloads.bundle(project.source.read_text(encoding="utf-8"), project.root)
    assert text.count("void check()") == 1
    assert "#include <lockstep" not in text
    assert "[body]" not in text
    assert "int main()" in text


def test_missing_header_is_one_clear_error(project):
    project.edit(project.source, "report.hpp", "gone.hpp")
    with pytest.raises(sources.SourceError, match="gone.hpp: no such header"):
        downloads.bundle(project.source.read_text(encoding="utf-8"), project.root)
