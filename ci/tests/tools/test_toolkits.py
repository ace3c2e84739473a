"""Which toolkit a program needs, and the table that says so."""

import re
import subprocess
from pathlib import Path

from lockstep.files import ROOT
from lockstep.programs import architectures, toolkits
from lockstep.setup import toolkit

OLD = "cudaError_t cudaPrefetch(const void* p, int device);\nstruct cudaOld;"
NEW = "cudaError_t cudaPrefetch(const void* p, struct cudaPlace place, int = 0);\nstruct cudaOld; struct cudaPlace;"


def table() -> toolkits.Table:
    made = toolkits.make(
        {
            "12.8": [("/include/cuda_runtime_api.h", OLD), ("/include/cuda/std/x", "int old_word;")],
            "12.10": [("/include/cuda_runtime_api.h", OLD), ("/include/cuda/std/x", "int old_word; // new_word")],
            "13.0": [("/include/cuda_runtime_api.h", NEW), ("/include/cuda/std/x", "int old_word, new_word;")],
        },
        "12.8",
    )
    groups = {
        key: {name: version for version, names in made[key].items() for name in names}
        for key in ("since", "changed", "qualified")
    }
    return toolkits.Table(tuple(made["examined"]), **groups)


def test_a_name_counts_from_the_toolkit_that_brought_it():
    assert table().since == {"cudaPlace": "13.0"}
    assert toolkits.needs_toolkit("cudaPlace p;", table=table()) == "13.0"
    assert toolkits.needs_toolkit("cudaOld* p;  // cudaPlace", table=table()) == "12.8"


def test_a_function_counts_from_the_toolkit_that_gave_it_its_parameters():
    assert table().changed == {"cudaPrefetch": "13.0"}
    assert toolkits.needs_toolkit("cudaPrefetch(p, q);", table=table()) == "13.0"


def test_a_word_of_the_library_counts_only_with_its_namespace():
    assert toolkits.needs_toolkit("int new_word;", table=table()) == "12.8"
    assert toolkits.needs_toolkit("cuda::new_word();", table=table()) == "13.0"


def test_an_architecture_counts_too():
    assert toolkits.needs_toolkit("", 90) == "12.0"
    assert toolkits.needs_toolkit("", 100) == "12.8"


def test_the_table_of_the_repository_knows_what_changed_in_13():
    known = toolkits.load()
    assert known.changed["cudaMemPrefetchAsync"] == "13.0" and known.since["cudaLibraryLoadData"] == "12.8"
    assert "13.0" in known.examined and "12.0" in known.examined


def test_versions_compare_as_numbers():
    assert toolkits.number("12.10") > toolkits.number("12.9")


# -- the lists of architectures, which the compiler knows best ---------------------------------------------------------------


def listed(nvcc: Path) -> list[int]:
    said = subprocess.run([nvcc, "--list-gpu-arch"], capture_output=True, text=True, check=True).stdout
    return sorted(int(number) for number in re.findall(r"compute_(\d+)", said))


def test_the_major_architectures_are_those_of_nvcc_and_of_cmake(nvcc, tmp_path):
    first = {number // 10: number for number in reversed(listed(nvcc))}
    assert tuple(sorted(first.values())) == architectures.ALL_MAJOR
    text = (ROOT / "programs/LockstepProgram.cmake").read_text(encoding="utf-8")
    begin = text.index("set(LOCKSTEP_MAJOR_ARCHITECTURES)\n")
    asked = text[begin : text.index("endforeach()\n", begin)] + "endforeach()\n"
    script = tmp_path / "script.cmake"
    script.write_text(f'cmake_minimum_required(VERSION 3.24)\n{asked}message("${{LOCKSTEP_MAJOR_ARCHITECTURES}}")\n')
    run = subprocess.run(["cmake", "-D", f"CMAKE_CUDA_COMPILER={nvcc}", "-P", script], capture_output=True, text=True)
    assert run.stderr.strip() == ";".join(f"{number}-real" for number in architectures.ALL_MAJOR)


def test_it_is_known_since_which_toolkit_nvcc_knows_a_new_architecture(nvcc):
    assert {number for number in listed(nvcc) if number > 90} <= set(toolkits._ARCHITECTURES)
    release = ".".join(map(str, toolkit.release(nvcc)))
    assert all(toolkits.number(since) <= toolkits.number(release) for since in toolkits._ARCHITECTURES.values())
