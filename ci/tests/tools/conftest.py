"""A small project with one program, a shell script in the place of the built program, and a GPU that is not there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lockstep.files import ROOT
from lockstep.setup import toolkit

CI = Path(__file__).resolve().parents[2]

SOURCE = """// What does it print? A number.
#include <lockstep/report.hpp>
// [body]
int main() { lockstep::report("elements", 5); }
// [/body]
"""
HEADER = """#pragma once
/// Prints a line.
namespace lockstep { void report(const char* label, int value); }
"""


NVCC = """if [ "$1" = --version ]; then echo 'release 13.0, V13.0.88'; exit; fi
for word; do [ "$before" = -o ] && cp "$source" "$word"; [ "$before" = -c ] && source=$word; before=$word; done; true"""
NINJA = """rule compile
  command = "{tools}/nvcc" -forward-unknown-to-host-compiler -I"{root}/programs/include" {options} -Werror=all-warnings $
    -x cu -c $in -o $out
rule link
  command = : && "{tools}/g++" $in -o $out {linked} -lcudart -L"{root}/lib" && cmake -D "OUT=$out.sources" $
    -D "PROGRAMS={root}/programs" -D "SOURCES=$source" -P "{stamp}"
"""
TARGET = """build programs/part/page/CMakeFiles/{name}.dir/{name}.cu.o: compile {root}/programs/part/page/{name}.cu | $
    {root}/programs/include/lockstep/report.hpp
build programs/part/page/{name}: link programs/part/page/CMakeFiles/{name}.dir/{name}.cu.o | {name}.sh
  source = {root}/programs/part/page/{name}.cu
default programs/part/page/{name}
"""


class Project:
    """A project folder to break on purpose."""

    def __init__(self, root: Path):
        self.root = root
        self.page = root / "programs/part/page"
        self.source = self.page / "demo.cu"
        self.console = self.page / "demo.console"
        self.header = root / "programs/include/lockstep/report.hpp"
        self.list = self.page / "CMakeLists.txt"
        self.built = root / "build/programs/part/page/demo"
        self.tools = root / "tools"
        self.script = root / "build/demo.sh"
        self.names = ["demo"]
        for folder in (self.page, self.header.parent, self.built.parent, self.tools, root / "docs/part"):
            folder.mkdir(parents=True)
        shutil.copy(ROOT / "programs/CMakeLists.txt", root / "programs")
        self.list.write_text("lockstep_program(demo)\n")
        self.source.write_text(SOURCE)
        self.header.write_text(HEADER)
        self._script(self.tools / "nvcc", NVCC)
        self._script(
            self.tools / "g++",
            'for word; do [ "$before" = -o ] && cp "$(basename "$word").sh" "$word"; before=$word; done; true',
        )
        self.options()
        self.prints("echo 'elements       5'", "echo 'read bandwidth ~3.91 TB/s'")
        self.gpu("NVIDIA H200, 9.0, 580.1")

    def _script(self, path: Path, *lines: str) -> None:
        path.write_text("#!/bin/bash\n" + "\n".join(lines) + "\n")
        path.chmod(0o755)

    def prints(self, *lines: str) -> None:
        """Replaces the built program by a script of these lines."""
        self._script(self.script, *lines)
        self.build()

    def options(self, *added: str, linked: str = "") -> None:
        """Configures the build, with these options for the compiler and the linker beside the usual ones."""
        ninja = NINJA.format(
            options=" ".join(("-O3 -lineinfo -std=c++17", *added)), linked=linked, tools=self.tools, root=self.root,
            stamp=CI.parent / "programs/stamp.cmake",
        )  # fmt: skip
        ninja += "".join(TARGET.format(root=self.root, name=name) for name in self.names)
        (self.root / "build/build.ninja").write_text(ninja)

    def build(self) -> None:
        """Builds the program, as the recorder or a person would."""
        environment = os.environ | {"PATH": f"{self.tools}:{os.environ['PATH']}"}
        subprocess.run(["ninja", "-C", self.root / "build"], env=environment, check=True, capture_output=True)

    def add(self, name: str, *lines: str, declared: str = "") -> None:
        """Adds a program like the first, whose built program is a script of these lines."""
        self.list.write_text(f"{self.list.read_text()}lockstep_program({name} {declared})\n")
        (self.page / f"{name}.cu").write_text(self.source.read_text())
        self._script(self.root / f"build/{name}.sh", *lines)
        self.names.append(name)
        self.options()
        self.build()

    def gpu(self, *rows: str) -> None:
        """Replaces nvidia-smi: one row for each GPU, or none."""
        rows = [f"echo '{row}'" for row in rows] or ["exit 9"]
        self._script(self.tools / "nvidia-smi", *rows)

    def edit(self, path: Path, old: str, new: str) -> None:
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def start(self, *arguments: str) -> subprocess.Popen:
        verb, *rest = arguments
        return self.start_bare(*verb.split(), "--root", self.root, "--build", self.root / "build", *rest)

    def start_bare(self, *arguments: str) -> subprocess.Popen:
        """Starts a command with these arguments alone."""
        environment = os.environ | {"PATH": f"{self.tools}:{os.environ['PATH']}"}
        command = [sys.executable, CI, *arguments]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def python(self, code: str, *arguments: str) -> None:
        """Runs a few lines of Python that know the tools."""
        environment = os.environ | {"PYTHONPATH": str(CI)}
        subprocess.run([sys.executable, "-c", code, *arguments], env=environment, check=True)

    def lockstep(self, *arguments: str) -> tuple[int, str]:
        """Runs a command about recordings; returns its exit status and all it printed."""
        process = self.start(*arguments)
        printed, _ = process.communicate(timeout=60)
        return process.returncode, printed


@pytest.fixture
def project(tmp_path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def recorded(project) -> Project:
    status, printed = project.lockstep("record run")
    assert status == 0, printed
    return project


@pytest.fixture
def nvcc() -> Path:
    """The compiler of the toolkit; a test that asks for it is skipped where there is none."""
    found = toolkit.usable(ROOT, os.environ)
    if not found:
        pytest.skip("nvcc is missing; ci/setup.sh check installs it")
    return found
