"""What pages say about themselves in the fields at their top."""

from lockstep import page_fields

PAGE = """:former-title: Old title
:search-words: work-group memory, ``__shared__`` fails,
   share data, ,

Shared memory
=============

:cuda:`cudaMalloc` is no field.

:search-words: nor is this
"""


def test_fields_are_read_over_several_lines():
    assert page_fields.of(PAGE)["former-title"] == "Old title"
    assert page_fields.search_words(PAGE) == ("work-group memory", "__shared__ fails", "share data")


def test_the_top_ends_where_the_fields_end():
    assert page_fields.top(PAGE).count("\n") == 3


def test_a_page_without_fields_says_nothing():
    page = "Title\n=====\n\n:search-words: a list of fields in the text\n"
    assert page_fields.of(page) == {} and page_fields.top(page) == ""
    assert page_fields.top(":cuda:`cudaFree` begins a sentence\n") == ""


def test_pages_are_named_as_toctrees_name_them(tmp_path):
    (tmp_path / "part").mkdir()
    (tmp_path / "part/page.rst").write_text(PAGE, encoding="utf-8")
    (tmp_path / "part/quiet.rst").write_text("Title\n=====\n", encoding="utf-8")
    assert list(page_fields.all_search_words(tmp_path)) == ["part/page"]
