"""Pages that are read leave room for a box to mark them, and a part's page for the count."""

from lockstep_sphinx.place.place import exercises_below

BOX = '<div class="place" hidden></div>'


def test_a_page_that_is_read_ends_with_room_for_the_box(site_at):
    assert site_at("labs/demo").build("Text.").html.count(BOX) == 1


def test_a_page_to_look_things_up_in_does_not(site_at):
    assert BOX not in site_at("reference/demo").build("Text.").html


def test_a_part_counts_its_pages_and_exercises(site_at):
    made = site_at("labs/index")
    made.page("labs/first/second.rst", "Second\n======\n")
    html = made.build("Text.").html
    count = '<div class="place-count" data-exercises="" data-pages="first/second index"></div>'
    assert html.index("</h1>") < html.index(count) < html.index("Text.")


def test_a_new_page_is_counted_above_it(site_at):
    made = site_at("labs/index")
    made.build("Text.")
    made.page("labs/first/second.rst", "Second\n======\n")
    assert 'data-pages="first/second index"' in made.build(fresh=False).html


def test_exercises_are_counted_below_a_chapter_alone():
    class Some:
        def __init__(self, name, folder, exercise):
            self.name, self.folder, self.exercise = name, folder, exercise

    programs = {
        "a": Some("a", "labs/first", True), "b": Some("b", "labs/second", True), "c": Some("c", "labs/first", False),
    }  # fmt: skip
    assert exercises_below(programs, "labs/") == ["a", "b"]
    assert exercises_below(programs, "labs/first") == ["a"]


def test_without_scripts_the_settings_say_that_nothing_is_kept(site):
    assert '<p role="status">Nothing is kept:' in site.build(".. place-settings::").html


def test_the_settings_know_all_pages_that_are_read(site):
    site.page("labs/index.rst", "Labs\n====\n")
    assert 'data-pages="labs/index"' in site.build(".. place-settings::").html
    site.page("ladders/copy.rst", "Copy\n====\n")
    assert 'data-pages="labs/index ladders/copy"' in site.build(fresh=False).html
