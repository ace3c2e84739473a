"""The table of what the checks cost, and what follows from it for more programs."""

import os
import subprocess

import pytest

from lockstep import bench, changes
from lockstep.checks import steps
from lockstep.programs import cmake_lists


def test_each_step_grows_with_something_or_costs_the_same():
    names = {step.name for step in steps.steps()}
    assert names >= bench.BY_PROGRAM | bench.BY_PAGE
    assert not bench.BY_PROGRAM & bench.BY_PAGE


def test_the_goal_is_three_seconds_a_program_on_two_cores(capsys):
    bench.goal(400, growing=1600, fixed=400)
    now, then = capsys.readouterr().out.splitlines()
    assert "cold, 400 programs: 2000 s of processor time, 16.7 min" in now and "2.50 s a program; goal 3 s: yes" in now
    assert "cold, 800 programs: 3600 s" in then and "2.25 s a program; goal 3 s: yes" in then
    bench.goal(400, growing=4000, fixed=0)
    assert "goal 3 s: NO" in capsys.readouterr().out


def test_the_table_names_steps_sums_and_goals(capsys):
    cost = bench.Cost
    table = {
        "cold": {"compile": cost(100, 180), "lint": cost(1, 1)},
        "again": {"compile": cost(3, 2), "lint": cost(0, 0)},
        "after an edit": {"compile": cost(60, 70), "lint": cost(1, 1)},
    }
    bench.print_table(table, 100)
    said = capsys.readouterr().out
    rows = {line.split()[0]: line.split()[1:] for line in said.splitlines() if line}
    assert rows["compile"] == ["100.0", "s", "180.0", "s", "3.0", "s", "2.0", "s", "60.0", "s", "70.0", "s"]
    assert rows["all"][:4] == ["101.0", "s", "181.0", "s"]
    assert "again: 3 s; goal 300 s: True" in said and "after an edit: 61 s; goal 60 s: False" in said
    assert "cold, 800 programs: 1441 s" in said  # 180 s grow eightfold, 1 s does not


@pytest.mark.parametrize(
    ("cold", "edits", "verdicts"),
    [(24, [2, 1.3, 3, 2, 2], ["yes", "yes"]), (25, [2, 1.4, 3, 2, 2], ["NO", "NO"])],
)
def test_the_pages_are_compared_with_their_goals(tmp_path, monkeypatch, capsys, cold, edits, verdicts):
    page = tmp_path / "docs/foundations/hello_kernel.rst"
    page.parent.mkdir(parents=True)
    page.write_text("Hello\n")
    costs = iter([bench.Cost(99, cold), *(bench.Cost(seconds, 99) for seconds in edits)])
    monkeypatch.setattr(bench, "measured", lambda *_: next(costs))
    monkeypatch.setattr(bench.steps, "page_names", lambda _: ["page.html"] * 200)
    bench.bench_pages(tmp_path, {})
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines] == verdicts
    assert lines[0].startswith("200 pages cold: ") and "12.0 s:" in lines[0]
    assert page.read_text().count("One more sentence.") == 5


@pytest.mark.content
def test_some_hundred_pages_are_left_of_the_site(tmp_path):
    root = bench.copy_project(tmp_path / "project")
    (root / "build").mkdir()
    bench.leave_hundred(root)
    left = [path for path in (root / "docs").glob("*/**/*.rst")]
    programs = cmake_lists.programs(root).values()
    assert {path.relative_to(root / "docs").parts[0] for path in left} == set(bench.HUNDRED)
    assert {program.folder.split("/")[0] for program in programs} == set(bench.HUNDRED)
    assert 80 <= len(left) + len(programs) <= 130


@pytest.mark.parametrize(("processor", "verdict"), [(720, "yes"), (721, "NO")])
def test_a_cold_make_html_is_compared_with_its_goal(tmp_path, monkeypatch, capsys, processor, verdict):
    ran: list[list[str]] = []
    monkeypatch.setattr(bench, "measured", lambda command, *_: ran.append(command) or bench.Cost(500, processor))
    bench.bench_html(tmp_path, {})
    said = capsys.readouterr().out
    assert ran == [["make", "html"]] and said.startswith("make html cold: 500 s elapsed")
    assert said.rstrip().endswith(f"goal 360 s: {verdict}")


def test_the_whole_measures_make_html_and_the_checks_each_in_a_copy_of_its_own(monkeypatch):
    ran: list[tuple[str, str, str]] = []
    monkeypatch.setattr(bench.changes, "toolkit", lambda: "V13.0.88")
    monkeypatch.setattr(bench, "bench_downloads", lambda: None)
    monkeypatch.setattr(bench, "copy_project", lambda target: target)
    for name in ("bench_html", "bench_whole"):
        monkeypatch.setattr(
            bench, name, lambda root, env, name=name: ran.append((name, root.name, env["LOCKSTEP_CACHE"]))
        )
    monkeypatch.setattr(bench.subprocess, "run", lambda *_: bench.subprocess.CompletedProcess([], 0))
    assert bench.main(["--whole"]) == 0
    assert [one[0] for one in ran] == ["bench_html", "bench_whole"]
    assert len({one[1] for one in ran}) == len({one[2] for one in ran}) == 2


@pytest.mark.parametrize(("given", "passed"), [("", []), ("WHOLE=1", ["--whole"]), ("SAMPLE=8", ["--sample", "8"])])
def test_make_asks_for_what_is_to_be_measured(given, passed):
    apart = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "-n", "--no-print-directory", "bench", *given.split()]
    printed = subprocess.run(command, cwd=steps.ROOT, env=apart, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[-1].split("ci bench")[1].split() == passed


def test_steps_name_what_is_there():
    known = {"build", ".clang-format"}
    for step in steps.steps():
        for path in step.reads:
            assert path.split("/")[0] in known or path == str(changes.LEDGER) or (steps.ROOT / path).exists(), path
