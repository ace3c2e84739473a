"""What a reader downloads, and the one line that builds it."""

import json
import os
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from lockstep.content import content, digest
from lockstep.exercises import parts
from lockstep.files import ROOT, write
from lockstep.programs import architectures, fold, regions, sources, toolkits
from lockstep.programs.declarations import Program

ORIGIN = "// SPDX-License-Identifier:"  # begins the last line of a download
LATE = 60  # the first line of a starter at which the learner's part may not begin any more

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
    "Threads::Threads": "",
    "Vulkan::Vulkan": "-lvulkan",
}


def originals(program: Program) -> dict[str, str]:
    """What the files of the download are made of, by name: one, unless the program is about several translation units."""
    paths = [program.source, *(program.directory / name for name in program.sources)]
    found = {path.name: path.read_text(encoding="utf-8") for path in paths} | undeclared(program)
    if program.exercise:
        exercise = parts.parse(found[program.source.name], program.source.name)
        found[starter(program)] = exercise.text(parts.STARTER)
    return found


def undeclared(program: Program) -> dict[str, str]:
    """The files that the source includes from its own folder, and that no SOURCES name: they become part of it."""
    near = {os.path.relpath(path, program.directory): path for path in sources.beside(program.source)}
    return {name: path.read_text(encoding="utf-8") for name, path in near.items() if name not in program.sources}


def files(program: Program) -> dict[str, str]:
    """The files of the download by name; each ends in a line that says where it is from and what builds it."""
    texts, local = originals(program), undeclared(program)
    beside = {name: text for name, text in texts.items() if name in program.sources}
    made = {name: bundle(text, program.root, beside, local) for name, text in texts.items() if name not in local}
    if program.exercise and begins(made[starter(program)]) >= LATE:
        made[starter(program)] = early(texts[starter(program)], program.root, starter(program), beside, local)
    return {name: text + last_line(program, "" if name in beside else name) for name, text in made.items()}


def tools(root: Path) -> str:
    """A digest of all that makes downloads besides the programs themselves."""
    made_by = ("ci/lockstep/programs", "ci/lockstep/exercises", "pyproject.toml")
    return digest([content(ROOT, made_by), content(root, [str(sources.INCLUDE), str(sources.SHORT)])])


def kept(program: Program, made_by: str) -> dict[str, str]:
    """The files of the download; those of an earlier run if nothing that makes them has changed since.

    :param made_by: `tools` of the program's project
    """
    texts = [text for pair in originals(program).items() for text in pair]
    key = digest([made_by, repr(program), os.environ.get("LOCKSTEP_URL", ""), *texts])
    file = program.root / "build/downloads" / f"{key}.json"
    if file.exists():
        found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
        return found
    made = files(program)
    file.parent.mkdir(parents=True, exist_ok=True)
    write(file, json.dumps(made))
    return made


def without_origin(text: str) -> str:
    """A download without its last line, which tells the version of the site."""
    return "\n".join(line for line in text.splitlines() if not line.startswith(ORIGIN))


def last_line(program: Program, source: str = "") -> str:
    """The line that a download ends in."""
    address = os.environ.get("LOCKSTEP_URL", "").rstrip("/")
    origin = f"{address}/{program.folder}.html" if address else f"Lockstep, {program.folder}"
    build = build_command(program, source)
    place = f"from {origin}, version {version()}"
    return f"// SPDX-License-Identifier: BSD-3-Clause; {place}; build: {build}\n"


@cache
def version() -> str:
    """The project's version; pyproject.toml states it."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def own(text: str) -> str:
    """A program's own part of a download: without region markers, other variants of an exercise, project headers."""
    return re.sub(r"\n{3,}", "\n\n", sources.HEADER.sub("", _plain(text)))


def toolkit(program: Program, text: str) -> str:
    """The oldest toolkit that has what a download, whose text this is, uses."""
    needed = toolkits.needs_toolkit(text, program.min_cc)
    return max(needed, program.newer_toolkit or needed, key=toolkits.number)


def _plain(text: str) -> str:
    """A source without region markers and other variants of an exercise."""
    lines = [line for line in text.splitlines() if not regions.is_marker(line) and not parts.hidden(line)]
    return "\n".join(lines) + "\n"


def bundle(
    text: str, root: Path, beside: Mapping[str, str] | None = None, local: Mapping[str, str] | None = None
) -> str:
    """A source as a download: with the excerpt of the project's headers that it uses.

    For a program of one file, `nvcc name.cu` alone compiles it. Region markers are left out, and what belongs to other
    variants of an exercise. `beside` are the other files of the download, which the source may include; `local` those that
    are no files of the download, and are written into it.
    """
    return fold.fold(*_with_headers(text, root, beside, local))


def early(
    text: str, root: Path, name: str, beside: Mapping[str, str] | None = None, local: Mapping[str, str] | None = None
) -> str:
    """The same for a starter of this name, so that the learner's part comes early: with the excerpt at its end.

    Where that does not do, the functions of the program in front of the learner's stand there, too.
    """
    pieces = fold.pieces(*_with_headers(text, root, beside, local))
    made = fold.fold_at_end(pieces, name, parts.BEGIN)
    return made if begins(made) < LATE else fold.fold_at_end(pieces, name, parts.BEGIN, functions=True)


def begins(text: str) -> int:
    """The line in which the learner's part of a starter begins."""
    return next(number for number, line in enumerate(text.splitlines(), 1) if parts.BEGIN in line)


def _with_headers(
    text: str, root: Path, beside: Mapping[str, str] | None, local: Mapping[str, str] | None
) -> tuple[str, dict[str, str], Mapping[str, str] | None]:
    """A source as it becomes a download, the project headers that it uses, and the files beside it."""
    text = fold.written_out(_plain(text), local) if local else _plain(text)
    return text, in_order(headers("\n".join([text, *(beside or {}).values()]), root)), beside


def headers(text: str, root: Path) -> dict[str, str]:
    """The project headers that reach a text, by name, as downloads hold them: the short form of those that have one."""
    reached = sources.headers_of(text, root / sources.SHORT, root / sources.INCLUDE)
    return {name: fold.by_line(sources.read_header(header)) for name, header in reached.items()}


def in_order(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers so that each comes after those that it includes."""
    found: dict[str, str] = {}

    def visit(name: str) -> None:
        if name not in found:
            for other in sources.project_includes(headers[name]):
                visit(other)
            found[name] = headers[name]

    for name in sorted(headers):
        visit(name)
    return found


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
