"""What a reader downloads: a program as one file, with the project's headers that it includes, whole, before it.

The file begins with a title, the line that builds it, and where it is from. It compiles under any name.
"""

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lockstep import data
from lockstep.exercises import parts
from lockstep.files import ROOT
from lockstep.programs import architectures, sources, toolkits
from lockstep.programs.declarations import Program

HELPERS = "// ==== helpers of the project, whole; the program begins after them ===="
PROGRAM = "// ==== the program ===="

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
    "OpenGL::EGL": "-lEGL",
    "OpenGL::OpenGL": "-lOpenGL",
    "OpenMP::OpenMP_CXX": "",  # linked by the option -Xcompiler=-fopenmp
    "Threads::Threads": "",
    "Vulkan::Vulkan": "-lvulkan",
}
_INCLUDES = re.compile(rf"(?:{sources.HEADER.pattern}\n)+\n?", re.M)
_BUILT = (".cu", ".cpp")


def files(program: Program) -> dict[str, str]:
    """The files of the download by name: one, unless the program has several sources; of an exercise, the starter too.

    :raises SourceError: where a header is missing, or a macro that the program defines would come too late
    """
    found: dict[str, str] = {}
    for path in (program.source, *(program.directory / name for name in program.sources)):
        texts = {path.name: path.read_text(encoding="utf-8")}
        if program.exercise and path == program.source:
            exercise = parts.parse(texts[path.name], path.name)
            texts = {path.name: exercise.text(parts.SOLUTION), starter(program): exercise.text(parts.STARTER)}
        near = {str(file.relative_to(program.directory)): file for file in sources.beside(path)}
        found |= {name: _whole(program, name, text, near) for name, text in texts.items()}
    return found


def _whole(program: Program, name: str, text: str, beside: Mapping[str, Path]) -> str:
    """A source as a file that builds without the project; `beside` are the files near it that it includes."""
    if defined := _defined_before_headers(text):
        raise sources.SourceError(
            f"{name}: defines {defined} before it includes a header of the project; do so after it"
        )
    near = {name: path.read_text(encoding="utf-8") for name, path in beside.items()}
    helpers = ""
    if name.endswith(_BUILT):
        reached = sources.headers_of("\n".join([text, *near.values()]), program.root / sources.INCLUDE)
        helpers = "\n".join(_without_headers(sources.read_header(path), {}) for path in reached.values())
    own = _without_headers(text, {name: text for name, text in near.items() if name not in program.sources})
    source = name if name == starter(program) else program.source.name
    head = [f"{name}, a program of Lockstep {version()}: {_address(program)}"]
    script = sources.is_script(name)
    head += [] if script else [f"Build: {build_command(program, source)}"]
    mark = "#" if script else "//"
    head = [f"{mark} {line}" for line in (*head, "SPDX-License-Identifier: BSD-3-Clause")]
    body = [HELPERS, "", helpers.strip(), "", PROGRAM, "", own] if helpers else [own]
    made = "\n".join([*head, "", *body])
    if parts.BEGIN in own:
        begins = 1 + made[: made.index(parts.BEGIN)].count("\n") + 1  # this line moves all by one
        made = "\n".join([*head, f'// Your part begins in line {begins}, after "{parts.BEGIN}".', "", *body])
    return made


def _without_headers(text: str, near: dict[str, str]) -> str:
    """A text without includes of the project's headers, and with the files `near` it in the place of theirs, once each."""
    lines = []
    for line in _INCLUDES.sub("", text.replace("#pragma once\n", "")).splitlines():
        included = sources.quoted(line)
        if included in near:
            lines += _without_headers(near.pop(included), near).splitlines()
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def _defined_before_headers(text: str) -> str:
    """A macro that is defined before the first header of the project is included, which a download includes first."""
    header = sources.HEADER.search(text)
    macro = re.search(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text[: header.start()] if header else "", re.M)
    return macro[1] if macro else ""


def _address(program: Program) -> str:
    address = os.environ.get("LOCKSTEP_URL", "").rstrip("/")
    return f"{address}/{program.folder}.html" if address else program.folder


@cache
def version() -> str:
    """The project's version; pyproject.toml states it."""
    return str(data.read(ROOT / "pyproject.toml", dict[str, Any], ROOT)["project"]["version"])


def toolkit(program: Program, text: str) -> str:
    """The oldest toolkit that has what a download, whose text this is, uses."""
    needed = toolkits.needs_toolkit(text, program.min_cc)
    return max(needed, program.newer_toolkit or needed, key=toolkits.number)


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
    words += [name for name in program.sources if name.endswith(_BUILT)]
    words += ["-o", program.name, *links(program)]
    return " ".join(word for word in words if word)
