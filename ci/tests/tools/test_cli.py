"""One command line for all tools."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lockstep import cli
from lockstep.programs import cmake_lists

CI = Path(__file__).resolve().parents[2]
BARE = (
    "record run", "record stale", "record gpus", "record pack", "gpu-check run", "gpu-check merge", "gpu-check program",
    "source claims", "exercise", "emulate", "program run", "program list", "setup packages",
)  # fmt: skip


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
        ("cheke", "no command is called cheke; did you mean check?"),
        ("recor run", "no command is called recor run; did you mean record run or "),
        ("record nu", "record is followed by run, stale, options, filter, pack, gpus; python3 ci tells what each does"),
    ],
)
def test_nearly_right_command_is_told_what_was_meant(tmp_path, typed, said):
    run = lockstep(*typed.split(), cwd=tmp_path)
    assert run.returncode == 2 and run.stderr.startswith(f"lockstep: {said}") and run.stderr.count("\n") == 1


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


@pytest.mark.content
def test_programs_hold_no_python_but_what_they_name_under_sources():
    named = {
        program.directory / source for program in cmake_lists.programs(CI.parent).values() for source in program.sources
    }
    assert set((CI.parent / "programs").rglob("*.py")) <= named


NO_VERB = {"lists", "tells"}  # what `python3 ci` itself does, in messages


@pytest.mark.content
def test_every_command_that_a_text_names_is_there():
    files = ("*.py", "*.md", "*.rst", "*.cmake", "*.sh", "*.txt", "*.yml", "Makefile", "docs/Doxyfile*")
    listed = subprocess.run(["git", "ls-files", *files], cwd=CI.parent, capture_output=True, text=True, check=True)
    typed = re.compile(r'(?:python3?|\$python"|LOCKSTEP_TOOLS\}) ci ([a-z][\w-]*)(?: ([a-z][\w-]*))?')
    wrong = []
    for name in (
        one for one in listed.stdout.splitlines() if not one.startswith("ci/tests/")
    ):  # which plant wrong ones
        for line in (CI.parent / name).read_text(encoding="utf-8").splitlines():
            for first, second in typed.findall(line):
                if first not in cli.VERBS and f"{first} {second}" not in cli.VERBS and first not in NO_VERB:
                    wrong.append(f"{name}: python3 ci {first} {second}")
    assert wrong == []
