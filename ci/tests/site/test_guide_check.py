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
        ('at = "kernels#memory"', 'at = "gone#memory"', "2.2.toml: fact 1: gone is no page of the site"),
        ('at = "kernels#memory"', 'at = "kernels#gone"', "2.2.toml: fact 1: kernels has no anchor 'gone'"),
        ('at = "kernels#memory"', 'at = "kernels"', "2.2.toml: fact 1: kernels names no anchor"),
        ('program = "slow"', 'program = "gone"', "2.2.toml: fact 1: no program is called gone"),
        ('program = "slow"', 'program = "unrecorded"', "2.2.toml: fact 1: unrecorded has no recording"),
        ('program = "slow"', 'programs = "slow"', "2.2.toml: fact 1 has a key 'programs' that means nothing here"),
        ('program = "slow"', 'missing = "why"', "2.2.toml: fact 1 needs either 'at' or 'missing'"),
        ('at = "kernels#memory"\n', "", "2.2.toml: fact 1 needs either 'at' or 'missing'"),
        ('text = "Memory is slow."', 'text = " "', "2.2.toml: fact 1 has no text as 'text'"),
        ('text = "Memory is slow."\n', "", "2.2.toml: fact 1 lacks 'text'"),
        ('"2.2.3.1"', '"2.9"', "2.2.toml: fact 1 is of '2.9', which sections.toml does not list"),
        ('"2.2.3.1"', '"2.2.4"', "2.2.4 has facts on kernels, but names no page"),
        ("[[fact]]", "[fact]", "2.2.toml: write [[fact]], with two brackets"),
        ("[[fact]]", "[[facts]]", "2.2.toml: 'facts' means nothing here"),
        ("[[fact]]", "[[fact", "2.2.toml: "),
    ],
)
def test_drift_of_a_fact_is_found(check, old, new, says):
    assert any(says in line for line in check(facts=FACT.replace(old, new)))


def test_fact_that_stands_twice_is_found(check):
    assert "fact 2 says the same as 2.2.toml: fact 1" in check(facts=FACT + FACT)[0]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('at = ["kernels#memory"]', 'at = ["kernels#gone"]', "2.2.3: kernels has no anchor 'gone'"),
        ('at = ["kernels"]', 'at = ["gone"]', "2.2: gone is no page of the site"),
        ('at = ["kernels"]', 'at = "kernels"', "(2.2) has an 'at' that is no list of pages"),
        ('at = ["kernels"]', 'at = ["kernels", "kernels"]', "(2.2) names a target twice"),
        ('at = ["kernels#memory"]\n', "", "2.2.3 has facts on kernels, but names no page"),
        ('"2.2.4"', '"2.2.3"', "2.2.3 is listed twice"),
        ('title = "Memory"\n', "", "lacks 'title'"),
        ('source = "Guide 13.1"\n', "", "group 1 lacks 'source'"),
        (SECTIONS, "", "lists no section"),
    ],
)
def test_drift_of_the_list_is_found(check, old, new, says):
    assert any(says in line for line in check(sections=SECTIONS.replace(old, new)))


def test_covered_section_without_a_fact_is_found(check):
    [below, alone] = check(facts="")
    assert "2.2 names kernels, but no fact" in below and "2.2.3 names kernels#memory, but no fact" in alone


def test_command_without_pages_fails(tmp_path, capsys):
    assert guide_check.main([str(tmp_path)]) == 2
    assert "run `make html` first" in capsys.readouterr().err
