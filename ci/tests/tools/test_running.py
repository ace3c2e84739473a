"""One program is built and run: on the GPU where there is one, else in the emulator, and nothing beside it."""

import os
import subprocess
from pathlib import Path

import pytest

from lockstep import running
from lockstep.emulator import emulate
from lockstep.emulator.tools import Unsupported
from lockstep.programs import cmake_lists
from lockstep.programs.declarations import UnknownProgramError
from lockstep.setup import toolkit


class Machine:
    """A project whose compiler notes what it is asked for, and makes a script that prints its arguments."""

    def __init__(self, project, tmp_path: Path):
        self.project = project
        self.log = tmp_path / "log"
        nvcc = project.tools / "nvcc"
        nvcc.write_text(
            "#!/bin/bash\n[ $1 = --version ] && echo 'release 13.0, V13.0.88' && exit\n"
            f"echo \"$*\" >>{self.log}\n[ -e {tmp_path}/fails ] && echo 'demo.cu(4): error' >&2 && exit 2\n"
            'for word; do made=$([ "$before" = -o ] && echo $word || echo $made); before=$word; done\n'
            "printf '#!/bin/sh\\necho ran $*\\n' >$made; chmod +x $made\n"
        )
        self.fails = tmp_path / "fails"

    def compiled(self) -> list[str]:
        found = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return found

    def run(self, name: str) -> str:
        made = running.executable(running.find(name))
        return subprocess.run([made, "5"], capture_output=True, encoding="utf-8", check=True).stdout


@pytest.fixture
def machine(project, tmp_path, monkeypatch) -> Machine:
    monkeypatch.setenv("PATH", f"{project.tools}:{os.environ['PATH']}")
    monkeypatch.setattr(running, "ROOT", project.root)
    monkeypatch.setattr(running, "BUILD", project.root / "build/program")
    monkeypatch.setattr(running, "has_gpu", lambda: True)
    project.list.write_text("lockstep_program(demo)\nlockstep_program(other)\n")
    (project.page / "other.cu").write_text(project.source.read_text())
    return Machine(project, tmp_path)


def test_one_program_is_compiled_and_only_when_something_changed(machine):
    assert machine.run("demo") == "ran 5\n"
    [command] = machine.compiled()
    assert "-arch=native" in command and "part/page/demo.cu" in command and "other.cu" not in command
    assert machine.run("part/page/demo") == "ran 5\n" and machine.compiled() == []
    machine.project.header.write_text("#pragma once\n")
    assert machine.run("demo") == "ran 5\n" and len(machine.compiled()) == 1


def test_program_that_does_not_compile_shows_what_the_compiler_says(machine):
    machine.fails.touch()
    with pytest.raises(running.CannotBuildError, match=r"part/page/demo does not compile\ndemo.cu.4.: error"):
        machine.run("demo")
    machine.fails.unlink()
    assert machine.run("demo") == "ran 5\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [("dmo", "no program is called dmo; did you mean demo"), ("", "name a program, as in: make program PROGRAM=")],
)
def test_misspelt_name_gets_the_nearest_ones_and_status_2(machine, name, message):
    with pytest.raises(UnknownProgramError, match=message) as raised:
        machine.run(name)
    assert raised.value.status == 2 and machine.compiled() == []


def test_without_a_gpu_the_emulator_runs_it(machine, monkeypatch):
    made = machine.project.root / "emulated"
    monkeypatch.setattr(running, "has_gpu", lambda: False)
    monkeypatch.setattr(emulate, "prepared", lambda target: target)
    monkeypatch.setattr(emulate, "built", lambda program, tools: made if tools == "native" else None)
    assert running.executable(running.find("demo")) == made and machine.compiled() == []

    def lacks(*_):
        raise Unsupported("cudaMagic (demo.cu:3)")

    monkeypatch.setattr(emulate, "built", lacks)
    with pytest.raises(running.CannotRunError, match="the emulator lacks what demo needs: cudaMagic") as raised:
        running.executable(running.find("demo"))
    assert raised.value.status == 77


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ('NO_EMULATION "uses cuBLAS"', "no GPU here, and the emulator cannot run demo: uses cuBLAS"),
        ("MUST_NOT_COMPILE", "demo does not run here: it must not compile"),
        ('NEWER_TOOLKIT 13.1 UNRECORDED "is newer"', "demo does not run here: is newer"),
    ],
)
def test_what_cannot_run_here_says_why(machine, monkeypatch, declared, message):
    monkeypatch.setattr(running, "has_gpu", lambda: False)
    machine.project.list.write_text(f"lockstep_program(demo {declared})\n")
    with pytest.raises(running.CannotRunError, match=message):
        running.executable(running.find("demo"))


@pytest.mark.parametrize(
    ("libraries", "groups"),
    [
        ((), ["cuda"]),
        (("CUDA::cuda_driver", "Threads::Threads"), ["cuda"]),
        (("CUDA::cublas",), ["cuda", "cuda-libraries"]),
        (("NCCL::NCCL", "MPI::MPI_CXX"), ["cuda", "nccl"]),
    ],
)
def test_libraries_are_brought_only_for_a_program_that_is_declared_with_them(libraries, groups):
    assert toolkit.groups_for(libraries) == groups


def test_arguments_of_a_small_run_are_taken_where_none_are_given(machine, monkeypatch, capfd):
    machine.project.list.write_text("lockstep_program(demo SMALL --n 5)\n")
    ran = []
    monkeypatch.setattr(running, "executable", lambda program: emulate.BUILD / "demo")
    monkeypatch.setattr(running.os, "execv", lambda path, words: ran.append(words))
    running.main(["demo"])
    running.main(["demo", "--n", "7"])
    assert ran == [["./demo", "--n", "5"], ["./demo", "--n", "7"]]
    assert capfd.readouterr().err == "No GPU here: the emulator runs it at a smaller size, --n 5\n"
    assert cmake_lists.programs(machine.project.root)["part/page/demo"].small == ("--n", "5")


@pytest.mark.parametrize(("words", "built"), [([], True), (["--only-configure"], False)])
def test_recording_one_program_compiles_no_other(monkeypatch, words, built):
    ran = []

    def run(command, **_):
        ran.append(command[1])
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(running.subprocess, "run", run)
    assert running.build_all(words) == 0
    assert ran == ["--preset", *(["--build"] if built else [])]
