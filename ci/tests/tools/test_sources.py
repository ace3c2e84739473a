"""Regions, comments and what a compiler sees of a source."""

import pytest

from lockstep.programs import regions, sources


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


def test_canonical_text_shows_neither_comments_nor_layout():
    spread = "int  f(\n    int n,  // how many\n    long m) {\n  return n+++m; }\n"
    assert sources.canonical(spread) == sources.canonical("int f(int n, long m) { return n++ + m; }")
    assert sources.canonical("a = b - -c;") != sources.canonical("a = b--c;")


def test_canonical_text_keeps_directives_on_lines_of_their_own():
    text = sources.canonical("#define TWICE(x) \\\n    (2 * (x))  // doubled\n  #pragma unroll 4\nint n;")
    assert text.split("\n")[1] == "#define TWICE(x) (2 * (x))" and "#pragma unroll 4" in text.split("\n")


def test_canonical_text_joins_a_string_that_is_broken():
    assert sources.canonical('f("one "\n  "two");') == sources.canonical('f("one two");')
    assert sources.canonical('"//" "x" // y') == '"//x"'
