"""What a reader downloads, and the one line that builds it."""

import os
import tomllib
from functools import cache
from pathlib import Path

from lockstep import exercises, sources
from lockstep.declarations import Program

# CMake's names of libraries as nvcc wants them.
_LINK = {
    "CUDA::cublas": "-lcublas",
    "CUDA::cublasLt": "-lcublasLt",
    "CUDA::cudadevrt": "-lcudadevrt",
    "CUDA::cuda_driver": "-lcuda",
    "CUDA::cufft": "-lcufft",
    "CUDA::cupti": "-lcupti",
    "CUDA::curand": "-lcurand",
    "CUDA::nvml": "-lnvidia-ml",
    "CUDA::nvrtc": "-lnvrtc",
    "CUDA::nvJitLink": "-lnvJitLink",
    "MPI::MPI_CXX": "-ccbin mpicxx",
    "NCCL::NCCL": "-lnccl",
    "Threads::Threads": "",
}


def originals(program: Program) -> dict[str, str]:
    """What the files of the download are made of, by name: one, unless the program is about several translation units."""
    paths = [program.source, *(program.directory / name for name in program.sources)]
    found = {path.name: path.read_text() for path in paths}
    if program.exercise:
        parts = exercises.parse(found[program.source.name], program.source.name)
        found[starter(program)] = parts.text(exercises.STARTER)
    return found


def files(program: Program) -> dict[str, str]:
    """The files of the download by name; each ends in a line that says where it is from and what builds it."""
    texts = originals(program)
    extra = {name: text for name, text in texts.items() if name in program.sources}
    found = {}
    for name, text in texts.items():
        build = build_command(program, name if name in (program.source.name, starter(program)) else "")
        found[name] = sources.bundle(program.directory / name, program.root, text, extra) + last_line(program, build)
    return found


def last_line(program: Program, build: str) -> str:
    """The line that a download ends in."""
    return f"\n// SPDX-License-Identifier: BSD-3-Clause; from {origin(program)}; build: {build}\n"


def own_lines(program: Program, name: str) -> int:
    """How many lines of a download are the program's own: those of its source, less inclusions of project headers."""
    return len(sources.own_text(originals(program)[name]).splitlines())


def starter(program: Program) -> str:
    """The name of an exercise's starter as a download."""
    return f"{program.name}_starter.cu"


def options(program: Program) -> list[str]:
    """The compiler options that a program needs."""
    words = [f"-std=c++{program.standard}"] if program.standard != 17 else []
    words += _architecture_options(program)
    words += ["-rdc=true"] if program.separable else []
    return [*words, *program.options]


def links(program: Program) -> list[str]:
    """The libraries of a program as linker options."""
    return [_LINK[library] for library in program.libs if _LINK.get(library, library)]


def build_command(program: Program, source: str = "") -> str:
    """The command that builds the download with nothing but the toolkit; `source` stands for the program's own."""
    words = ["nvcc", *options(program), source or program.source.name]
    words += [name for name in program.sources if name.endswith((".cu", ".cpp"))]
    words += ["-o", program.name, *links(program)]
    return " ".join(word for word in words if word)


def origin(program: Program) -> str:
    """Project and version that a download is from, and where its page is, as far as that is known."""
    address = os.environ.get("LOCKSTEP_URL", "").rstrip("/")
    place = f"{address}/{program.folder}.html" if address else f"Lockstep, {program.folder}"
    return f"{place}, version {version(program.root)}"


@cache
def version(root: Path) -> str:
    """The project's version."""
    with (root / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def _architecture_options(program: Program) -> list[str]:
    """Options that choose what the binary holds; none where nvcc's default will do."""
    if program.arch_specific:
        return [f"-gencode arch=compute_{program.min_cc}a,code=sm_{program.min_cc}a"]
    options = []
    for architecture in program.archs:
        number, _, kind = architecture.partition("-")
        codes = {"real": [f"sm_{number}"], "virtual": [f"compute_{number}"]}.get(
            kind, [f"sm_{number}", f"compute_{number}"]
        )
        options += [f"-gencode arch=compute_{number},code={code}" for code in codes]
    if not options and program.min_cc and program.min_cc > 75:
        options = [f"-arch=sm_{program.min_cc}"]
    return options
