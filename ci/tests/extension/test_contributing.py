"""CONTRIBUTING.md is carried out as it stands: a newcomer who pastes its example gets a program on a page."""

import os
import re
import shlex
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

from lockstep.checks import exits
from lockstep.emulator import toolchain
from lockstep.files import ROOT
from lockstep.programs import cmake_lists
from lockstep.recordings.session import Command
from lockstep.running import has_gpu

HERE = "foundations/introduction"
WARNINGS = ("-Werror=all-warnings", "-Xcompiler=-Wall,-Wextra,-Werror")
pytestmark = pytest.mark.content


def blocks() -> dict[str, str]:
    """What the recipe has a newcomer paste or type, by its language."""
    told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a program\n")[2]
    recipe = told.partition("\n## ")[0]
    found = re.findall(r"^ *```(\w+)\n(.*?)^ *```$", recipe, re.M | re.S)
    assert [language for language, _ in found] == ["cuda", "cmake", "console", "rst"]
    return {language: textwrap.dedent(text) for language, text in found}


@pytest.fixture
def clone(tmp_path) -> Path:
    """A copy of the project with the programs of one page, in which the recipe's files are written and changed."""
    root = tmp_path / "clone"
    shutil.copytree(ROOT / "ci", root / "ci", ignore=shutil.ignore_patterns("tests", "__pycache__"))
    shutil.copy(ROOT / "Makefile", root)
    for folder in ("include", "emulator", HERE):
        shutil.copytree(ROOT / "programs" / folder, root / "programs" / folder)
    for file in (ROOT / "programs").glob("*.cmake"):
        shutil.copy(file, root / "programs")
    (root / "programs/CMakeLists.txt").write_text(f"add_subdirectory({HERE})\n")
    if (ROOT / ".cuda").exists():
        (root / ".cuda").symlink_to((ROOT / ".cuda").resolve())
    page = root / "programs" / HERE
    told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"Write `programs/{HERE}/saxpy.cu`" in told and f"this line to `programs/{HERE}/CMakeLists.txt`" in told
    assert not (page / "saxpy.cu").exists()  # the recipe's name is free
    (page / "saxpy.cu").write_text(blocks()["cuda"])
    with (page / "CMakeLists.txt").open("a") as listing:
        listing.write(blocks()["cmake"])
    return root


def test_recipe_declares_and_runs_the_program(clone):
    assert not cmake_lists.programs(clone)[f"{HERE}/saxpy"].plain
    command, *printed = blocks()["console"].splitlines()
    assert command.startswith("$ make program ")
    if not has_gpu() and toolchain.missing_tools(toolchain.TARGETS["native"]):
        pytest.skip("no GPU here, and clang-22 is missing; ci/setup.sh run installs it")
    typed = {
        name: value for name, value in os.environ.items() if not name.startswith("MAKE")
    }  # as without `make check`
    ran = subprocess.run(
        shlex.split(command.removeprefix("$ ")),
        cwd=clone,
        env=typed,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-len(printed) :] == printed


def test_recipe_compiles_without_warnings_and_ends_as_every_program_must(clone, tmp_path):
    if not shutil.which("nvcc"):
        pytest.skip("nvcc is missing; make toolkit brings it")
    source, made = clone / "programs" / HERE / "saxpy.cu", tmp_path / "saxpy"
    command = ["nvcc", "-arch=sm_90", "-std=c++17", *WARNINGS, "-I", clone / "programs/include", source, "-o", made]
    built = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert (built.returncode, built.stdout + built.stderr) == (0, "")
    assert exits.main([str(made)]) == 0


def test_recipe_shows_the_program_on_the_page(site_at):
    site = site_at(HERE)
    site.write("saxpy.cu", blocks()["cuda"])
    site.declare("lockstep_program(demo)", blocks()["cmake"].strip())
    site.record(Command("./saxpy", ["elements                    100000"]), name="saxpy")
    html, warnings = site.build(blocks()["rst"])
    assert warnings == ""
    assert html.count("__global__") >= 1 and "elements                    100000" in html
