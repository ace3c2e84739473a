"""One command line for all tools."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from lockstep import cli

CI = Path(__file__).resolve().parents[2]
BARE = ("record", "rerun", "fresh", "claims", "gpus", "pack", "gpu-check", "exercise", "emulate", "declarations",
        "packages")  # fmt: skip


def lockstep(*arguments: str, cwd: Path, python: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, *python, CI, *arguments], cwd=cwd, capture_output=True, text=True)


@pytest.mark.parametrize("arguments", [(), ("--help",)])
def test_all_commands_are_listed(tmp_path, arguments):
    run = lockstep(*arguments, cwd=tmp_path)
    assert run.returncode == 0 and run.stderr == ""
    assert all(f"  {name} " in run.stdout for name in cli.VERBS)


def test_unknown_command_is_one_line_and_status_2(tmp_path):
    run = lockstep("zap", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "lockstep: no command is called zap; python3 ci lists them\n"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("recrod", "no command is called recrod; did you mean record?"),
        ("program", "program is followed by run, build; python3 ci tells what each does"),
    ],
)
def test_nearly_right_command_is_told_what_was_meant(tmp_path, typed, said):
    run = lockstep(typed, cwd=tmp_path)
    assert (run.returncode, run.stderr) == (2, f"lockstep: {said}\n")


@pytest.mark.parametrize("verb", cli.VERBS.values(), ids=cli.VERBS)
def test_each_command_is_there(verb):
    assert callable(getattr(importlib.import_module(verb.module), verb.function))


@pytest.mark.parametrize("name", BARE)
def test_what_a_gpu_machine_needs_runs_without_further_packages(tmp_path, name):
    code = f"import sys; sys.path.insert(0, {str(CI)!r}); import {cli.VERBS[name].module}"
    run = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


@pytest.mark.content
def test_nothing_edits_the_path_of_modules():
    found = [
        path
        for folder in ("ci/lockstep", "docs", "programs")
        for path in (CI.parent / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "path" and getattr(node.value, "id", "") == "sys"
    ]
    assert found == []


def test_programs_hold_no_python():
    assert list((CI.parent / "programs").rglob("*.py")) == []
