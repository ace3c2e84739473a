"""What has changed since the last complete run of the checks, and what is left to the next one."""

import os
import re
import subprocess
from datetime import date
from pathlib import Path

import pytest

from lockstep import changes
from lockstep.checks import steps
from lockstep.content import content, digest
from lockstep.files import ROOT
from lockstep.programs import cmake_lists

PAGES = ["index.html", "page.html"]


@pytest.fixture
def complete(project, monkeypatch):
    """A project after a complete run; returns what a run would check now."""
    monkeypatch.setattr(changes, "toolkit", lambda: "V13.0.88")
    site = project.root / "build/check-html"
    site.mkdir(parents=True)
    (project.root / "ci").mkdir()
    (site / "index.html").write_text("<p>front</p>")
    (site / "page.html").write_text("<p>page</p>")
    for name in ("CMakeLists.txt", "CMakePresets.json"):
        (project.root / name).write_text("")
    changes.note(project.root, cmake_lists.programs(project.root).values(), site, PAGES, date(2026, 1, 2))

    def plan(**options):
        wanted = {"everything": False, "quick": False} | options
        return changes.plan(project.root, lambda: cmake_lists.programs(project.root), **wanted)

    return plan


def test_nothing_has_changed_right_after_a_complete_run(complete):
    plan = complete()
    assert (plan.everything, plan.programs, plan.downloads) == (False, (), ())
    assert "0 of 1 programs have changed" in plan.report() and "1 complete builds, 1 downloads, 2 pages" in plan.report(
        2
    )
    assert "2026-01-02, V13.0.88, key " in plan.report()


@pytest.mark.parametrize("what", ["source", "header", "list", "presets"])
def test_what_reaches_a_program_changes_it(complete, project, what):
    file = {
        "source": project.source,
        "header": project.header,
        "list": project.list,
        "presets": project.root / "CMakePresets.json",
    }[what]
    text = file.read_text().replace("lockstep_program(demo)", "lockstep_program(demo MIN_CC 90)")
    file.write_text(text + ("" if what == "list" else "\n\n"))
    plan = complete()
    assert plan.programs == plan.downloads == ("part/page/demo",)


def test_a_line_before_a_declaration_changes_no_program(complete, project):
    project.list.write_text("\n# why\n" + project.list.read_text())
    assert complete().programs == ()


def test_another_toolkit_changes_every_program(complete, monkeypatch):
    monkeypatch.setattr(changes, "toolkit", lambda: "V13.1.0")
    assert complete().programs == ("part/page/demo",)


def test_what_makes_downloads_changes_downloads_alone(complete, project):
    (project.root / "ci/lockstep/programs").mkdir(parents=True)
    (project.root / "ci/lockstep/programs/fold.py").write_text("")
    plan = complete()
    assert (plan.programs, plan.downloads) == ((), ("part/page/demo",))


def test_without_a_ledger_builds_are_short_and_all_pages_are_opened(complete, project):
    (project.root / changes.LEDGER).unlink()
    plan = complete()
    assert (plan.everything, plan.programs, plan.downloads) == (False, (), ())
    assert "complete_run.json is missing" in plan.report() and "1 complete builds, 1 downloads" in plan.report()
    assert changes.opened_pages(project.root / "build/check-html", project.root, PAGES) == PAGES


def test_all_believes_nothing_that_passed_before(complete):
    assert complete(everything=True).everything


def test_a_broken_ledger_says_what_to_do(complete, project):
    (project.root / changes.LEDGER).write_text("{}")
    with pytest.raises(changes.LedgerError, match="make check ALL=1"):
        complete()


def test_only_a_page_of_other_content_has_changed(complete, project):
    site = project.root / "build/check-html"
    before = changes.last_run(project.root)
    assert before
    os.utime(site / "page.html", (0, 0))
    assert changes.differing(changes.page_keys(site, project.root, PAGES), before.pages) == []
    (site / "page.html").write_text("<p>another</p>")
    assert changes.differing(changes.page_keys(site, project.root, PAGES), before.pages) == ["page.html"]


def test_only_changed_pages_are_opened_and_the_front_page(complete, project):
    site = project.root / "build/check-html"
    names = ["index.html", "new.html", "page.html"]
    (site / "new.html").write_text("<p>new</p>")
    assert changes.opened_pages(site, project.root, names) == ["index.html", "new.html"]
    (site / "page.html").write_text("<p>another</p>")
    assert changes.opened_pages(site, project.root, names) == names


def test_content_is_names_and_bytes(tmp_path):
    def now() -> str:
        return content(tmp_path, ["."])

    (tmp_path / "a").write_text("x")
    first = now()
    (tmp_path / "a").rename(tmp_path / "b")
    assert now() != first
    (tmp_path / "b").rename(tmp_path / "a")
    (tmp_path / "a.pyc").write_text("x")
    assert now() == first
    assert digest(["a", "bc"]) != digest(["ab", "c"])


def test_the_plan_decides_what_the_steps_do():
    one = changes.Plan(False, "", ("a/b/one", "a/b/two"), ("a/b/one",), 5)
    by_name = {step.name: step for step in steps.steps(one)}
    assert "-DLOCKSTEP_COMPLETE_BUILDS=a/b/one;a/b/two" in by_name["configure"].commands[0]
    assert by_name["downloads"].commands[0][-2:] == ("downloads", "a/b/one")
    assert "--changed" in by_name["browser"].commands[0]
    everything = {step.name: step for step in steps.steps(changes.Plan(True, "", (), (), 5))}
    assert "-DLOCKSTEP_COMPLETE_BUILDS=all" in everything["configure"].commands[0]
    assert everything["downloads"].commands[0][-1] == "--all"
    assert "--changed" not in everything["browser"].commands[0]
    assert "--again" in everything["contract"].commands[0] and "--again" in everything["emulate"].commands[0]


# -- steps that are not run another time -------------------------------------------------------------------------------------


@pytest.fixture
def remembering(tmp_path, monkeypatch):
    """Runs one step that reads the file `read` and notes each run in `ran`; returns how often it has run."""
    monkeypatch.setattr(steps, "ROOT", tmp_path)
    monkeypatch.setattr(steps, "PASSED", tmp_path / "build/passed.json")
    monkeypatch.setattr(steps, "TIMES", tmp_path / "build/times.json")
    monkeypatch.setattr(changes, "toolkit", lambda: "V13.0.88")
    (tmp_path / "read").write_text("1")

    def run(status: int = 0, makes: str = "") -> int:
        script = f"echo >> ran; {f'touch {makes};' if makes else ''} test ! -e broken"
        if status:
            (tmp_path / "broken").touch()
        else:
            (tmp_path / "broken").unlink(missing_ok=True)
        step = steps.Step("a", (("sh", "-c", script),), "fix a", reads=("read",), makes=makes)
        assert steps.check([step], remember=True) == (["a"] if status and count() else []) or not status
        return count()

    def count() -> int:
        ran = tmp_path / "ran"
        return len(ran.read_text().splitlines()) if ran.exists() else 0

    return run


def test_a_step_that_reads_nothing_new_is_not_run_again(remembering, tmp_path, capfd):
    assert remembering() == 1
    assert remembering() == 1
    assert "a: passed: unchanged since" in capfd.readouterr().out
    (tmp_path / "read").write_text("2")
    assert remembering() == 2


def test_a_step_that_failed_is_run_again(remembering, tmp_path):
    assert remembering(status=1) == 1
    assert remembering(status=1) == 2
    assert remembering() == 3
    (tmp_path / "read").write_text("2")
    assert remembering(status=1) == 4
    (tmp_path / "read").write_text("1")
    assert remembering() == 5, "what it read before its failure is forgotten"


def test_a_step_whose_product_is_gone_is_run_again(remembering, tmp_path):
    assert remembering(makes="made") == 1
    (tmp_path / "made").unlink()
    assert remembering(makes="made") == 2


# -- architectures -----------------------------------------------------------------------------------------------------------


def architectures(tmp_path: Path, program: str, complete: str, listed: str) -> str:
    """What CMake makes of a list of architectures: those that are read for, then options for the others."""
    text = (ROOT / "programs/LockstepProgram.cmake").read_text(encoding="utf-8")
    wanted = r"^function\(lockstep_(?:is_short|short_architectures|share_ptx) .*?^endfunction\(\)\n"
    functions = "".join(re.findall(wanted, text, re.M | re.S))
    script = tmp_path / "script.cmake"
    script.write_text(
        f'cmake_minimum_required(VERSION 3.24)\n{functions}\nset(LOCKSTEP_COMPLETE_BUILDS "{complete}")\n'
        f'lockstep_is_short(short {program})\nset(chosen "{listed}")\nset(read "90;120")\n'
        'if(short)\nlockstep_short_architectures(chosen)\nset(read 90)\nendif()\nlockstep_share_ptx(chosen shared "${read}")\n'
        'message("${short}|${chosen}|${shared}")\n'
    )
    run = subprocess.run(["cmake", "-P", script], capture_output=True, text=True)
    return run.stderr.strip()


ALL = "75-real;80-real;90-real;100-real;110-real;120"


def test_a_changed_program_is_built_for_every_architecture(tmp_path):
    made = architectures(tmp_path, "a/b/one", "a/b/one;a/b/two", ALL)
    assert made.startswith("OFF|75-real;90-real;120|")
    for number in (80, 100, 110):
        assert f"code=[sm_{number}]" in made


def test_another_one_is_built_for_three(tmp_path):
    made = architectures(tmp_path, "a/b/three", "a/b/one;a/b/two", ALL)
    assert made == "ON|75-real;90-real|--generate-code=arch=compute_90,code=[sm_120]"


def test_a_program_for_new_hardware_keeps_its_first_architecture(tmp_path):
    made = architectures(tmp_path, "a/b/three", "none", "100-real;110-real;120")
    assert made == "ON|100-real|--generate-code=arch=compute_100,code=[sm_120]"


def test_all_means_all(tmp_path):
    assert architectures(tmp_path, "a/b/three", "all", ALL).startswith("OFF|")


def test_each_step_notes_what_it_looked_at(complete, project):
    """A maintainer may check builds today and pages tomorrow; neither takes back the other."""
    (project.root / changes.LEDGER).unlink()
    site, programs = project.root / "build/check-html", cmake_lists.programs(project.root).values()
    first = changes.note(project.root, programs, site, PAGES, date(2026, 1, 3), ["compile"])
    assert (list(first.programs), first.downloads, first.pages) == (["part/page/demo"], {}, {})
    assert complete().programs == complete().downloads == ()
    assert "of no downloads and pages" in complete().report()
    assert changes.opened_pages(site, project.root, PAGES) == PAGES
    second = changes.note(project.root, programs, site, PAGES, date(2026, 1, 4), ["browser"])
    assert second.programs == first.programs and list(second.pages) == PAGES
    project.source.write_text(project.source.read_text() + "\n\n")
    assert (complete().programs, complete().downloads) == (("part/page/demo",), ())
    assert changes.opened_pages(site, project.root, PAGES) == ["index.html"]
