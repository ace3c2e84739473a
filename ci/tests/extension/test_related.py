"""Related pages are those that share the rarest names, and finding them stays cheap."""

import time

from lockstep_sphinx.frame import related


def anywhere(page: str, other: str) -> bool:
    return True


def test_pages_that_share_rarer_names_stand_first():
    names = {"a": ["common", "rare"], "b": ["common"], "c": ["rare"], "d": ["common"], "e": ["other"]}
    assert related.find(names, anywhere)["a"] == ["c", "b", "d"]


def test_more_shared_names_count_more():
    names = {"a": ["x", "y"], "b": ["x"], "c": ["x", "y"]}
    assert related.find(names, anywhere)["a"] == ["c", "b"]


def test_a_page_that_links_everything_is_near_to_nothing():
    topics = {"a": ["x", "y"], "b": ["x"], "hub": ["x", "y", *"klmnop"], **{name: [name] for name in "klmnop"}}
    assert related.find(topics, anywhere)["a"] == ["b", "hub"]


def test_a_name_that_many_use_relates_nothing():
    names = {f"page{n}": ["cudaMalloc"] for n in range(related.RARE + 1)}
    assert not any(related.find(names, anywhere).values())


def test_at_most_three_are_named_in_a_settled_order():
    names = {name: ["x"] for name in "hgfedcba"}
    assert related.find(names, anywhere)["c"] == ["a", "b", "d"]


def test_pages_that_may_not_be_named_are_left_out():
    found = related.find({"a": ["x"], "b": ["x"], "c": ["x"]}, lambda page, other: other != "b")
    assert found["a"] == ["c"]


def test_eight_hundred_programs_take_no_time():
    names = {f"p{n}": [f"common{k}" for k in range(8)] + [f"n{n % 97}", f"m{n % 31}"] for n in range(800)}
    asked = 0

    def counted(page: str, other: str) -> bool:
        nonlocal asked
        asked += 1
        return True

    began = time.process_time()
    related.find(names, counted)
    assert asked < 800 * 2 * related.RARE and time.process_time() - began < 2
