"""`measured` puts recorded numbers into sentences, and claims are held to them."""

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
    assert "unknown table clams" in build("Fast.").warnings


def test_drafts_wait_for_numbers_without_a_warning(site):
    html, warnings = site.build(":measured:`demo: rate`", lockstep_allow_stale=True)
    assert "not recorded" in html and warnings == ""


def test_number_follows_the_recording(build, site):
    build(":measured:`demo: rate`")
    site.record(Command("./demo", ["rate   ~4.20 TB/s"]))
    assert "4.20 TB/s" in build(fresh=False).html


def test_number_follows_the_claims_file(build, site):
    site.page("part/demo.claims", "[measured]\nten = '10'\n")
    build(":measured:`ten`")
    site.page("part/demo.claims", "[measured]\nten = '20'\n")
    assert '<span class="measured">20.0</span>' in build(fresh=False).html
