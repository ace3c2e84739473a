"""`picture` shows what a program drew, where and when, and refuses what is not fit to be shown."""

import re

import pytest

from lockstep.checks import listings
from lockstep.recordings import pictures
from lockstep.recordings.pictures import Picture
from lockstep.recordings.session import Command

SHOWN = ".. picture:: part/demo/demo red.ppm\n   :alt: A red < square\n\n   The *caption*."
RED = pictures.png(Picture(20, 10, 3, bytes((200, 10, 10)) * 200))
BLUE = pictures.png(Picture(20, 10, 3, bytes((10, 10, 200)) * 200))
FILE = "_downloads/programs/part/demo/red.png"


@pytest.fixture
def drawing(site):
    """A site whose program drew a red and a blue picture."""
    site.declare("lockstep_program(demo PICTURES red.ppm blue.ppm)")
    site.record(Command("./demo", ["ok"]), data={"red.png": RED, "blue.png": BLUE})
    return site


def image(html: str) -> str:
    [found] = re.findall(r"<img[^>]*>", html)
    return found


def test_picture_is_shown_with_its_size_and_words_and_is_loaded_when_it_is_needed(drawing):
    built = drawing.build(SHOWN)
    shown = image(built.html)
    assert f'src="../{FILE}"' in shown and 'alt="A red &lt; square"' in shown
    assert 'width="20" height="10" loading="lazy"' in shown and "enlarged" not in shown
    assert re.search(r"<figcaption>\s*<p>The <em>caption</em>.</p>\s*</figcaption>\s*</figure>", built.html)
    assert (built.out / FILE).read_bytes() == RED
    assert built.warnings == ""


def test_picture_comes_with_its_provenance_and_a_download(drawing):
    html = drawing.build(SHOWN).html
    assert "<summary>Recorded 2026-11-21 on NVIDIA H200</summary>" in html
    assert "GPU: NVIDIA H200 (compute capability 9.0)" in html and "driver: 580.1" in html
    assert f'<a href="../{FILE}" download>Download red.png</a>' in html
    assert "may differ" not in html


def test_page_says_by_how_much_the_pixels_may_differ(site):
    site.declare("lockstep_program(demo PICTURES red.ppm blue.ppm)")
    allowed = {"red.png": (2, "filtering rounds")}
    site.record(Command("./demo", ["ok"]), data={"red.png": RED, "blue.png": BLUE}, pictures=allowed)
    built = site.build(SHOWN)
    assert "Each channel of a pixel, from 0 to 255, may differ by 2: filtering rounds." in built.html
    assert built.warnings == ""
    assert "may differ" not in site.build(SHOWN.replace("red.ppm", "blue.ppm")).html


def test_small_picture_can_be_enlarged(drawing):
    html, warnings = drawing.build(SHOWN.replace("   :alt:", "   :enlarged: 4\n   :alt:"))
    assert 'width="80" height="40"' in image(html) and 'class="enlarged"' in image(html)
    assert warnings == ""


def test_picture_without_caption_has_none(drawing):
    html, warnings = drawing.build(SHOWN.partition("\n\n")[0])
    assert "<figcaption>" not in html and warnings == ""


@pytest.mark.parametrize(
    ("old", "new", "warning"),
    [
        ("   :alt: A red < square\n", "", "the picture red.ppm has no :alt:; say in words what it shows"),
        (":alt: A red", ":alt: 5.5 times as red as a", '"5.5 times" is typed'),
        ("red.ppm", "rde.ppm", "part/demo/demo declares no picture rde.ppm; did you mean red.ppm?"),
        ("red.ppm", "red.png", "part/demo/demo declares no picture red.png; did you mean red.ppm?"),
        ("red.ppm", "shade.pgm", "declares no picture shade.pgm; add PICTURES shade.pgm to its lockstep_program()"),
        ("part/demo/demo", "part/demo/gone", "no program part/demo/gone"),
        ("   :alt:", "   :enlarged: 17\n   :alt:", "a pixel can be a square of at most 16"),
        (" red.ppm", "", "2 argument(s) required"),
    ],
)
def test_picture_that_cannot_be_shown_is_a_warning_at_its_place(drawing, old, new, warning):
    warnings = drawing.build(SHOWN.replace(old, new)).warnings
    assert warning in warnings and "part/demo.rst:4: " in warnings


def test_missing_picture_is_a_warning(drawing):
    (drawing.programs / "red.png").unlink()
    html, warnings = drawing.build(SHOWN)
    assert "part/demo.rst:4: WARNING: programs/part/demo/red.png: missing or edited by hand" in warnings
    assert "red.ppm is not recorded yet" in html


def test_picture_that_was_never_recorded_is_a_warning_and_a_note_in_drafts(site):
    site.declare("lockstep_program(demo PICTURES red.ppm)")
    assert "part/demo.rst:4: WARNING: " in (warnings := site.build(SHOWN).warnings)
    assert "was never recorded" in warnings
    html, warnings = site.build(SHOWN, lockstep_allow_stale=True)
    assert "red.ppm is not recorded yet" in html and warnings == ""


def test_stale_picture_is_a_warning_and_says_so_in_drafts(drawing):
    drawing.write("demo.cu", "// Other.\nint main() { return 1; }\n")
    assert "stale: demo.cu and lockstep/check.hpp changed since it was recorded" in drawing.build(SHOWN).warnings
    html, warnings = drawing.build(SHOWN, lockstep_allow_stale=True)
    assert 'class="lockstep-stale"' in html and "stale: demo.cu and" in html and image(html)
    assert warnings == ""


def test_edited_picture_is_a_warning(drawing):
    (drawing.programs / "red.png").write_bytes(pictures.png(Picture(1, 1, 3, b"abc")))
    assert "programs/part/demo/red.png: missing or edited by hand" in drawing.build(SHOWN).warnings


def test_swapped_picture_is_a_warning(drawing):
    (drawing.programs / "red.png").write_bytes(BLUE)
    (drawing.programs / "blue.png").write_bytes(RED)
    warnings = drawing.build(SHOWN).warnings
    assert "red.png: missing or edited by hand" in warnings and "blue.png: missing or edited by hand" in warnings


def test_file_that_is_no_picture_is_a_warning_and_is_not_shown(drawing):
    (drawing.programs / "red.png").write_bytes(b"GIF89a")
    html, warnings = drawing.build(SHOWN)
    assert "red.png is no PNG that the recorder wrote" in warnings and "<img" not in html


def test_unreadable_transcript_is_a_warning(drawing):
    drawing.write("demo.console", "# picture: red.png within 99 -- why\n$ ./demo\n")
    html, warnings = drawing.build(SHOWN)
    assert "demo.console:1: cannot read this header; write # picture: FILE.png within 1" in warnings
    assert "<img" not in html


def test_picture_that_cannot_be_recorded_shows_the_reason(site):
    site.declare('lockstep_program(demo PICTURES red.ppm UNRECORDED "needs two Grace CPUs")')
    html, warnings = site.build(SHOWN)
    assert "Not recorded: needs two Grace CPUs" in html and warnings == ""


def test_page_and_download_follow_a_new_recording(drawing):
    drawing.build(SHOWN)
    large = pictures.png(Picture(40, 10, 3, bytes((200, 10, 10)) * 400))
    drawing.record(Command("./demo", ["ok"]), data={"red.png": large, "blue.png": BLUE})
    built = drawing.build(SHOWN, fresh=False)
    assert 'width="40"' in image(built.html) and (built.out / FILE).read_bytes() == large
    assert built.warnings == ""


# ---------------------------------------------------------------------------------------------------------------------
# The check of the built site


def wrong(drawing, change) -> list[str]:
    """What the check finds where a built site was changed."""
    built = drawing.build(SHOWN)
    change(built.out)
    return [text for text in listings.problems(built.out, drawing.root) if "red.png" in text or "picture" in text]


def swap(out) -> None:
    (out / FILE).write_bytes(BLUE)


def address(out) -> None:
    page = out / "part/demo.html"
    page.write_text(page.read_text().replace('red.png" alt', 'blue.png" alt'))


def lose(out) -> None:
    (out / FILE).unlink()


def misname(out) -> None:
    page = out / "part/demo.html"
    page.write_text(
        page.read_text().replace('data-program="part/demo/demo" data', 'data-program="part/demo/gone" data')
    )


def test_pictures_of_a_built_site_are_those_that_were_recorded(drawing):
    assert wrong(drawing, lambda out: None) == []


@pytest.mark.parametrize("change", [swap, address, lose])
def test_picture_that_is_another_in_the_built_site_is_found(drawing, change):
    assert wrong(drawing, change) == [
        "part/demo.html: the picture red.png of part/demo/demo is not what was recorded; rebuild the site"
    ]


def test_picture_of_no_program_in_the_built_site_is_found(drawing):
    assert wrong(drawing, misname) == [
        "part/demo.html: shows red.png of part/demo/gone, which no lockstep_program() declares; build the site again"
    ]


def test_directive_that_is_shown_as_text_is_found(drawing):
    built = drawing.build("::\n\n    .. picture:: part/demo/demo red.ppm")
    assert any('shows ".. picture::" as text' in text for text in listings.problems(built.out, drawing.root))
