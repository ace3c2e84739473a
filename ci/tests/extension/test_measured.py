"""`measured` puts recorded numbers into sentences, and claims are held to them."""

import pytest

from lockstep.recordings.session import Command


def test_printed_number_stands_in_the_sentence_with_its_unit(build):
    html, warnings = build("It reads :measured:`demo: rate`.")
    assert '<span class="measured">3.91 TB/s</span>' in html
    assert warnings == ""


def test_a_command_can_be_named(site):
    site.record(Command("./demo", ["rate ~1.00 GB/s"]), Command("./demo --n 5", ["rate ~5.00 GB/s"]))
    assert "5.00 GB/s" in site.build(":measured:`demo [./demo --n 5]: rate`").html


def test_computed_number_comes_from_the_claims_file(build, site):
    site.page("part/demo.claims", '[measured]\ndouble = \'value("demo", "rate") * 2\'\n')
    assert '<span class="measured">7.82</span>' in build(":measured:`double`").html


def test_unknown_label_is_a_warning(build):
    assert 'demo printed no line that begins with "speed"' in build(":measured:`demo: speed`").warnings


def test_unknown_program_is_a_warning(build):
    assert "no program is called gone" in build(":measured:`gone: rate`").warnings


def test_unknown_number_is_a_warning(build):
    assert "demo.claims has no number gone under [measured]" in build(":measured:`gone`").warnings


def test_claim_that_does_not_hold_is_a_warning_at_its_line(build, site):
    site.page("part/demo.claims", '[claims]\n"it is fast" = \'value("demo", "rate") > 100\'\n')
    assert 'part/demo.claims:2: WARNING: does not hold: "it is fast"' in build("Fast.").warnings


def test_unreadable_claims_file_is_a_warning(build, site):
    site.page("part/demo.claims", "[clams]\n")
    built = build("Fast :measured:`x`.")
    assert 'part/demo.claims:1: WARNING: clams: unknown key; did you mean "claims"?' in built.warnings
    assert built.warnings.count("WARNING") == 1


def test_drafts_wait_for_numbers_without_a_warning(site):
    html, warnings = site.build(":measured:`demo: rate`", lockstep_allow_stale=True)
    assert "not recorded" in html and warnings == ""


def test_number_follows_the_recording(build, site):
    build(":measured:`demo: rate`")
    site.record(Command("./demo", ["rate   ~4.20 TB/s"]))
    assert "4.20 TB/s" in build(fresh=False).html


def test_number_follows_the_claims_file(build, site):
    site.page("part/demo.claims", '[measured]\nten = \'value("demo", "rate") * 10\'\n')
    build(":measured:`ten`")
    site.page("part/demo.claims", '[measured]\nten = \'value("demo", "rate") * 20\'\n')
    assert '<span class="measured">78.2</span>' in build(fresh=False).html


def test_claim_that_says_nothing_is_a_warning_at_its_line(build, site):
    site.page("part/demo.claims", '[claims]\n"it is so" = \'value("demo", "rate") > 0\'\n')
    assert (
        "part/demo.claims:2: WARNING: \"it is so\": value('demo', 'rate') > 0 does not depend on"
        in build("Fast.").warnings
    )


MISSING = "compares what demo measured, and no claim holds it to that; state what it says under [claims] in demo.claims"


@pytest.mark.parametrize(
    "text",
    [
        "It is :measured:`demo: rate` and :measured:`demo: rate`.",
        "It is faster, :measured:`demo: rate`.",
        "It takes :measured:`demo: rate` times as long.",
        "Less than the limit. It reads :measured:`demo: rate`, more than a CPU.",
        ".. list-table::\n\n   * - :measured:`demo: rate`\n     - :measured:`demo: rate`",
    ],
)
def test_comparison_without_a_claim_is_a_warning(build, site, text):
    built = build(text)
    assert MISSING in built.warnings and "part/demo.rst:" in built.warnings
    site.page("part/demo.claims", '[claims]\n"it reads" = \'value("demo", "rate") > 1\'\n')
    assert build(text).warnings == ""


def test_claim_about_another_program_does_not_hold_a_comparison(site):
    site.declare("lockstep_program(demo)", "lockstep_program(other)")
    site.write("other.cu", (site.programs / "demo.cu").read_text())
    site.record(Command("./demo", ["rate ~3.91 TB/s"]))
    site.record(Command("./other", ["rate ~3.91 TB/s"]), name="other")
    site.page("part/demo.claims", '[claims]\n"it reads" = \'value("other", "rate") > 1\'\n')
    assert MISSING in site.build("It is faster, :measured:`demo: rate`.").warnings


@pytest.mark.parametrize(
    "text", ["It reads :measured:`demo: rate`.", "It is fast: :measured:`demo: rate`. More than once."]
)
def test_one_number_that_is_not_compared_needs_no_claim(build, text):
    assert build(text).warnings == ""
