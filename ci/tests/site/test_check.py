"""The driver of `make check` runs every step, and forgets no failure."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lockstep.checks import steps as check

ROOT = Path(__file__).resolve().parents[3]


def step(name: str, *statuses: int, after: str = "") -> check.Step:
    return check.Step(name, tuple(("sh", "-c", f"exit {status}") for status in statuses), f"fix {name}", after)


def test_all_steps_run_and_failures_are_named(capfd):
    assert check.check([step("a", 0), step("b", 3), step("c", 0)]) == ["b"]
    said = capfd.readouterr().out
    assert "[3/3] c" in said and "b: FAILED; to fix it: fix b" in said


def test_a_step_fails_if_its_first_command_does(capfd):
    assert check.check([step("a", 1, 0)]) == ["a"]


def test_a_step_without_its_foundation_counts_as_failed(capfd):
    assert check.check([step("site", 1), step("links", 0, after="site")]) == ["site", "links"]
    assert "not run because site failed" in capfd.readouterr().out


def test_steps_get_no_input(capfd):
    assert check.check([check.Step("a", (("sh", "-c", "read line && exit 1; exit 0"),), "")]) == []


def test_steps_follow_those_they_need():
    names = [each.name for each in check.steps()]
    for each in check.steps():
        assert not each.after or names.index(each.after) < names.index(each.name)


@pytest.mark.parametrize("arguments", (["no-such-step"], ["--no-such-option"]))
def test_bad_arguments_exit_2(arguments):
    run = subprocess.run([sys.executable, ROOT / "ci", "check", *arguments], capture_output=True, text=True)
    assert run.returncode == 2
    assert "no-such" in run.stderr


def test_every_makefile_target_has_one_line_of_help():
    makefile = (ROOT / "Makefile").read_text()
    targets = makefile.replace("\\\n", "").split(".PHONY: ")[1].split("\n")[0].split()
    listed = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True).stdout
    assert [line.split()[0] for line in listed.splitlines()] == targets


@pytest.mark.parametrize(("given", "passed"), [("", []), ("ALL=1", ["--all"]), ("QUICK=1", ["--quick"]), ("ALL=", [])])
def test_make_passes_on_how_much_to_check(given, passed):
    command = ["make", "-n", "--no-print-directory", "check", *given.split()]
    apart = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    printed = subprocess.run(command, cwd=ROOT, env=apart, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[-1].split("ci check")[1].split() == passed


@pytest.mark.content
def test_each_night_everything_is_checked():
    workflow = (ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8")
    assert "schedule:" in workflow
    assert "- run: make check ALL=${{ github.event_name == 'schedule' && '1' || '' }}" in workflow


@pytest.mark.content
def test_the_nightly_run_has_time_to_end_and_keeps_what_passed():
    """A hosted machine gives a job six hours; half of them are about what all of it takes on four cores."""
    workflow = (ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8")
    limit = re.search(r"timeout-minutes: \$\{\{ github\.event_name == 'schedule' && (\d+) \|\| (\d+) \}\}", workflow)
    assert limit and int(limit[2]) == 90 and 300 <= int(limit[1]) <= 360
    kept = workflow.partition("- run: make check")[2]
    assert "if: always() && github.event_name == 'schedule'" in kept and "uses: actions/upload-artifact@" in kept
    assert f"path: {check.changes.LEDGER}\n" in kept


def test_steps_named_say_nothing_of_what_was_left_out(capfd, monkeypatch):
    monkeypatch.setattr(check, "find_toolkit", lambda: True)
    monkeypatch.setattr(check, "steps", lambda plan=None: [step("a", 0)])
    monkeypatch.setattr(check.changes, "plan", lambda *_, **__: check.NO_PLAN)
    assert check.main(["a"]) == 0
    said = capfd.readouterr().out
    assert said.splitlines()[-1] == "check: 1 passed, 0 failed" and "checked completely" not in said


def generated() -> list[str]:
    lines = (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
    return [line.split()[0] for line in lines if line.endswith(" linguist-generated")]


@pytest.mark.content
def test_what_tools_write_is_marked_and_listed():
    """A newcomer sees what not to edit: in CONTRIBUTING.md, and where a change is shown."""
    told = (
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## What tools write")[2].partition("\n## ")[0]
    )
    named = {name for name in re.findall(r"`([^`\s]+)`", told) if "." in name}
    assert named == {pattern.removeprefix("*").removeprefix("programs/**/*") for pattern in generated()}
    written = {"docs/rerun.json"}  # by a run on a GPU
    for pattern in set(generated()) - written:
        assert any(ROOT.glob(pattern if "/" in pattern else f"programs/**/{pattern}")), pattern


@pytest.mark.content
def test_pages_are_published_only_after_the_checks_have_passed():
    pages = (ROOT / ".github/workflows/pages.yml").read_text(encoding="utf-8")
    starts = pages.partition("\non:\n")[2].partition("\npermissions:")[0]
    assert starts.split() == ["workflow_run:", "workflows:", "[check]", "types:", "[completed]", "branches:", "[main]"]
    assert (ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8").count("\nname: check\n") == 1
    jobs = pages.partition("\njobs:\n")[2]
    assert len(re.findall(r"^  \w+:$", jobs, re.M)) == 1
    assert "if: github.event.workflow_run.conclusion == 'success' &&" in jobs
