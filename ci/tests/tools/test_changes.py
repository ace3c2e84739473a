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


@pytest.mark.parametrize("what", ["source", "near", "header", "list", "presets"])
def test_what_reaches_a_program_changes_it(complete, forgotten, project, what):
    near = project.page / "near.hpp"
    near.write_text("")
    project.source.write_text('#include "near.hpp"\n' + project.source.read_text())
    forgotten(3)
    assert complete().programs == ()
    file = {
        "source": project.source,
        "near": near,
        "header": project.header,
        "list": project.list,
        "presets": project.root / "CMakePresets.json",
    }[what]
    text = file.read_text().replace("lockstep_program(demo)", "lockstep_program(demo MIN_CC 90)")
    file.write_text(text + ("" if what == "list" else "\n\n"))
    plan = complete()
    assert plan.programs == ("part/page/demo",)
    assert plan.downloads == (() if what == "presets" else plan.programs), "no preset reaches what a reader compiles"


def test_a_line_before_a_declaration_changes_no_program(complete, project):
    project.list.write_text("\n# why\n" + project.list.read_text())
    assert complete().programs == ()


def test_another_toolkit_changes_every_program(complete, monkeypatch):
    monkeypatch.setattr(changes, "toolkit", lambda: "V13.1.0")
    assert complete().programs == ("part/page/demo",)


def test_what_makes_downloads_changes_those_alone_that_come_out_otherwise(complete, project, monkeypatch):
    monkeypatch.setattr(changes.downloads, "tools", lambda root: "other")
    assert complete().downloads == ()
    files = changes.downloads.files
    monkeypatch.setattr(changes.downloads, "files", lambda p: {n: f"{t}// more\n" for n, t in files(p).items()})
    monkeypatch.setattr(changes.downloads, "tools", lambda root: "and another")
    plan = complete()
    assert (plan.programs, plan.downloads) == ((), ("part/page/demo",))


def test_what_compiles_downloads_changes_all_of_them(complete, project):
    (project.root / "ci/lockstep/checks").mkdir(parents=True)
    (project.root / "ci/lockstep/checks/downloads.py").write_text("")
    plan = complete()
    assert (plan.programs, plan.downloads) == ((), ("part/page/demo",))


def test_the_version_of_the_site_changes_no_download(complete, project, monkeypatch):
    monkeypatch.setattr(changes.downloads, "tools", lambda root: "other")
    monkeypatch.setattr(changes.downloads, "version", lambda: "99.0")
    assert complete().downloads == ()


def test_without_a_ledger_builds_are_short_and_all_pages_are_opened(complete, project):
    (project.root / changes.LEDGER).unlink()
    plan = complete()
    assert (plan.everything, plan.programs, plan.downloads) == (False, (), ())
    assert "complete_run.json is missing" in plan.report() and "1 complete builds, 1 downloads" in plan.report()
    assert changes.opened_pages(project.root / "build/check-html", project.root, PAGES) == PAGES


def test_all_believes_nothing_that_passed_before(complete):
    assert complete(everything=True).everything


@pytest.mark.parametrize("text", ["{}", "[]", "{", '{"run": {"date": "x"}}', '{"run": null, "pages": {"a": "b"}}'])
def test_a_broken_ledger_says_what_to_do(complete, project, text):
    (project.root / changes.LEDGER).write_text(text)
    with pytest.raises(changes.LedgerError, match="make check ALL=1"):
        complete()


def test_only_a_page_of_other_content_has_changed(complete, project):
    site = project.root / "build/check-html"
    before = changes.last_run(project.root)
    assert before
    os.utime(site / "page.html", (0, 0))
    assert changes.differing(changes.page_keys(site, project.root, PAGES), before.pages.keys) == []
    (site / "page.html").write_text("<p>another</p>")
    assert changes.differing(changes.page_keys(site, project.root, PAGES), before.pages.keys) == ["page.html"]


def test_where_a_link_to_another_site_leads_is_not_seen(complete, project):
    site = project.root / "build/check-html"
    seen = []
    for link in ("https://example.org/a", "https://example.org/b", "other.html", "another.html"):
        (site / "page.html").write_text(f'<a class="x" href="{link}">there</a>')
        seen.append(changes.page_keys(site, project.root, ["page.html"])["page.html"])
    assert seen[0] == seen[1] and len({*seen}) == 3


def test_a_page_is_looked_at_again_after_a_change_of_what_opens_it_and_of_nothing_else(complete, project):
    """The tools beside it, such as the one that makes the search index, have no say in how a page is looked at."""
    site, tools = project.root / "build/check-html", project.root / "ci/lockstep/site"
    tools.mkdir(parents=True)
    (tools / "browser.py").write_text("from lockstep.site import speed\nfrom lockstep.site.links import pages\n")
    (tools / "links.py").write_text("def pages(): from lockstep.site import server\n")
    for name in ("speed", "server", "search_index"):
        (tools / f"{name}.py").write_text("")
    lock = project.root / "ci/requirements.txt"
    lock.write_text("playwright==1.2 \\\n    --hash=x\nruff==3.4\n")

    def now() -> str:
        return changes.page_keys(site, project.root, ["page.html"])["page.html"]

    seen = [now()]
    (tools / "search_index.py").write_text("changed = True\n")
    lock.write_text(lock.read_text().replace("ruff==3.4", "ruff==3.5"))
    assert now() == seen[0]
    for name in ("browser", "speed", "links", "server"):
        file = tools / f"{name}.py"
        file.write_text(file.read_text() + "changed = True\n")
        assert now() not in seen, name
        seen.append(now())
    lock.write_text(lock.read_text().replace("playwright==1.2", "playwright==1.3"))
    assert now() not in seen


def test_the_tools_that_open_pages_are_found():
    found = {Path(name).stem for name in changes.openers(ROOT)}
    assert {"browser", "emulator_browser", "links", "listing_browser", "server", "speed"} <= found
    assert not {"search_index", "search_check", "frames", "history"} & found


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
    assert by_name["downloads"].commands[0][-3:] == ("downloads", "--all", "a/b/one")
    assert "--changed" in by_name["browser"].commands[0] and "--all" not in by_name["takeaway"].commands[0]
    everything = {step.name: step for step in steps.steps(changes.Plan(True, "", (), (), 5))}
    assert "-DLOCKSTEP_COMPLETE_BUILDS=all" in everything["configure"].commands[0]
    assert everything["downloads"].commands[0][-1] == "--all"
    assert "--changed" not in everything["browser"].commands[0] and "--all" in everything["takeaway"].commands[0]
    assert "--again" in everything["exits"].commands[0] and "--again" in everything["emulate"].commands[0]


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


# -- what is noted, and when -------------------------------------------------------------------------------------------------


@pytest.fixture
def forgotten(complete, project):
    """A project of which nothing is known to have passed; notes the steps that pass on a day of January 2026."""
    (project.root / changes.LEDGER).unlink()
    site, programs = project.root / "build/check-html", cmake_lists.programs(project.root).values()

    def note(day: int, *passed: str, everything: bool = False) -> changes.Ledger:
        return changes.note(
            project.root, programs, site, PAGES, date(2026, 1, day), passed or changes.NOTED, everything=everything
        )

    return note


def test_each_step_notes_what_it_looked_at(forgotten, complete, project):
    """A maintainer may check builds today and pages tomorrow; neither takes back the other."""
    site = project.root / "build/check-html"
    first = forgotten(3, "compile")
    assert (list(first.programs.keys), first.downloads.keys, first.pages.keys) == (["part/page/demo"], {}, {})
    assert complete().programs == complete().downloads == ()
    assert changes.opened_pages(site, project.root, PAGES) == PAGES
    second = forgotten(4, "browser")
    assert second.programs == first.programs and list(second.pages.keys) == PAGES
    project.source.write_text(project.source.read_text() + "\n\n")
    assert complete().programs == ("part/page/demo",)
    assert changes.opened_pages(site, project.root, PAGES) == ["index.html"]


def test_each_step_has_its_own_day_and_the_whole_only_where_nothing_was_left_out(forgotten, complete):
    assert str(forgotten(3, "compile")).startswith("last complete run: none (of programs: 2026-01-03, V13.0.88, key ")
    whole = forgotten(4, everything=True)
    assert str(whole) == f"last complete run: {whole.run}" and whole.run == whole.programs.run == whole.pages.run
    later = forgotten(5, "browser")
    assert (later.run, later.downloads) == (whole.run, whole.downloads)
    assert str(later) == f"last complete run: {whole.run} (of pages: {later.pages.run})" == complete().reason
    assert str(later.pages.run).startswith("2026-01-05")


def test_of_a_download_that_was_never_noted_nothing_is_known(forgotten, complete):
    forgotten(3, "compile")
    plan = complete()
    assert (plan.downloads, plan.unknown) == ((), 1)
    assert "1 downloads (of 1 it is not known whether they compile)" in plan.report()


def test_downloads_are_noted_one_by_one(forgotten, complete, project):
    project.add("other", "true")
    (project.root / changes.LEDGER).unlink(missing_ok=True)
    declared = cmake_lists.programs(project.root)
    forgotten(3, "compile")
    changes.note_download(
        project.root, "part/page/demo", changes.download_keys(declared.values(), project.root)["part/page/demo"]
    )
    ledger = changes.last_run(project.root)
    assert ledger and list(ledger.downloads.keys) == ["part/page/demo"] and ledger.downloads.run is None
    assert list(ledger.programs.keys) == ["part/page/demo"]
    assert (complete().downloads, complete().unknown) == (("part/page/other",), 0), "it is new, so it has changed"


def test_complete_builds_are_noted_after_each_run(forgotten, complete, project, monkeypatch, tmp_path):
    forgotten(3, "compile")
    project.source.write_text(project.source.read_text() + "int more;\n")
    plan = complete()
    assert plan.programs == ("part/page/demo",)
    declared = cmake_lists.programs(project.root)
    for status, left in ((1, plan.programs), (0, ())):
        chosen = [steps.Step("compile", (("sh", "-c", f"exit {status}"),), "")]
        with monkeypatch.context() as changed:
            changed.setattr(steps, "ROOT", project.root)
            run_of(changed, tmp_path, plan, chosen, declared=declared)
        assert complete().programs == left
    assert changes.last_run(project.root).programs.run.date == "2026-01-03", "not all have been built"


def test_pages_are_noted_after_each_run(forgotten, project, monkeypatch, tmp_path):
    forgotten(3, "browser")
    site = project.root / steps.SITE
    (site / PAGES[-1]).write_text("now otherwise")
    assert PAGES[-1] in changes.opened_pages(site, project.root, PAGES)
    for status, left in ((1, True), (0, False)):
        chosen = [steps.Step("browser", (("sh", "-c", f"exit {status}"),), "")]
        with monkeypatch.context() as changed:
            changed.setattr(steps, "ROOT", project.root)
            changed.setattr(steps, "page_names", lambda _: PAGES)
            run_of(changed, tmp_path, changes.Plan(False, "", (), (), 1), chosen, "browser")
        assert (PAGES[-1] in changes.opened_pages(site, project.root, PAGES)) is left
    assert changes.last_run(project.root).pages.run.date == "2026-01-03"


def test_a_download_of_a_changed_program_is_compiled_though_no_complete_run_is_known(forgotten, complete, project):
    project.add("other", "true")
    site = project.root / "build/check-html"
    changes.note(
        project.root, cmake_lists.programs(project.root).values(), site, PAGES, date(2026, 1, 3), ["compile"],
        everything=False,
    )  # fmt: skip
    assert (complete().downloads, complete().unknown) == ((), 2)
    project.source.write_text(project.source.read_text() + "\n\n")
    assert (complete().downloads, complete().unknown) == (("part/page/demo",), 1)
    changes.note_download(project.root, "part/page/demo", "a key of older times")
    assert (complete().downloads, complete().unknown) == (("part/page/demo",), 1)


def test_a_program_that_must_not_compile_has_no_download_to_check(complete, project):
    project.edit(project.list, "lockstep_program(demo)", "lockstep_program(demo MUST_NOT_COMPILE)")
    (project.root / changes.LEDGER).unlink()
    assert (complete().downloads, complete().unknown) == ((), 0)


def run_of(
    monkeypatch, tmp_path, plan: changes.Plan, chosen: list[steps.Step], *arguments: str, declared=()
) -> list[dict]:
    """Runs these steps under a plan; returns what was noted."""
    noted: list[dict] = []
    values = {"find_toolkit": lambda: True, "steps": lambda plan=None: chosen, "declared": lambda: dict(declared)}
    for name, value in values.items():
        monkeypatch.setattr(steps, name, value)
    for name in ("PASSED", "TIMES"):
        monkeypatch.setattr(steps, name, tmp_path / name)
    monkeypatch.setattr(changes, "plan", lambda *_, **__: plan)
    monkeypatch.setattr(changes, "toolkit", lambda: "V13.0.88")
    monkeypatch.setattr(changes, "opened_pages", lambda *_: [])
    monkeypatch.setattr(changes, "note", lambda *given, **more: noted.append({"passed": given[-1], **more}))
    steps.main(list(arguments))
    return noted


EVERYTHING = changes.Plan(True, "ALL=1", (), (), 0)


@pytest.mark.parametrize(
    ("statuses", "arguments", "noted"),
    [
        ({"lint": 0, "compile": 0}, [], [{"passed": ["compile"], "everything": True}]),
        ({"lint": 1, "compile": 0}, [], [{"passed": ["compile"], "everything": False}]),
        ({"lint": 0, "compile": 0}, ["compile"], [{"passed": ["compile"], "everything": False}]),
        ({"lint": 0, "compile": 1}, [], []),
        ({"lint": 0}, ["lint"], []),
    ],
)
def test_only_a_run_of_all_steps_that_pass_is_a_complete_run(monkeypatch, tmp_path, statuses, arguments, noted):
    chosen = [steps.Step(name, (("sh", "-c", f"exit {status}"),), "") for name, status in statuses.items()]
    assert run_of(monkeypatch, tmp_path, EVERYTHING, chosen, *arguments) == noted


def test_a_step_that_knows_nothing_says_that_it_was_not_checked(monkeypatch, tmp_path, capfd):
    def downloads(unknown: int) -> list[steps.Step]:
        plan = changes.Plan(False, "", (), (), 5, unknown)
        return [step for step in steps.steps(plan) if step.name == "downloads"]

    nothing_known, all_known = downloads(4), downloads(0)
    small = changes.Plan(False, "", (), (), 5)
    run_of(monkeypatch, tmp_path, small, nothing_known)
    said = capfd.readouterr().out
    assert "-- downloads: not checked: of 4 downloads it is not known whether they compile; make check ALL=1" in said
    *_, result, last = said.splitlines()
    assert result == "check: 0 passed, 1 not checked, 0 failed" and last.startswith("programs: ")
    run_of(monkeypatch, tmp_path, small, all_known)
    said = capfd.readouterr().out
    assert "-- downloads: passed: nothing that it looks at has changed" in said
    assert said.splitlines()[-2] == "check: 1 passed, 0 failed"
