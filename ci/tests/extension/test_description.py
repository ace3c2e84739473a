"""Descriptions are one line, of at most 160 characters, and end after a word."""

from lockstep_sphinx.frame import description


def test_the_first_paragraph_describes_its_page():
    body = '<h1>Title</h1>\n<p class="lead">A <em>grid</em>\nof blocks &amp; more.</p><p>Else.</p>'
    assert description.of(body) == "A grid of blocks & more."


def test_a_page_without_a_paragraph_has_none():
    assert description.of("<h1>Title</h1>") == ""


def test_a_text_that_fits_stays():
    text = "a" * 100 + " " + "b" * 59
    assert description.shortened(text) == text


def test_a_long_text_is_cut_at_a_word():
    said = description.shortened("word, " * 40)
    assert len(said) <= description.LONGEST and said.endswith(" word…")


def test_a_long_word_is_cut_where_it_must_be():
    said = description.shortened("x" * 200)
    assert len(said) == description.LONGEST and said.endswith("x…")


def test_the_ellipsis_counts():
    said = description.shortened("a" * 159 + " " + "b" * 20)
    assert said == "a" * 159 + "…"
