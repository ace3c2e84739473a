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


@pytest.mark.parametrize(("given", "passed"), [("", []), ("ALL=1", ["--all"]), ("ALL=", [])])
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
def test_the_nightly_run_has_time_to_end():
    """A hosted machine gives a job six hours; half of them are about what all of it takes on four cores."""
    workflow = (ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8")
    limit = re.search(r"timeout-minutes: \$\{\{ github\.event_name == 'schedule' && (\d+) \|\| (\d+) \}\}", workflow)
    assert limit and int(limit[2]) == 90 and 300 <= int(limit[1]) <= 360


def test_all_takes_no_samples():
    short, everything = ({each.name: each.commands for each in check.steps(all_of)} for all_of in (False, True))
    assert (
        "-DLOCKSTEP_ALL_MAJOR=OFF" in short["configure"][0] and "-DLOCKSTEP_ALL_MAJOR=ON" in everything["configure"][0]
    )
    for name in ("downloads", "browser", "takeaway"):
        assert "--all" not in short[name][0] and "--all" in everything[name][0], name


def test_what_a_step_reads_is_there():
    read = [path for each in check.steps() for path in each.reads]
    assert read and [path for path in read if not (ROOT / path).exists()] == []


@pytest.fixture
def remembering(tmp_path, monkeypatch):
    """Runs one step that reads the file `read` and notes each run; returns how often it has run."""
    monkeypatch.setattr(check, "ROOT", tmp_path)
    monkeypatch.setattr(check, "find_toolkit", lambda: True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(check.os, "environ", dict(os.environ))  # --all changes it
    (tmp_path / "read").write_text("1")

    def run(*arguments: str, status: int = 0) -> int:
        command = ("sh", "-c", f"echo >> ran; exit {status}")
        monkeypatch.setattr(check, "steps", lambda _=False: [check.Step("a", (command,), "fix a", reads=("read",))])
        assert check.main([*arguments]) == status
        return len((tmp_path / "ran").read_text().splitlines())

    return run


def test_a_step_that_reads_nothing_new_is_not_run_again(remembering, tmp_path, capfd):
    assert [remembering(), remembering()] == [1, 1]
    assert "a: passed before with all that it reads as it is now" in capfd.readouterr().out
    (tmp_path / "read").write_text("2")
    assert remembering() == 2


def test_a_step_that_is_named_is_run_and_so_are_all_if_asked(remembering):
    assert [remembering(), remembering("a"), remembering("--all")] == [1, 2, 3]
    assert remembering("--all") == 4


def test_a_step_that_failed_is_run_again(remembering):
    assert [remembering(status=1), remembering(status=1)] == [1, 2]


def test_a_step_is_run_again_with_another_version_of_a_tool(remembering, monkeypatch):
    remembering()
    monkeypatch.setattr(check.cache, "versions", lambda *_: "newer")
    assert remembering() == 2


# -- architectures -----------------------------------------------------------------------------------------------------------

ALL = "75-real;80-real;90-real;100-real;110-real;120"


def architectures(tmp_path: Path, listed: str, *, short: bool) -> str:
    """What CMake makes of a list of architectures: those that are read for, then options for the others."""
    text = (ROOT / "programs/LockstepProgram.cmake").read_text(encoding="utf-8")
    functions = "".join(
        re.findall(r"^function\(lockstep_(?:short_architectures|share_ptx) .*?^endfunction\(\)\n", text, re.M | re.S)
    )
    script = tmp_path / "script.cmake"
    script.write_text(
        f'cmake_minimum_required(VERSION 3.24)\n{functions}\nset(chosen "{listed}")\nset(read "90;120")\n'
        f"if({'ON' if short else 'OFF'})\nlockstep_short_architectures(chosen)\nset(read 90)\nendif()\n"
        'lockstep_share_ptx(chosen shared "${read}")\nmessage("${chosen}|${shared}")\n'
    )
    return subprocess.run(["cmake", "-P", script], capture_output=True, text=True).stderr.strip()


def test_with_all_a_program_is_built_for_every_architecture(tmp_path):
    made = architectures(tmp_path, ALL, short=False)
    assert made.startswith("75-real;90-real;120|")
    for number in (80, 100, 110):
        assert f"code=[sm_{number}]" in made


def test_otherwise_for_the_oldest_the_newest_and_that_of_the_recordings(tmp_path):
    made = architectures(tmp_path, ALL, short=True)
    assert made == "75-real;90-real|--generate-code=arch=compute_90,code=[sm_120]"


def test_a_program_for_new_hardware_keeps_its_first_architecture(tmp_path):
    made = architectures(tmp_path, "100-real;110-real;120", short=True)
    assert made == "100-real|--generate-code=arch=compute_100,code=[sm_120]"


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
