"""Finds what no check would look at: files that nothing uses, tests that never run, warnings that are hidden.

    python3 ci source inventory

Every other check looks at what is declared; this one at what is there. Exit status: 0 all is known, 1 something is not.
"""

import argparse
import ast
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lockstep import data
from lockstep.checks import documents, kinds, locks
from lockstep.exercises import parts
from lockstep.files import ROOT
from lockstep.programs import cmake_lists, sources
from lockstep.programs.declarations import Program

GENERIC = ("LockstepProgram.cmake", "declarations.cmake")  # describe the tests of all programs, or leave all out
HIDES_WARNINGS = (
    "suppress_warnings",
    "nitpick_ignore",
    "exclude_patterns",
    "rst_prolog",
    "rst_epilog",
    "rst_substitutions",
)
"""Settings of Sphinx that no page needs: they hide a fault, a page, or what stands on pages."""

_CMAKE_TESTS = re.compile(
    r"\bset_tests_properties\b|\bset_property\s*\(\s*TEST\b|\bset_property\s*\(\s*DIRECTORY[^)]*\bTEST", re.I
)
_CMAKE_OFF = re.compile(r"\b(DISABLED|WILL_FAIL|PASS_REGULAR_EXPRESSION|SKIP_REGULAR_EXPRESSION|CTEST_CUSTOM_\w+)\b")
_CMAKE_COMMENT = re.compile(r"#[^\n]*")
_ORPHAN = re.compile(r"^:orphan:[ \t]*(.*)$", re.M | re.I)
_DESELECTS = re.compile(r"(?<!\S)(?:-k|-m|--ignore(?:-glob)?|--deselect|--lf|--last-failed|-x|--maxfail)(?==|\s|$)")


def undeclared_includes(programs: dict[str, Program]) -> list[str]:
    """Files that reach a program without being in its declaration: its transcript does not go stale with them."""
    found = []
    for program in programs.values():
        units = [program.directory / name for name in program.sources if name.endswith((".cu", ".cpp"))]
        reaching = {near: unit for unit in [program.source, *units] if unit.exists() for near in sources.beside(unit)}
        for near, unit in reaching.items():
            name = os.path.relpath(near, program.directory)
            if name not in program.sources:
                found.append(
                    f"{unit.relative_to(program.root)}: includes {name}, which {program.name} does not name under "
                    "SOURCES; name it there, so that the transcript goes stale with it"
                )
    return found


def bare_exercises(programs: dict[str, Program]) -> list[str]:
    """Exercises whose check is never put to the test."""
    found = []
    for program in programs.values():
        if not program.exercise:
            continue
        where = f"programs/{program.path}.cu"
        try:
            exercise = parts.parse(program.source.read_text(encoding="utf-8"), program.source.name)
        except parts.ExerciseError as error:
            found.append(str(error))
            continue
        if not exercise.mutants:
            found.append(
                f'{where}: an exercise without mutants; plant a wrong solution with "//= mutant name" in its task'
            )
    return found


def page_problems(root: Path) -> list[str]:
    """Pages that leave the navigation without saying why."""
    return [
        f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}: :orphan: without a reason; "
        "name the page in a toctree, or say after :orphan: who leads there"
        for path in sorted((root / "docs").rglob("*.rst"))
        if (text := path.read_text(encoding="utf-8"))
        for match in _ORPHAN.finditer(text)
        if not match[1].strip()
    ]


def cmake_problems(root: Path) -> list[str]:
    """Tests that CMake turns off, or inverts, in files that no review looks at."""
    found = []
    lists = [root / "CMakeLists.txt", *(root / "programs").rglob("*"), *(root / "ci").rglob("*")]
    for path in sorted(p for p in lists if p.is_file() and (p.name == "CMakeLists.txt" or p.suffix == ".cmake")):
        where = path.relative_to(root)
        if path.name.startswith("CTestCustom"):
            found.append(f"{where}: CTest would leave tests out; remove it")
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            code = _CMAKE_COMMENT.sub("", line)
            if off := _CMAKE_OFF.search(code):
                found.append(f"{where}:{number}: {off[1]} hides a test that fails; fix the test, or remove it")
            elif _CMAKE_TESTS.search(code) and path.name not in GENERIC and where.parts[0] == "programs":
                found.append(
                    f"{where}:{number}: tests are described in LockstepProgram.cmake alone; declare the program"
                )
    return found


def settings_problems(root: Path) -> list[str]:
    """Settings that hide warnings, pages or tests."""
    found = []
    conf = root / "conf.py"
    if conf.exists():
        for node in ast.walk(ast.parse(conf.read_text(encoding="utf-8"))):
            names = [node.id] if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else []
            names += [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
            found += [
                f"conf.py:{getattr(node, 'lineno', 1)}: {name} hides what the checks should see; fix the pages instead"
                for name in names
                if name in HIDES_WARNINGS
            ]
    settings = root / "pyproject.toml"
    if settings.exists():
        pytest = data.read(settings, dict[str, Any], root).get("tool", {}).get("pytest", {}).get("ini_options", {})
        options = pytest.get("addopts", "")
        options = options if isinstance(options, str) else " ".join(options)
        if match := _DESELECTS.search(options):
            found.append(f"pyproject.toml: pytest's addopts leave tests out with {match[0]}; remove that")
        for name in ("python_files", "python_functions", "python_classes", "norecursedirs", "collect_imported_tests"):
            if name in pytest:
                found.append(f"pyproject.toml: {name} changes which tests pytest finds; remove it")
    presets = root / "CMakePresets.json"
    if presets.exists():
        for preset in data.read(presets, dict[str, Any], root).get("testPresets", []):
            excluded = preset.get("filter", {}).get("exclude", {})
            if set(excluded) - {"label"} or excluded.get("label", "gpu") != "gpu":
                found.append(
                    f"CMakePresets.json: the preset {preset['name']} leaves tests out by name; exclude the label gpu only"
                )
    return found


# -- tests -------------------------------------------------------------------------------------------------------------


def tests_of(path: Path) -> Iterator[str]:
    """The test functions that pytest finds in a file: in a file and a class named for tests, each name once."""
    if _is_test_file(path):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from (f"{path.name}::{name}" for name, _ in _collected(tree.body))


def _is_test_file(path: Path) -> bool:
    return path.suffix == ".py" and (path.name.startswith("test_") or path.name.endswith("_test.py"))


def _collected(body: list[ast.stmt], scope: str = "") -> Iterator[tuple[str, ast.AST]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield scope + node.name, node
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test") and not _has(node, "__init__"):
            yield from _collected(node.body, f"{node.name}::")


def _has(node: ast.ClassDef, method: str) -> bool:
    return any(isinstance(inner, ast.FunctionDef) and inner.name == method for inner in node.body)


def unrun_tests(root: Path) -> list[str]:
    """Tests that never run: not found by pytest, shadowed, or skipped without a reason."""
    found = []
    for path in sorted((root / "ci/tests").rglob("*.py")):
        where = path.relative_to(root)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        collected = list(_collected(tree.body)) if _is_test_file(path) else []
        seen: dict[str, int] = {}
        for name, node in collected:
            line = getattr(node, "lineno", 1)
            if name in seen:
                found.append(
                    f"{where}:{line}: {name} takes the place of the test in line {seen[name]}; give it another name"
                )
            seen[name] = line
        reached = {id(node) for _, node in collected}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                and _looks_like_a_test(node)
                and id(node) not in reached
            ):
                found.append(
                    f"{where}:{node.lineno}: pytest does not collect {node.name}; put it at the top of a file test_*.py, or "
                    "into a class Test* without __init__"
                )
        found += [f"{where}:{line}: {problem}" for line, problem in _skips(tree)]
    return found


def _looks_like_a_test(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    fixture = any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)
    return node.name.startswith("test_") and not fixture


def _skips(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Skips without a reason, and what takes tests away altogether."""
    reasons: dict[str, Callable[[ast.Call], ast.expr | None]] = {
        "pytest.skip": lambda call: _argument(call, "reason", 0),
        "pytest.xfail": lambda call: _argument(call, "reason", 0),
        "pytest.importorskip": lambda call: _argument(call, "reason", 2),
        "pytest.mark.skip": lambda call: _argument(call, "reason", 0),
        "pytest.mark.skipif": lambda call: _argument(call, "reason", None),
        "pytest.mark.xfail": lambda call: _argument(call, "reason", None),
    }
    called = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called.add(id(node.func))
            name = ast.unparse(node.func)
            if name in reasons:
                reason = reasons[name](node)
                if reason is None or (isinstance(reason, ast.Constant) and not str(reason.value).strip()):
                    yield node.lineno, f'{name} without a reason; add reason="..."'
        elif (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
            and node.id in ("collect_ignore", "collect_ignore_glob")
        ):
            yield node.lineno, f"{node.id} hides tests; remove it"
        elif isinstance(node, ast.Attribute) and node.attr == "__test__" and isinstance(node.ctx, ast.Store):
            yield node.lineno, "__test__ hides a test; remove it"
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == "__test__":
            yield node.lineno, "__test__ hides tests; remove it"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in called:
            name = ast.unparse(node)
            if name in reasons and name.startswith("pytest.mark."):
                yield node.lineno, f'{name} without a reason; add (reason="...")'


def _argument(call: ast.Call, name: str, place: int | None) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return call.args[place] if place is not None and len(call.args) > place else None


# -- the command line --------------------------------------------------------------------------------------------------


def problems(root: Path) -> list[str]:
    """All that no other check would look at."""
    programs = cmake_lists.programs(root)
    project = kinds.Checkout(root, programs)
    return [
        *kinds.strays(project),
        *documents.findings(project),
        *locks.problems(root),
        *undeclared_includes(programs),
        *bare_exercises(programs),
        *page_problems(root),
        *cmake_problems(root),
        *settings_problems(root),
        *unrun_tests(root),
    ]


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="source inventory", description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="the project, if not this one")
    options = parser.parse_args(argv)
    found = problems(options.root.resolve())
    print("\n".join(found) or "every file, page and test is known to a check")
    return 1 if found else 0
