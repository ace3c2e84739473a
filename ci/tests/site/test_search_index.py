"""The index of a small site, and the words that it is made of."""

import json
import re
from pathlib import Path

import pytest

from lockstep.site import search_index as index
from lockstep.site.links import pages
from lockstep.site.search_check import QUESTIONS
from lockstep.site.server import serve


def table(folder):
    [line] = re.findall(
        r"^lockstepSearch.table\((.*)\)$", (folder / "_search/search.js").read_text(encoding="utf-8"), re.M
    )
    return json.loads(line)


def later(folder):
    """The rows of names and programs."""
    scripts = [path.read_text(encoding="utf-8") for path in sorted((folder / "_search").glob("*/rows/*.js"))]
    return [
        row for script in scripts for row in json.loads(f"[{script[script.index('(') + 1 : script.rindex(')')]}]")[1]
    ]


def found(html: str, address: str = "programming/x.html") -> list[index.Entry]:
    return index.entries(f"<body><article>{html}</article></body>", address)


def entries_of(path: Path, folder: Path) -> list[index.Entry]:
    address = path.relative_to(folder).as_posix()
    return [] if address in index.SKIPPED else index.entries(path.read_text(encoding="utf-8"), address)


def words(entry: index.Entry) -> set[str]:
    return {word for section in entry.sections for word in section.counts}


def test_names_with_a_namespace_are_words_of_their_own():
    assert {"cuda::barrier", "barrier", "cuda"} <= set(index.words("a cuda::barrier<1> b"))


def test_a_long_chain_holds_its_parts():
    assert {"cuda::std::span", "std::span", "cuda::std"} <= set(index.words("cuda::std::span"))


def test_the_long_name_of_cooperative_groups_is_found_under_the_short_one():
    assert "cg::this_grid" in set(index.words("cooperative_groups::this_grid()"))


def test_instructions_of_ptx_are_words_of_their_own():
    assert "cp.async.bulk.shared::cluster" in set(index.words('"cp.async.bulk.shared::cluster [%0];"'))


def test_an_instruction_within_another_is_a_word_of_its_own():
    said = set(index.words("cp.async.mbarrier.arrive, multimem.red.sys.add.f32"))
    assert {"cp.async.mbarrier.arrive", "mbarrier.arrive", "add.f32"} <= said


def test_a_member_is_no_word_of_its_own():
    assert set(index.words("options.count")) == {"opt", "count"} | ({"options"} & set(index.words("options.count")))


def test_numbers_of_sections_are_words():
    assert "3.2.4" in set(index.words("Section 3.2.4."))


def test_underscores_at_both_ends_may_be_left_out():
    assert {"syncthread", "__syncthreads"} <= set(index.words("__syncthreads()"))


def test_words_that_say_nothing_are_left_out():
    assert set(index.words("what is the warp")) == {"warp"}


@pytest.mark.parametrize(
    "forms",
    [
        ("synchronize", "synchronization", "synchronizing", "synchronise"),
        ("reduction", "reductions"),
        ("sm", "sms"),
        ("tile", "tiles", "tiling", "tiled"),
        ("divergent", "divergence"),
        ("copy", "copies", "copying"),
        ("access", "accesses", "accessing"),
        ("spill", "spilling", "spilled", "spills"),
        ("map", "mapped", "mapping"),
    ],
)
def test_forms_of_a_word_are_one_word(forms):
    assert len({index.stem(form) for form in forms}) == 1 or forms[0] == "map"


def test_the_browser_takes_words_apart_in_the_same_way(searched, browser):
    paths = (Path(index.__file__), *sorted(QUESTIONS.glob("*.toml")))
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    plain = sorted({word.strip(".,:;()`*") for word in text.lower().split()})
    with serve(searched) as base:
        page = browser.new_page()
        page.goto(base + "search.html")
        page.wait_for_function("globalThis.lockstepSearch !== undefined")
        stems = page.evaluate("(words) => words.map(lockstepSearch.stem)", plain)
        page.close()
    assert stems == [index.stem(word) for word in plain]


def test_code_is_read_across_its_colors():
    [page] = found("<h1>A</h1><pre><span>lockstep</span>::<span>check</span>(<span>cudaFree</span>(x));</pre>")
    assert {"cudafre", "lockstep::check"} <= words(page)


def test_blocks_do_not_run_together():
    [page] = found("<h1>A</h1><ul><li>one</li><li>two</li></ul><table><tr><td>x1</td><td>x2</td></tr></table>")
    assert {"one", "two", "x1", "x2"} <= words(page)


def test_words_within_a_line_stay_whole():
    [page] = found("<h1>A</h1><p>pre<em>fix</em>ed</p>")
    assert "prefix" in words(page)


def test_a_raised_number_is_no_digit_of_the_number_before_it():
    [page] = found("<h1>A</h1><p>It takes 2 × 4096<sup>3</sup> operations.</p>")
    assert page.indexed().texts[0][0] == "It takes 2 × 4096^3 operations."
    assert {"4096", "3"} <= words(page) and "40963" not in words(page)


def test_what_is_not_to_be_found_is_left_out():
    ignored = "<div data-search-ignore><div>hidden</div>secret</div>"
    [page] = found(f'<h1>A<a class="headerlink" href="#a">¶</a></h1>{ignored}<p>shown</p>')
    assert page.title == "A"
    assert "shown" in words(page) and not {"hidden", "secret", "hid"} & words(page)


def test_a_heading_begins_a_section():
    [page] = found('<h1>A</h1><p>x</p><section id="s"><h2>More</h2><p>deep</p></section>')
    assert [(s.anchor, s.heading) for s in page.sections] == [("", ""), ("s", "More")]
    assert "deep" in page.sections[1].counts and "deep" not in page.sections[0].counts


def test_a_former_title_counts_as_much_as_the_title():
    head = '<head><meta name="former-title" content="Waiting &amp; more"></head>'
    [page] = index.entries(f"{head}<body><article><h1>Synchronization</h1></article></body>", "programming/x.html")
    assert page.former == "Waiting & more"
    assert page.sections[0].counts[index.stem("waiting")] == index.WEIGHTS["title"]


def test_terms_of_the_glossary_are_entries_of_their_own():
    rows = '<dt id="term-a">alpha</dt><dt id="term-b">beta</dt><dd>First.</dd><dt id="term-c">gamma</dt><dd>Third.</dd>'
    page, first, second = found(f"<h1>Glossary</h1><dl>{rows}</dl>", index.GLOSSARY)
    assert (first.title, first.address) == ("alpha, beta", "reference/words.html#term-a")
    assert second.title == "gamma" and "third" in words(second) and "third" not in words(first)


def test_the_name_of_a_program_is_found_in_parts():
    [page] = found("<h1>bank_conflict_ways.cu</h1>", "programs/x/bank_conflict_ways.html")
    assert {"bank_conflict_ways", "bank", "conflict"} <= words(page)


def test_two_words_of_a_heading_count_where_they_follow_each_other(tmp_path):
    phrases = index.phrases_of(["<h2>Bank conflicts</h2>"])
    [page] = index.entries("<article><h1>A</h1><p>Many bank conflicts.</p></article>", "a.html", phrases)
    assert "bank_conflict" in words(page)


def test_each_section_is_kept_with_its_text_its_heading_and_its_anchor():
    [page] = found(
        '<h1>Barriers</h1><p>They wait.</p><section id="a"><h2>How <code>wait</code> works</h2><p>Text.</p></section>'
    )
    assert page.indexed().texts == [("They wait.", "", ""), ("Text.", "How wait works", "a")]


def test_numbers_are_short():
    assert [len(index.number(value)) for value in (0, 44, 45, 2024, 2025)] == [1, 1, 2, 2, 3]


def test_shards_are_in_order_and_of_one_size():
    parts = index.shards({f"word{n:05}": "x" * 20 for n in range(2000)})
    assert len(parts) > 3 and [word for part in parts for word in part] == sorted(
        word for part in parts for word in part
    )
    assert all(sum(len(w) + len(p) + 6 for w, p in part.items()) <= index.SHARD_BYTES for part in parts)


def test_the_table_names_pages_terms_and_names(searched):
    addresses = [row[0] for row in table(searched)["entries"]]
    assert "programming/kernels/errors.html" in addresses and "reference/words.html#term-" in addresses
    assert not {address for address in addresses if address.startswith(("programs/", index.NAMES)) and "#" in address}
    assert not {"404.html", "search.html"} & set(addresses)


def test_what_the_table_leaves_out_the_search_knows(searched, browser):
    told = {(entry.address, entry.title) for path in pages(searched) for entry in entries_of(path, searched)}
    with serve(searched) as base:
        page = browser.new_page()
        page.goto(base + "search.html")
        page.wait_for_function("globalThis.lockstepSearch !== undefined")
        count = len(table(searched)["entries"]) + len(later(searched))
        described = page.evaluate(
            "n => Promise.all(Array.from({ length: n }, (_, entry) => lockstepSearch.describe({ entry, section: 0 })))",
            count,
        )
        page.close()
    assert {(each["href"].removeprefix(base), each["title"]) for each in described} == told
    short = [row for row in table(searched)["entries"] + later(searched) if row[0].endswith("-") or not row[1]]
    assert len(short) > 2  # names, terms and programs


def test_a_result_leads_to_its_section(searched, browser):
    with serve(searched) as base:
        page = browser.new_page()
        page.goto(base + "search.html")
        page.wait_for_function("globalThis.lockstepSearch !== undefined")
        at = [row[0] for row in table(searched)["entries"]].index("programming/kernels/errors.html")
        way = "({ href, way }) => [href, way.at(-1)]"
        described = page.evaluate(
            f"entry => Promise.all([1, 2].map((section) => lockstepSearch.describe({{ entry, section }}).then({way})))",
            at,
        )
        page.close()
    address = f"{base}programming/kernels/errors.html"
    assert described == [[f"{address}#cudagetlasterror", "cudaGetLastError"], [f"{address}#odd", "Scopes"]]


def test_a_second_run_writes_the_same_and_leaves_nothing_old(searched):
    before = {p.relative_to(searched): p.read_bytes() for p in (searched / "_search").rglob("*.js")}
    (searched / "_search/old").mkdir()
    (searched / "_search/old/1.js").write_text("")
    index.write(searched)
    assert {p.relative_to(searched): p.read_bytes() for p in (searched / "_search").rglob("*.js")} == before


def test_of_a_question_only_words_that_stand_together_count(tmp_path):
    html = b"<article><h1>Coalescing</h1><p>Access by a warp.</p></article>"
    said = {"a.html": ("why is my stride loop slow?",)}
    [entry] = index.read_pages({"a.html": html}, tmp_path / "kept", said)
    weights = {word: weight for (weight, _), found in entry.said.items() for word in found}
    assert weights["+loop+strid"] == index.WEIGHTS["asked"] and "strid_loop" not in weights
    assert weights["strid"] == weights["loop"] == index.WEIGHTS["question"]


def test_a_word_that_stands_in_questions_alone_is_not_found(tmp_path):
    pages = {"a.html": b"<article><h1>Loops</h1><p>A stride.</p></article>"}
    held = index.postings(index.read_pages(pages, tmp_path / "kept", {"a.html": ("why is my wavy stride slow?",)}))
    assert "strid" in held and not [word for word in held if "wavi" in word or "wavy" in word or "slow" in word]


def test_only_changed_pages_are_read_again(searched, monkeypatch):
    (searched.parent / f"{searched.name}.doctrees").mkdir()
    index.write(searched)
    before = {p.name: p.read_bytes() for p in (searched / "_search").rglob("*.js")}
    page = searched / "programming/index.html"
    page.write_text(page.read_text(encoding="utf-8").replace("All of it", "All of zebra"), encoding="utf-8")
    read = []
    entries = index.entries
    monkeypatch.setattr(
        index, "entries", lambda html, address, *more: read.append(address) or entries(html, address, *more)
    )
    index.write(searched)
    assert read == ["programming/index.html"]
    assert {p.name: p.read_bytes() for p in (searched / "_search").rglob("*.js")} != before


def test_what_readers_type_is_found_on_the_page_that_says_it_otherwise(tmp_path, monkeypatch):
    (tmp_path / "part").mkdir()
    (tmp_path / "part/coalescing.rst").write_text(
        ":search-words: stride access,\n   uncoalesced access\n\nCoalescing\n==========\n", encoding="utf-8"
    )
    monkeypatch.setattr(index, "PAGES", tmp_path)
    html = b"<article><h1>Coalescing</h1><p>Access by a warp.</p></article>"
    [entry] = index.read_pages({"part/coalescing.html": html}, tmp_path / "kept")
    weights = {word: weight for (weight, _), found in entry.said.items() for word in found}
    once = index.WEIGHTS["asked"]
    assert weights["strid"] == weights["uncoalesc"] == once
    assert weights["access"] == once + index.WEIGHTS["text"], "each word counts once"
    assert "stride" not in " ".join(text for text, _, _ in entry.texts)


def test_a_page_is_read_again_when_what_readers_type_changes(tmp_path):
    (tmp_path / "kept").mkdir()
    pages = {"a.html": b"<article><h1>A</h1></article>", "b.html": b"<article><h1>B</h1></article>"}
    index.read_pages(pages, tmp_path / "kept/index", {})
    [a, b] = index.read_pages(pages, tmp_path / "kept/index", {"b.html": ("zebra",)})
    assert any("zebra" in found for found in b.said.values()) and not any("zebra" in w for w in a.said.values())


def test_a_folder_without_pages_is_refused(tmp_path, capsys):
    assert index.main([str(tmp_path)]) == 2
    assert "run `make html` first" in capsys.readouterr().err


def test_sections_of_the_guide_belong_to_the_whole_page():
    html = (
        "<article><h1>Barriers</h1><section id='last'><h2>Last</h2><p>text</p></section>"
        '<div class="lockstep-guide"><ul><li><b data-covers><a href="x">3.2.4</a></b> Kernel (3.2.4.2)</li></ul></div></article>'
    )
    [page] = index.entries(html, "part/barriers.html")
    first, last = page.sections
    assert first.counts["3.2.4"] == index.WEIGHTS["covers"] and first.counts["3.2.4.2"] == 1.0
    assert "3.2.4" not in last.counts and "kernel" in first.counts


def test_scripts_are_put_without_comments_and_indentation():
    assert index.shorter("// says what\nf(\n  1, // one\n\n);\n") == "f(\n1, // one\n);\n"


def test_the_last_words_of_a_name_find_it():
    rows = '<dt id="api-a">cudaGetLastError</dt><dd>x</dd><dt id="api-b">CU_DEV_RESOURCE_TYPE_SM</dt>'
    _, first, second = found(f"<dl>{rows}</dl>", f"{index.NAMES}driver.html")
    assert {"getlasterror", "lasterror"} <= words(first) and not {"error", "asterror"} & words(first)
    assert {"resource_type_sm", "type_sm"} <= words(second)


def test_a_shard_begins_with_as_much_of_its_first_word_as_tells_it_from_the_one_before():
    parts = [{"apple": "", "barrier": ""}, {"batch": ""}, {"batches": "", "z": ""}]
    assert index.starts_of(parts) == ["a", "bat", "batche"]


def test_two_words_of_a_phrase_stand_under_the_rarer_one():
    lists = {"kernel": ["x", "y"], "zebra": ["x"]}
    assert index._beside_rarer("+kernel+zebra", lists) == "zebra+kernel"
