"""What a reader downloads, and the one line that builds it."""

import re
from pathlib import Path

from lockstep.exercises import parts
from lockstep.programs import architectures, regions, sources
from lockstep.programs.declarations import Program

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
    found = {path.name: path.read_text(encoding="utf-8") for path in paths}
    if program.exercise:
        exercise = parts.parse(found[program.source.name], program.source.name)
        found[starter(program)] = exercise.text(parts.STARTER)
    return found


def files(program: Program) -> dict[str, str]:
    """The files of the download by name."""
    return {name: bundle(program.directory / name, program.root, text) for name, text in originals(program).items()}


def bundle(source: Path, root: Path, text: str | None = None) -> str:
    """A source as a download: with the project's headers folded in.

    For a program of one file, `nvcc name.cu` alone compiles it. Region markers are left out, and what belongs to other
    variants of an exercise. `text` stands for the source's own, as the starter of an exercise does.
    """
    include_dir = root / sources.INCLUDE
    done: set[str] = set()

    def fold(text: str) -> str:
        def header(match: re.Match[str]) -> str:
            name = match[1]
            if name in done:
                return ""
            done.add(name)
            body = fold(sources.read_header(include_dir / name))
            body = re.sub(r"^#pragma once\n", "", body, flags=re.M)
            return f"// ---- {name} ----\n{body.strip()}\n"

        return sources.HEADER.sub(header, text)

    shown = source.read_text(encoding="utf-8") if text is None else text
    lines = [line for line in shown.splitlines() if not regions.is_marker(line) and not parts.hidden(line)]
    folded = fold("\n".join(lines) + "\n")
    return re.sub(r"\n{3,}", "\n\n", folded)


def starter(program: Program) -> str:
    """The name of an exercise's starter as a download."""
    return f"{program.name}_starter.cu"


def options(program: Program) -> list[str]:
    """The compiler options that a program needs."""
    words = [f"-std=c++{program.standard}"] if program.standard != 17 else []
    words += architectures.options(program)
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
