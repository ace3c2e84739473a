"""The check of the guide's map finds what is not there: each test plants one drift in a map that is well otherwise."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from lockstep import guide_map
from lockstep.site import guide_check

SECTIONS = """\
[[group]]
name = "programming"
title = "2 Programming"
source = "Guide 13.1"
address = "https://example.org/"
[[group.section]]
number = "2.2"
title = "Kernels"
address = "kernels.html"
at = ["kernels"]
[[group.section]]
number = "2.2.3"
title = "Memory"
address = "kernels.html#memory"
at = ["kernels#memory"]
[[group.section]]
number = "2.2.4"
title = "Performance"
address = "kernels.html#performance"
"""
FACT = '[[fact]]\nsection = "2.2.3.1"\ntext = "Memory is slow."\nat = "kernels#memory"\nprogram = "slow"\n'


@pytest.fixture
def check(site, tmp_path):
    """Checks a map of these files against a site of two pages, whose program `slow` is recorded."""

    def run(sections: str = SECTIONS, facts: str = FACT) -> list[str]:
        pages = site(index="x", kernels='<h2 id="memory">Memory</h2>')
        folder = tmp_path / "docs" / guide_map.FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sections.toml").write_text(sections)
        (folder / "2.2.toml").write_text(facts)
        console = tmp_path / "slow.console"
        console.touch()
        programs = {
            "part/slow": SimpleNamespace(name="slow", console=console),
            "part/unrecorded": SimpleNamespace(name="unrecorded", console=Path("none")),
        }
        return guide_check.findings(guide_map.load(tmp_path / "docs"), pages, programs)

    return run


def test_map_of_what_is_there_passes(check):
    assert check() == []


def test_fact_without_a_page_passes(check):
    missing = '[[fact]]\nsection = "2.2.4"\ntext = "Fast."\nmissing = "a program"\n'
    assert check(facts=FACT + missing) == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('at = "kernels#memory"', 'at = "gone#memory"', "2.2.toml:1: gone is no page of the site"),
        ('at = "kernels#memory"', 'at = "kernels#gone"', "2.2.toml:1: kernels has no anchor 'gone'"),
        ('at = "kernels#memory"', 'at = "kernels"', "2.2.toml:1: kernels names no anchor"),
        ('program = "slow"', 'program = "gone"', "2.2.toml:1: no program is called gone"),
        ('program = "slow"', 'program = "unrecorded"', "2.2.toml:1: unrecorded has no recording"),
        ('program = "slow"', 'programs = "slow"', '2.2.toml:5: fact.1.programs: unknown key; did you mean "program"?'),
        ('program = "slow"', 'missing = "why"', "2.2.toml:2: fact.1.section: needs either 'at' or 'missing'"),
        ('at = "kernels#memory"\n', "", "2.2.toml:2: fact.1.section: needs either 'at' or 'missing'"),
        (
            'text = "Memory is slow."',
            'text = " "',
            '2.2.toml:3: fact.1.text: is " "; expected a text that is not empty',
        ),
        ('text = "Memory is slow."\n', "", '2.2.toml:1: fact.1: lacks "text", a text that is not empty'),
        ('"2.2.3.1"', '"2.9"', "2.2.toml:1: is of '2.9', which sections.toml does not list"),
        ('"2.2.3.1"', '"2.2.4"', "2.2.4 has facts on kernels, but names no page"),
        ("[[fact]]", "[fact]", "2.2.toml:1: fact: is a table; expected a list"),
        ("[[fact]]", "[[facts]]", '2.2.toml:1: facts: unknown key; did you mean "fact"?'),
        ("[[fact]]", "[[fact", "2.2.toml:1: cannot be read: "),
    ],
)
def test_drift_of_a_fact_is_found(check, old, new, says):
    assert any(says in line for line in check(facts=FACT.replace(old, new)))


def test_fact_that_stands_twice_is_found(check):
    assert "2.2.toml:6: says the same as docs/reference/guide_map/2.2.toml:1; remove one" in check(facts=FACT + FACT)[0]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('at = ["kernels#memory"]', 'at = ["kernels#gone"]', "2.2.3: kernels has no anchor 'gone'"),
        ('at = ["kernels"]', 'at = ["gone"]', "2.2: gone is no page of the site"),
        ('at = ["kernels"]', 'at = "kernels"', 'sections.toml:10: group.1.section.1.at: is "kernels"; expected a list'),
        (
            'at = ["kernels"]',
            'at = ["kernels", "kernels"]',
            "sections.toml:10: group.1.section.1.at: names a target twice",
        ),
        (
            'at = ["kernels"]',
            'at = ["kernels"]\nbegun = ["kernels"]',
            "sections.toml:11: group.1.section.1.begun: 2.2 is covered, so it has no 'begun'",
        ),
        ('at = ["kernels"]', 'begun = ["gone"]', "gone is no page of the site"),
        ('at = ["kernels#memory"]\n', "", "2.2.3 has facts on kernels, but names no page"),
        (
            '"2.2.4"',
            '"2.2.3"',
            "sections.toml:16: 2.2.3 is listed at docs/reference/guide_map/sections.toml:11 already",
        ),
        ('title = "Memory"\n', "", 'sections.toml:11: group.1.section.2: lacks "title"'),
        ('source = "Guide 13.1"\n', "", 'sections.toml:1: group.1: lacks "source"'),
        (SECTIONS, "", 'sections.toml:1: lacks "group", a list'),
    ],
)
def test_drift_of_the_list_is_found(check, old, new, says):
    assert any(says in line for line in check(sections=SECTIONS.replace(old, new)))


def test_covered_section_without_a_fact_is_found(check):
    [below, alone] = check(facts='[[fact]]\nsection = "2.2.4"\ntext = "Fast."\nmissing = "a program"\n')
    assert "2.2 names kernels, but no fact" in below and "2.2.3 names kernels#memory, but no fact" in alone


def test_command_without_pages_fails(tmp_path, capsys):
    assert guide_check.main([str(tmp_path)]) == 2
    assert "run `make html` first" in capsys.readouterr().err
