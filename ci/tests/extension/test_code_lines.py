"""Lines of code become elements where they are long, or all of them with numbers, and the code stays what it was."""

import re

from lockstep_sphinx.listing import code_lines

LONG = "a" * 33


def block(code: str) -> str:
    return f'<div class="highlight"><pre><span></span>{code}</pre></div>\n'


def bare(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


def test_a_short_line_stays_as_it_is():
    assert code_lines.wrappable(block("a\nb\n")) == block("a\nb\n")


def test_a_long_line_is_an_element():
    assert f'b\n<span class="line">{LONG}\n</span>c' in code_lines.wrappable(block(f"b\n{LONG}\nc\n"))


def test_a_deep_indentation_of_a_long_line_is_an_element():
    deep, flat = f"{' ' * code_lines.DEEP}<b>{'x' * 40}</b>\n", f"{' ' * (code_lines.DEEP - 1)}{'x' * 40}\n"
    html = code_lines.wrappable(f'<div class="highlight"><pre>{deep}{flat}</pre></div>')
    assert html.count('class="deep"') == 1
    assert f'<span class="line"><span class="deep">{" " * code_lines.DEEP}</span><b>' in html


def test_tags_and_signs_count_for_what_is_seen():
    short = f'<span class="n">{"&lt;" * 30}</span>\n'
    assert code_lines.wrappable(block(short)) == block(short)
    assert 'class="line"' in code_lines.wrappable(block("\t\t\t\t\tx\n"))


def test_a_comment_of_several_lines_ends_with_each_and_begins_again():
    code = code_lines.wrappable(block(f'<span class="cm">/* {LONG}\n{LONG} */</span>\n'))
    first, second = f"/* {LONG}\n", f"{LONG} */"
    assert f'<span class="line"><span></span><span class="cm">{first}</span></span>' in code
    assert f'<span class="line"><span class="cm">{second}</span>\n</span>' in code
    assert bare(code) == bare(block(f"{first}{second}\n"))


def test_an_element_around_whole_lines_stays_around_them():
    code = code_lines.wrappable(block(f'<span class="go">short\n{LONG}\nshort\n</span>'))
    assert f'<span class="go">short\n<span class="line">{LONG}\n</span>short\n</span>' in code


def test_an_emphasized_line_ends_before_the_next():
    code = code_lines.wrappable(block(f'<span class="hll">{LONG}\n</span>{LONG}\n'))
    assert f'<span class="hll">{LONG}\n</span></span><span class="line">{LONG}\n</span>' in code


def test_a_long_word_may_break_behind_its_brackets_commas_and_colons():
    code = '        lockstep::check(<a class="n api" href="x">cudaHostRegister</a>(host.data(),flags(),\n'
    made = code_lines.wrappable(block(code))
    assert (
        'lockstep::<wbr>check(<wbr><a class="n api" href="x">cudaHostRegister</a>(<wbr>host.data(),<wbr>flags(),\n'
        in made
    )
    assert bare(made) == bare(block(code))


def test_short_words_need_no_places_to_break():
    code = f"check(cudaFree(x)); // {'words ' * 9}\n"
    assert "<wbr>" not in code_lines.wrappable(block(code)) and "<wbr>" not in code_lines.wrappable(block("a(b,c)\n"))


def test_what_no_sheet_holds_is_long():
    assert '<pre class="long">' in code_lines.wrappable(block("a\n" * 57))
    assert '<pre class="long">' not in code_lines.wrappable(block("a\n" * 56))


def test_other_preformatted_text_is_left_alone():
    text = f"<pre>{LONG}\n</pre>"
    assert code_lines.wrappable(text) == text


def test_numbers_are_anchors_and_name_what_is_left_out():
    html = code_lines.numbered(block("a\nb\nc\n"), [1, 2, 5])
    assert html.startswith('<div class="highlight"><pre class="numbered">')
    assert '<span class="line" id="L1"><span></span>a\n</span><span class="line" id="L2">b\n</span>' in html
    assert '<span class="line" id="L5" style="counter-increment:line 3">c\n</span></pre>' in html


def test_a_source_page_has_the_numbers_of_the_file(build):
    built = build(".. listing:: part/demo/demo\n   :region: kernel")
    page = built.page("programs/part/demo/demo.html")
    assert re.findall(r'id="L(\d+)"', page)[:6] == ["1", "2", "3", "4", "6", "7"]  # the fifth is a marker
    assert bare(re.search(r'id="L6".*', page)[0]).endswith("/// Adds one.")
    assert "<pre class=" not in built.html


def test_a_long_line_of_a_listing_can_wrap(build):
    assert '<span class="line">' in build(".. listing:: part/demo/demo\n   :region: allocate").html
