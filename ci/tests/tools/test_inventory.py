"""What no other check would look at is found; and the checks themselves cannot be taken away unseen."""

import subprocess
from collections import Counter
from pathlib import Path

import pytest

from lockstep.checks import inventory, kinds, steps
from lockstep.errors import LockstepError
from lockstep.files import ROOT


def found(project) -> str:
    if not (project.root / ".git").exists():
        subprocess.run(["git", "init", "-q", project.root], check=True)
        (project.root / ".git/info/exclude").write_text("build\ntools\n", encoding="utf-8")
    return "\n".join(inventory.problems(project.root))


def put(project, name: str, text: str) -> None:
    path = project.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.content
def test_the_project_itself_is_known():
    assert inventory.problems(ROOT) == []


def test_a_small_project_is_known(recorded):
    assert found(recorded) == ""


STRAYS = {
    "programs/part/page/other.cu": "no lockstep_program() declares it; declare it beside it, or remove it",
    "programs/part/gone/other.cu": "no lockstep_program() declares it",
    "programs/part/gone/CMakeLists.txt": "CMake finds no program in its folder; declare one, or remove the folder",
    "programs/part/page/other.console": "the transcript of no declared program; remove it",
    "programs/part/page/demo.small.console": "no program beside it is declared SMALL and run so; remove it",
    "programs/part/page/other.csv": "no program names it under DATA; name it there, or remove it",
    "programs/part/page/other.png": "no program names its pixmap (.ppm or .pgm) under PICTURES; name it there, or remove it",
    "programs/part/page/other.cpp": "no program names it under SOURCES, and none includes it",
    "programs/part/page/other.hpp": "no program names it under SOURCES, and none includes it",
    "programs/part/page/other.h": "no program names it under SOURCES, and none includes it",
    "programs/part/page/demo.ptx": "a file of no known kind; remove it, or give it a kind in ci/lockstep/checks/",
    "programs/part/page/notes.txt": "a file of no known kind",
    "programs/include/lockstep/other.hpp": "nothing includes it",
    "programs/Other.cmake": "no CMake list or tool names it",
    "docs/part/figures/other.py": "no page beside it shows it with .. diagram::; remove it",
    "docs/part/other.claims": "there is no page beside it",
    "docs/part/other.explore": "no page beside it shows a calculator",
    "docs/part/shown.explore": "no page beside it shows a calculator",
    "docs/part/other.csv": "a file of no known kind",
    "docs/part/other.md": "a file of no known kind",
    "docs/part/other.svg": "a file of no known kind",
    "docs/_static/other.svg": "nothing names it",
    "docs/_ext/lockstep_sphinx/other.py": "nothing imports it",
    "ci/lockstep/checks/other.py": "nothing imports it",
    "ci/other.sh": "nothing names it",
    "ci/requirements-other.in": "a list and its lock belong together",
    "other.txt": "a file of no known kind",
}


def test_file_that_nothing_uses_is_found(recorded):
    put(recorded, "docs/part/shown.rst", "Shown\n=====\n")
    for name in STRAYS:
        put(recorded, name, "")
    said = dict(line.split(": ", 1) for line in found(recorded).splitlines())
    assert said.keys() == STRAYS.keys()
    assert {name: text[: len(STRAYS[name])] for name, text in said.items()} == STRAYS


def test_file_that_something_uses_is_no_finding(recorded):
    for name, text in {
        "docs/part/page.rst": "Page\n====\n\n.. diagram:: two\n\n.. explore:: one\n",
        "docs/part/page.claims": "",
        "docs/part/page.explore": "",
        "docs/part/figures/one.py": "",
        "docs/part/figures/two.py": 'run_path("one.py")',
        "docs/_static/logo.svg": "",
        "docs/_ext/lockstep_sphinx/__init__.py": "from lockstep_sphinx import (\n    card,\n)\n",
        "docs/_ext/lockstep_sphinx/card.py": 'FILE = "logo.svg"',
        "ci/lockstep/cli.py": 'VERBS = {"go": "lockstep.checks.one"}',
        "ci/lockstep/checks/one.py": "from lockstep import files, cli",
        "ci/lockstep/files.py": "",
        "ci/go.sh": "",
        "ci/setup.sh": "install requirements-one.txt",
        "ci/requirements-one.in": "",
        "ci/requirements-one.txt": "",
        "ci/tests/tools/test_one.py": "",
        "Makefile": "go:\n\tci/setup.sh && ci/go.sh\n",
    }.items():
        put(recorded, name, text)
    assert found(recorded) == ""


def test_folder_without_git_is_one_line(tmp_path):
    with pytest.raises(LockstepError, match=f"^git cannot list the files of {tmp_path}: fatal: not a git repository"):
        _ = kinds.Checkout(tmp_path, {}).files


def test_module_that_only_its_test_imports_is_found(recorded):
    put(recorded, "ci/lockstep/checks/other.py", "")
    put(recorded, "ci/tests/tools/test_other.py", "from lockstep.checks import other")
    assert "ci/lockstep/checks/other.py: nothing imports it; remove it" in found(recorded)


def test_small_transcript_whose_small_was_dropped_is_found(project):
    project.list.write_text("lockstep_program(demo SMALL --n 1)\n")
    put(project, "programs/part/page/demo.small.console", "$ ./demo\n")
    named = "programs/part/page/demo.small.console: no program beside it is declared SMALL"
    project.list.write_text("lockstep_program(demo)\n")
    assert named in found(project)


def test_header_that_a_program_includes_and_does_not_declare_is_found(project):
    put(project, "programs/part/page/near.hpp", '#include "deep.hpp"\n')
    put(project, "programs/part/page/deep.hpp", "")
    project.source.write_text('#include "near.hpp"\n' + project.source.read_text())
    said = "programs/part/page/demo.cu: includes {}, which demo does not name under SOURCES; name it there"
    assert said.format("near.hpp") in found(project) and said.format("deep.hpp") in found(project)
    project.list.write_text("lockstep_program(demo SOURCES near.hpp)\n")
    assert said.format("near.hpp") not in found(project) and said.format("deep.hpp") in found(project)
    project.list.write_text("lockstep_program(demo SOURCES near.hpp deep.hpp)\n")
    assert found(project) == ""


def test_header_of_another_unit_is_found(project):
    put(project, "programs/part/page/unit.cpp", '#include "near.hpp"\n')
    put(project, "programs/part/page/near.hpp", "")
    project.list.write_text("lockstep_program(demo SOURCES unit.cpp)\n")
    assert "programs/part/page/unit.cpp: includes near.hpp, which demo does not name under SOURCES" in found(project)


def test_folder_where_cmake_looks_for_no_programs_is_found(project):
    put(project, "programs/part/a/b/too_deep/CMakeLists.txt", "lockstep_program(second)\n")
    put(project, "programs/part/a/b/too_deep/second.cu", "int main() {}\n")
    said = found(project)
    assert "programs/part/a/b/too_deep/second.cu: no lockstep_program() declares it" in said
    assert "programs/part/a/b/too_deep/CMakeLists.txt: CMake finds no program in its folder" in said


def test_exercise_without_mutants_is_found(project):
    project.list.write_text("lockstep_program(demo EXERCISE)\n")
    project.source.write_text(
        "// What?\n#include <lockstep/report.hpp>\n// [task]\nint x = 1;\n//= given\n//| int x = 0;\n// [/task]\n"
    )
    assert 'demo.cu: an exercise without mutants; plant a wrong solution with "//= mutant name"' in found(project)
    project.edit(project.source, "// [/task]", "//= mutant zero\n//| int x = 2;\n// [/task]")
    assert found(project) == ""


def test_orphan_without_a_reason_is_found(project):
    put(project, "docs/part/lost.rst", ":orphan:\n\nLost\n====\n")
    assert "docs/part/lost.rst:1: :orphan: without a reason; name the page in a toctree" in found(project)
    put(project, "docs/part/lost.rst", ":orphan: the page for addresses that do not exist\n\nLost\n====\n")
    assert found(project) == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("set_tests_properties(part.page.demo PROPERTIES DISABLED ON)", "DISABLED hides a test that fails"),
        ("set_tests_properties(part.page.demo PROPERTIES WILL_FAIL ON)", "WILL_FAIL hides a test that fails"),
        ("set_tests_properties(part.page.demo PROPERTIES LABELS gpu)", "tests are described in LockstepProgram.cmake"),
    ],
)
def test_test_changed_in_a_list_is_found(project, line, message):
    project.list.write_text(f"lockstep_program(demo)\n{line}\n")
    assert f"programs/part/page/CMakeLists.txt:2: {message}" in found(project)


def test_disabled_in_the_function_itself_is_found(project):
    put(project, "programs/LockstepProgram.cmake", "set_tests_properties(x PROPERTIES DISABLED ON)\n")
    assert "programs/LockstepProgram.cmake:1: DISABLED hides a test" in found(project)


@pytest.mark.parametrize("setting", ["suppress_warnings", "exclude_patterns", "rst_prolog"])
@pytest.mark.parametrize("form", ["{} = ['x']", "globals()['{}'] = 'x'"])
def test_setting_that_hides_is_found(project, setting, form):
    put(project, "conf.py", "project = 'x'\n" + form.format(setting) + "\n")
    assert f"conf.py:2: {setting} hides what the checks should see; fix the pages instead" in found(project)


@pytest.mark.parametrize("option", ["-k 'not slow'", "--ignore=ci/tests/site", "--deselect x", "-m fast"])
def test_deselected_tests_are_found(project, option):
    put(project, "pyproject.toml", f'[tool.pytest.ini_options]\naddopts = "-q {option}"\n')
    assert "pyproject.toml: pytest's addopts leave tests out" in found(project)


def test_naming_of_tests_is_pytests_own(project):
    put(project, "pyproject.toml", '[tool.pytest.ini_options]\npython_functions = "check_*"\n')
    assert "python_functions changes which tests pytest finds" in found(project)


def test_preset_that_leaves_tests_out_is_found(project):
    put(project, "CMakePresets.json", '{"testPresets": [{"name": "ci", "filter": {"exclude": {"name": "demo"}}}]}')
    assert "the preset ci leaves tests out by name" in found(project)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("checks.py", "def test_a():\n    pass\n", "1: pytest does not collect test_a"),
        ("test_x.py", "class Cases:\n    def test_a(self):\n        pass\n", "2: pytest does not collect test_a"),
        ("test_x.py", "class TestX:\n    def __init__(self): pass\n    def test_a(self): pass\n", "3: pytest does not"),
        ("test_x.py", "def outer():\n    def test_a():\n        pass\n", "2: pytest does not collect test_a"),
        ("test_x.py", "if False:\n    def test_a():\n        pass\n", "2: pytest does not collect test_a"),
        ("test_x.py", "def test_a(): pass\ndef test_a(): pass\n", "2: test_a takes the place of the test in line 1"),
        ("test_x.py", "@pytest.mark.skip\ndef test_a(): pass\n", "1: pytest.mark.skip without a reason"),
        ("test_x.py", "@pytest.mark.skip(reason=' ')\ndef test_a(): pass\n", "1: pytest.mark.skip without a reason"),
        ("test_x.py", "@pytest.mark.skipif(True)\ndef test_a(): pass\n", "1: pytest.mark.skipif without a reason"),
        ("test_x.py", "def test_a():\n    pytest.skip()\n", "2: pytest.skip without a reason"),
        ("test_x.py", "@pytest.mark.xfail\ndef test_a(): pass\n", "1: pytest.mark.xfail without a reason"),
        ("conftest.py", "collect_ignore = ['test_x.py']\n", "1: collect_ignore hides tests"),
        ("test_x.py", "__test__ = False\n", "1: __test__ hides tests"),
    ],
)
def test_test_that_never_runs_is_found(project, file, text, message):
    put(project, f"ci/tests/tools/{file}", text)
    assert f"ci/tests/tools/{file}:{message}" in found(project)


def test_good_tests_are_no_finding(project):
    put(
        project,
        "ci/tests/tools/test_x.py",
        "@pytest.mark.skipif(True, reason='no java')\ndef test_a(): pytest.skip('no GPU')\n"
        "class TestB:\n    def test_a(self): pass\n\n@pytest.fixture\ndef test_data(): pass\n",
    )
    assert found(project) == ""


STEPS = (
    "format lint prose inventory tools content stale claims configure options compile exits downloads emulate site "
    "listings links frames validity search takeaway browser"
)


def test_no_step_is_lost_from_the_list():
    assert [step.name for step in steps.steps()] == STEPS.split(), "give a new step its place in STEPS"


def test_no_step_is_empty_and_each_says_how_to_fix_it():
    assert [step.name for step in steps.steps() if not step.commands or not step.fix] == []


def test_the_steps_of_the_tests_leave_none_out():
    """Tests of one mark may have a step of their own; nothing else is chosen."""
    chosen = []
    for step in steps.steps():
        for command in step.commands:
            words = [str(word) for word in command]
            if "pytest" not in words:
                continue
            options = words[words.index("pytest") + 1 :]
            if "-m" in options:
                chosen.append(options.pop(options.index("-m") + 1))
                options.remove("-m")
            assert not inventory._DESELECTS.search(" ".join(options)), options
    left_out = {mark.removeprefix("not ") for mark in chosen if mark.startswith("not ")}
    assert left_out <= set(chosen), f"left out, and run by no step: {left_out - set(chosen)}"


# Far fewer tests than there are: where so many are missing, pytest has lost a folder.
LEAST = {"emulator": 20, "extension": 200, "site": 100, "tools": 250}


def test_no_folder_of_tests_is_lost():
    folders = Counter(
        path.relative_to(ROOT / "ci/tests").parts[0]
        for path in Path(ROOT / "ci/tests").rglob("*.py")
        for _ in inventory.tests_of(path)
    )
    assert {folder: folders[folder] for folder, least in LEAST.items() if folders[folder] < least} == {}
    assert set(folders) == set(LEAST), "give the new folder of tests its number in LEAST"
