"""The CMake project that a page shows configures and builds: with the files of the download that the page offers."""

import os
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

import pytest

from lockstep.programs import declarations, downloads
from lockstep.setup import toolkit

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/programming/nvcc/cmake.rst"
BLOCK = re.compile(r"\.\. code-block:: cmake\n(?:   :caption: .*\n)?\n((?:   .*\n|\n)+)")


def projects() -> list[str]:
    """The blocks of the page that are whole projects."""
    blocks = [textwrap.dedent(block).strip() + "\n" for block in BLOCK.findall(PAGE.read_text(encoding="utf-8"))]
    return [block for block in blocks if block.startswith("cmake_minimum_required")]


def built(folder: Path, project: str, sources: dict[str, str]) -> Path:
    """Configures and builds a project of the page; returns its build folder."""
    nvcc = toolkit.usable(ROOT, os.environ)
    if nvcc is None or not shutil.which("cmake"):
        pytest.skip("nvcc or cmake is missing")
    for name, text in {"CMakeLists.txt": project, **sources}.items():
        (folder / name).write_text(text, encoding="utf-8")
    build = folder / "build"
    known = os.environ | {"PATH": f"{nvcc.parent}:{os.environ['PATH']}"}
    for command in (["cmake", "-S", folder, "-B", build, "-DCMAKE_CUDA_ARCHITECTURES=90"], ["cmake", "--build", build]):
        run = subprocess.run(command, capture_output=True, text=True, env=known)
        assert run.returncode == 0, run.stdout + run.stderr
    return build


@pytest.mark.content
def test_the_project_of_the_page_builds(tmp_path):
    program = declarations.load(ROOT)["programming/nvcc/cmake/cmake_project"]
    build = built(tmp_path, projects()[0], downloads.files(program))
    assert (build / "cmake_project").exists()


@pytest.mark.content
def test_the_project_without_kernels_builds(tmp_path):
    source = "#include <cuda_runtime_api.h>\nint main() { return cudaFree(nullptr); }\n"
    assert (built(tmp_path, projects()[1], {"query.cpp": source}) / "query").exists()
