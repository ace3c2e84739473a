"""A download that a reader could not compile is found, and a sample stands for all."""

import shutil

import pytest

from lockstep.checks import downloads as check
from lockstep.programs.declarations import Program

needs_nvcc = pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is missing")


@pytest.fixture
def declared(tmp_path):
    """Makes a program of a part, without its file."""
    return lambda name, part="part", **more: Program(name, f"{part}/page", tmp_path, 1, **more)


@pytest.fixture
def offered(declared, tmp_path, monkeypatch):
    """A program with its source, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "programs/part/page"
    folder.mkdir(parents=True)

    def make(text: str, **more) -> Program:
        (folder / "demo.cu").write_text(text, encoding="utf-8")
        return declared("demo", **more)

    return make


@needs_nvcc
def test_a_download_compiles_under_the_name_of_a_second_copy(offered, monkeypatch):
    commands = []
    compiled = check.compiled
    monkeypatch.setattr(check, "compiled", lambda *given: commands.append(given) or compiled(*given))
    assert check.check(offered("int main() {}\n")) == ""
    assert check.check(offered("int main() {}\n")) == "" and len(commands) == 1, "what passed is not compiled again"
    found = check.check(offered('#include "demo.cu"\nint main() {}\n'))
    assert found.startswith("part/page/demo: $ nvcc 'demo (1).cu' -o demo\n") and "demo.cu" in found.partition("\n")[2]


@pytest.mark.parametrize(("script", "found"), [("exit 0", False), ("exit 1", True), ("echo 'x: warning: y' >&2", True)])
def test_an_error_and_a_warning_are_found(offered, tmp_path, monkeypatch, script, found):
    nvcc = tmp_path / "bin/nvcc"
    nvcc.parent.mkdir()
    nvcc.write_text(f"#!/bin/sh\n{script}\n")
    nvcc.chmod(0o755)
    assert bool(check.compiled({"demo.cu": ""}, "demo.cu", "nvcc demo.cu -o demo", nvcc)) == found


def test_a_download_for_a_newer_toolkit_is_not_compiled_with_an_older_one(offered, monkeypatch):
    monkeypatch.setattr(check.toolkit, "newer", lambda *_: None)
    found = check.check(offered("int main() {}\n", newer_toolkit="99.0", unrecorded="why"))
    assert found == "part/page/demo: needs the CUDA toolkit 99.0; run: python3 ci setup toolkit cuda-newer"


def test_the_sample_has_every_option_library_and_part_and_is_the_same_each_time(declared):
    plain = [declared(f"plain{n}", f"part{n % 4}") for n in range(100)]
    odd = [
        declared("linked", libs=("CUDA::cublas",)),
        declared("separable", separable=True),
        declared("unit", sources=("more.cpp",)),
        declared("task", exercise=True),
        declared("newer", newer_toolkit="99.0", unrecorded="why"),
        declared("odd", options=("-Xptxas=-v",)),
    ]
    chosen = check.sample([*plain, *odd])
    assert len(chosen) == check.SAMPLE and {program.name for program in odd} <= {program.name for program in chosen}
    assert {f"part{n}" for n in range(4)} < set().union(*map(check.traits, chosen))
    assert check.sample([*odd, *plain[::-1]]) == chosen
    assert check.sample(odd) and set(check.sample(odd)) == set(odd), "fewer than thirty are all taken"
