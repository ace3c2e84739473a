"""A small project with one program, a shell script in the place of the built program, and a GPU that is not there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[2]

SETTINGS = """set(LOCKSTEP_CUDA_STANDARD 17)
set(LOCKSTEP_CODE_OPTIONS -lineinfo)
"""
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


class Project:
    """A project folder to break on purpose."""

    def __init__(self, root: Path):
        self.root = root
        self.page = root / "programs/part/page"
        self.source = self.page / "demo.cu"
        self.console = self.page / "demo.console"
        self.header = root / "programs/include/lockstep/report.hpp"
        self.settings = root / "programs/LockstepProgram.cmake"
        self.list = self.page / "CMakeLists.txt"
        self.built = root / "build/programs/part/page/demo"
        self.tools = root / "tools"
        for folder in (self.page, self.header.parent, self.built.parent, self.tools, root / "docs/part"):
            folder.mkdir(parents=True)
        self.settings.write_text(SETTINGS)
        (root / "programs/CMakeLists.txt").write_text("add_subdirectory(part/page)\n")
        self.list.write_text("lockstep_program(demo)\n")
        self.source.write_text(SOURCE)
        self.header.write_text(HEADER)
        self.prints("echo 'elements       5'", "echo 'read bandwidth ~3.91 TB/s'")
        self.gpu("NVIDIA H200, 9.0, 580.1")

    def _script(self, path: Path, *lines: str) -> None:
        path.write_text("#!/bin/bash\n" + "\n".join(lines) + "\n")
        path.chmod(0o755)

    def prints(self, *lines: str) -> None:
        """Replaces the built program by a script of these lines."""
        self._script(self.built, *lines)

    def gpu(self, *rows: str) -> None:
        """Replaces nvidia-smi: one row for each GPU, or none."""
        rows = [f"echo '{row}'" for row in rows] or ["exit 9"]
        self._script(self.tools / "nvidia-smi", *rows)

    def edit(self, path: Path, old: str, new: str) -> None:
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def start(self, *arguments: str) -> subprocess.Popen:
        environment = os.environ | {"PATH": f"{self.tools}:{os.environ['PATH']}"}
        verb, *rest = arguments
        command = [sys.executable, CI, verb, "--root", self.root, "--build", self.root / "build", *rest]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

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
    status, printed = project.lockstep("record")
    assert status == 0, printed
    return project
