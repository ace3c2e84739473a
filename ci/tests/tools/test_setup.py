"""The scripts behind the two commands: what they do in which order, and what they say where they cannot."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from lockstep.files import ROOT

TOOLS = ("bash", "cat", "cmp", "dirname", "env", "find", "grep", "ls", "mkdir", "mktemp", "mv", "rm", "sed", "sha256sum", "sort",
         "tail", "touch", "tr", "xargs", "cp", "printf")  # fmt: skip


def script(path: Path, *lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/bash", *lines, ""]), encoding="utf-8")
    path.chmod(0o755)


class Machine:
    """A checkout whose scripts are real, on a machine whose tools only note that they were called."""

    def __init__(self, root: Path):
        self.root = root
        self.bin = root.parent / "bin"
        self.log = root.parent / "log"
        (root / "ci").mkdir(parents=True)
        for file in (ROOT / "ci").glob("*.sh"):
            shutil.copy(file, root / "ci")
        self.bin.mkdir()
        for name in TOOLS:
            (self.bin / name).symlink_to(shutil.which(name) or f"/bin/{name}")

    def stub(self, name: str, *lines: str) -> None:
        """A tool, or a script of the project, that notes its arguments."""
        place = self.root / name if "/" in name else self.bin / name
        script(place, f'echo "{place.name} $*" >>"{self.log}"', *lines)

    def run(self, *command: str, user: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        known = {"PATH": str(self.bin), "HOME": str(self.root)} | variables
        return subprocess.run(
            command, cwd=self.root, env=known, user=user, encoding="utf-8", capture_output=True, check=False
        )

    def calls(self) -> list[str]:
        found = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return found


@pytest.fixture(params=["lockstep", "it's a clone ünder"])
def machine(tmp_path, request) -> Machine:
    return Machine(tmp_path / request.param)


# -- ci/setup.sh -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def user(machine) -> Machine:
    """A machine on which nobody may install packages."""
    machine.stub("id", "echo 1000")
    machine.stub("sudo", "exit 1")
    machine.stub("python3", "exit 0")
    return machine


def test_missing_packages_are_named_in_one_line(user):
    done = user.run("ci/setup.sh", "html")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == "setup: please install these Debian packages first:  sudo apt-get install cmake doxygen\n"


def test_each_target_asks_for_what_it_needs(user):
    asked = {what: user.run("ci/setup.sh", what).stderr for what in ("html", "pdf", "modules", "programs", "check")}
    assert "cmake" in asked["programs"] and "doxygen" not in asked["programs"]
    assert all(name in asked["pdf"] for name in ("doxygen", "chromium")) and "g++" not in asked["pdf"]
    assert "g++" in asked["modules"] and "ninja-build" not in asked["modules"]
    assert all("cmake" in text for text in asked.values())
    assert all(name in asked["check"] for name in ("cmake", "doxygen", "libopenmpi-dev", "chromium", "clang-22"))


def test_one_program_or_exercise_waits_for_no_toolkit(user):
    user.stub("nvidia-smi", "exit 9")
    asked = user.run("ci/setup.sh", "run").stderr
    assert all(name in asked for name in ("cmake", "g++", "clang-22", "llvm-22")) and "ninja" not in asked
    user.stub("nvidia-smi", "echo 'GPU 0: one'")
    assert "clang-22" not in user.run("ci/setup.sh", "run").stderr
    assert "clang-22" in user.run("ci/setup.sh", "emulate").stderr
    for name in ("g++", "cmake"):
        user.stub(name)
    user.calls()
    assert user.run("ci/setup.sh", "run").returncode == 0
    assert not any("toolkit" in call for call in user.calls())


@pytest.mark.parametrize(("verdict", "failed"), [(0, False), (1, False), (2, True), (77, True)])
def test_not_yet_is_no_error_of_make(tmp_path, verdict, failed):
    machine = Machine(tmp_path / "lockstep")
    shutil.copy(ROOT / "Makefile", machine.root)
    machine.stub("ci/setup.sh")
    machine.stub("python3", f"exit {verdict}")
    for name in ("make", "sh"):
        (machine.bin / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    done = machine.run("make", "try", "EXERCISE=roll_call")
    assert (done.returncode != 0) == failed and ("Error" in done.stderr) == failed
    assert machine.calls() == ["setup.sh run", "python3 ci exercise try roll_call"]


def test_unknown_target_is_a_bad_argument(user):
    done = user.run("ci/setup.sh", "site")
    assert done.returncode == 2 and done.stderr.startswith("usage: ci/setup.sh html|")


def test_failed_installation_shows_why(machine):
    machine.stub("id", "echo 0")
    machine.stub("python3", "exit 0")
    machine.stub("apt-get", 'echo "E: no route to the mirror"', "exit 100")
    done = machine.run("ci/setup.sh", "html")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "E: no route to the mirror",
        "setup: these Debian packages could not be installed: cmake doxygen",
    ]


def test_programs_are_compiled_without_what_only_some_need(user):
    for name in ("g++", "cmake", "ninja"):
        user.stub(name)
    user.stub("python3", '[ "$1 $2 $3 $4" != "ci setup toolkit nccl" ]')
    done = user.run("ci/setup.sh", "programs")
    assert done.returncode == 0
    assert all(part in done.stdout for part in ("setup: going on without ccache", "libopenmpi-dev", "without NCCL"))


def test_folder_that_cannot_be_written_ends_in_one_line():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        machine = Machine(Path(folder, "lockstep"))
        machine.root.chmod(0o555)
        done = machine.run("ci/setup.sh", "html", user="nobody" if os.geteuid() == 0 else None)
        machine.root.chmod(0o755)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"setup: the folder {machine.root} cannot be written")


# -- the rest --------------------------------------------------------------------------------------------------------------


def cmake(tmp_path: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    program = tmp_path / "summary.cmake"
    text = [f"include([[{ROOT}/programs/Summary.cmake]])", *lines, "lockstep_summary_text(text)", 'message("${text}")']
    program.write_text("\n".join(text), encoding="utf-8")
    return subprocess.run(["cmake", "-P", program], capture_output=True, encoding="utf-8", check=False)


LACKS = 'lockstep_leave_out(part/c "this machine lacks NCCL::NCCL")'


def test_summary_counts_every_program_and_says_why_one_is_left_out(tmp_path):
    declared = [f"lockstep_count(DECLARED {name})" for name in "abc"]
    done = cmake(tmp_path, *declared, "lockstep_count(COMPILED a)", "lockstep_count(NOT_COMPILED b)", LACKS)
    assert done.stderr.strip().splitlines() == [
        "left out: part/c: this machine lacks NCCL::NCCL",
        "programs: 3 declared, 1 compiled, 1 must not compile, 1 left out",
    ]


def test_program_that_nobody_accounts_for_is_an_error(tmp_path):
    done = cmake(tmp_path, "lockstep_count(DECLARED a)")
    assert done.returncode != 0 and "1 programs are declared, but 0 are compiled or left out" in done.stderr


def test_checks_leave_nothing_out(tmp_path):
    done = cmake(tmp_path, "set(LOCKSTEP_COMPLETE ON)", LACKS)
    assert done.returncode != 0 and "part/c cannot be compiled" in done.stderr
    presets = (ROOT / "CMakePresets.json").read_text(encoding="utf-8")
    assert '"LOCKSTEP_COMPLETE": "ON"' in presets


def newer(tmp_path: Path, wanted: str, **releases: str) -> str:
    """What CMake finds for a program that needs the toolkit `wanted`: a compiler, or that the program is left out."""
    for place, release in releases.items():
        folder = tmp_path / (".cuda/newer/bin" if place == "second" else "bin")
        script(folder / "nvcc", f'echo "Cuda compilation tools, release {release}, V{release}.88"')
    lines = [
        f"set(PROJECT_SOURCE_DIR [[{tmp_path}]])",
        f"set(CMAKE_CUDA_COMPILER [[{tmp_path}/bin/nvcc]])",
        f"include([[{ROOT}/programs/NewerToolkit.cmake]])",
        "lockstep_count(DECLARED a)",
        f"set(arg_NEWER_TOOLKIT {wanted})",
        f"lockstep_newer_compiler(found {wanted})",
        "if(found)",
        "  lockstep_count(COMPILED a)",
        '  message("with ${found}")',
        "else()",
        "  lockstep_newer_program(a part)",
        "endif()",
    ]
    return cmake(tmp_path, *lines).stderr.splitlines()[0].replace(f"{tmp_path}/", "")


def test_program_of_a_newer_toolkit_is_compiled_with_one_that_has_it(tmp_path):
    assert newer(tmp_path, "13.1", usual="13.0", second="13.1") == "with .cuda/newer/bin/nvcc"
    assert newer(tmp_path, "13.1", usual="13.10", second="13.1") == "with bin/nvcc"


def test_program_of_a_newer_toolkit_is_left_out_where_that_is_missing(tmp_path):
    said = newer(tmp_path, "13.1", usual="13.0")
    assert (
        said == "left out: part/a: it needs the CUDA toolkit 13.1, which `python3 ci setup toolkit cuda-newer` brings"
    )
    assert "needs the CUDA toolkit 13.2" in newer(tmp_path, "13.2", usual="13.0", second="13.1")


@pytest.mark.content
def test_every_text_has_the_same_line_ends_in_every_clone():
    listed = subprocess.run(["git", "ls-files", "--eol"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    for line in listed.stdout.splitlines():
        index, _, attributes = line.partition("\t")[0].split(maxsplit=2)
        assert index in ("i/lf", "i/none", "i/-text"), f"{line}: git add --renormalize ."
        assert index == "i/-text" or "eol=lf" in attributes, f"{line}: .gitattributes"
