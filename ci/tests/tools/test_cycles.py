"""No module imports itself by way of others, and no header includes itself so, in Python and in C++."""

import ast
import graphlib
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PYTHON = ("ci", "docs/_ext")  # the folders that modules are imported from
CPP = ("programs/include", "programs/emulator/include", "programs/emulator/runtime", "programs/emulator/rewriter")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)


def modules(root: Path, folders: Iterable[str]) -> dict[str, Path]:
    """The modules by name; the tests are none."""
    found = {}
    for folder in folders:
        for path in sorted((root / folder).rglob("*.py")):
            parts = path.relative_to(root / folder).with_suffix("").parts
            if parts[0] != "tests":
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(root: Path, folders: Iterable[str] = PYTHON) -> dict[str, set[str]]:
    """For each module those that it imports, wherever in it; `from package import module` imports the module."""
    known = modules(root, folders)
    graph = {}
    for name, path in known.items():
        wanted = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                whole = [f"{node.module}.{alias.name}" for alias in node.names]
                wanted |= {one if one in known else str(node.module) for one in whole}
        graph[name] = wanted & known.keys()
    return graph


def includes(root: Path, folders: Iterable[str] = CPP) -> dict[str, set[str]]:
    """For each file of C++ those of ours that it includes; one beside it comes before one in the folders."""
    places = [root / folder for folder in folders]
    suffixes = (".h", ".hpp", ".cuh", ".cpp")
    files = [path for place in places for path in sorted(place.rglob("*")) if path.suffix in suffixes]
    graph = {}
    for path in files:
        wanted = set()
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            there = next((place / name for place in (path.parent, *places) if (place / name).is_file()), None)
            if there is not None and not Path(name).is_absolute():
                wanted.add(str(there.resolve().relative_to(root.resolve())))
        graph[str(path.relative_to(root))] = wanted
    return graph


def cycle(graph: dict[str, set[str]]) -> str:
    """A way from a node back to it, in words; empty if there is none."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return " -> ".join(reversed(error.args[1]))
    return ""


def test_no_module_imports_itself_by_way_of_others():
    graph = imports(ROOT)
    assert "lockstep.files" in graph["lockstep.cli"] | graph["lockstep.checks.steps"]
    assert "lockstep.programs.declarations" in graph["lockstep_sphinx.directive"]
    assert cycle(graph) == ""


def test_tools_do_not_need_the_extension():
    graph = imports(ROOT)
    assert [
        name for name, wanted in graph.items() if name.startswith("lockstep.") and "lockstep_sphinx" in str(wanted)
    ] == []


def test_no_header_includes_itself_by_way_of_others():
    graph = includes(ROOT)
    assert "programs/include/lockstep/check.hpp" in graph["programs/include/lockstep/timer.hpp"]
    assert "programs/emulator/runtime/abi.hpp" in set().union(*graph.values())
    assert cycle(graph) == ""


def test_a_cycle_of_modules_is_found(tmp_path):
    (tmp_path / "ci/a").mkdir(parents=True)
    (tmp_path / "ci/a/__init__.py").touch()
    (tmp_path / "ci/a/b.py").write_text("from a import c\n", encoding="utf-8")
    (tmp_path / "ci/a/c.py").write_text("def late():\n    from a.b import x\n", encoding="utf-8")
    assert cycle(imports(tmp_path, ["ci"])) in ("a.b -> a.c -> a.b", "a.c -> a.b -> a.c")


@pytest.mark.parametrize("line", ['#include "b.hpp"', "  # include <inner/b.hpp>"])
def test_a_cycle_of_headers_is_found(tmp_path, line):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/a.hpp").write_text(f"#pragma once\n{line}\n", encoding="utf-8")
    (tmp_path / "inner/b.hpp").write_text('#include "a.hpp"\n', encoding="utf-8")
    assert cycle(includes(tmp_path, ["."])) in (
        "inner/a.hpp -> inner/b.hpp -> inner/a.hpp",
        "inner/b.hpp -> inner/a.hpp -> inner/b.hpp",
    )
