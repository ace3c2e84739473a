"""Stub libraries of the driver, made from its headers.

Programs link against `libcuda` and `libnvidia-ml`, which come with the driver. For machines without one an installed
toolkit has stubs: libraries with the same functions, all of which only report that no driver is there. The wheels on
PyPI have no stubs, so they are made here: the preprocessor lists the functions that a header declares, in every
combination of the macros that choose among their versions.
"""

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lockstep.errors import LockstepError


@dataclass(frozen=True)
class Stub:
    """One library of the driver."""

    library: str  # its file, as the linker looks for it
    soname: str  # as the loader looks for it
    headers: tuple[str, ...]  # those of them that are there are read
    result: str  # the type that its functions return
    prefix: str  # how the names of its functions begin
    status: int  # what the stub's functions return


STUBS = (
    Stub(
        "libcuda.so",
        "libcuda.so.1",
        ("cuda.h", "cudaProfiler.h"),
        "CUresult",
        "cu",
        34,  # CUDA_ERROR_STUB_LIBRARY
    ),
    Stub(
        "libnvidia-ml.so",
        "libnvidia-ml.so.1",
        ("nvml.h",),
        "nvmlReturn_t",
        "nvml",
        12,  # NVML_ERROR_LIBRARY_NOT_FOUND
    ),
)

# What chooses among versions of the functions: those of the per-thread default stream, and those of older toolkits.
MACROS = (
    (),
    ("-DCUDA_API_PER_THREAD_DEFAULT_STREAM",),
    ("-D__CUDA_API_VERSION_INTERNAL", "-DNVML_NO_UNVERSIONED_FUNC_DEFS"),
    ("-D__CUDA_API_VERSION_INTERNAL", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM"),
)


class StubError(LockstepError):
    """Why a stub cannot be made."""


def functions(preprocessed: str, stub: Stub) -> set[str]:
    """The functions of the library that a header declares, after the preprocessor."""
    return set(re.findall(rf"\b{stub.result}\s+(?:__stdcall\s+)?({stub.prefix}[A-Z]\w*)\s*\(", preprocessed))


def source(names: set[str], status: int) -> str:
    """A C file that defines the functions, each of which returns the status whatever it is given."""
    lines = [f"int {name}(void) {{ return {status}; }}" for name in sorted(names)]
    return "\n".join(["/* Made by ci/lockstep/setup/driver_stub.py from the headers of the toolkit. */", *lines]) + "\n"


def _run(*command: str | Path) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise StubError(f"{command[0]} failed:\n{done.stderr.strip()}")
    return done.stdout


def make(stub: Stub, include: Path, folder: Path) -> Path | None:
    """Compiles a stub into a folder.

    :param include: the folder of the toolkit's headers
    :return: the library; None if none of its headers is there
    """
    headers = [include / name for name in stub.headers if (include / name).exists()]
    if not headers:
        return None
    found: set[str] = set()
    for header in headers:
        for macros in MACROS:
            found |= functions(_run("gcc", "-E", "-P", "-x", "c", f"-I{include}", *macros, header), stub)
    if not found:
        raise StubError(
            f"{headers[0]} declares no function that returns {stub.result}; the header has changed its form"
        )
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / stub.library
    with tempfile.TemporaryDirectory(dir=folder) as work:
        text, part = Path(work, "stub.c"), Path(work, stub.library)
        text.write_text(source(found, stub.status), encoding="utf-8")
        # Some names are those of compiler built-ins in other languages: a stub shares only its names, not its types.
        _run("gcc", "-shared", "-fPIC", "-O1", "-w", f"-Wl,-soname,{stub.soname}", text, "-o", part)
        part.replace(made)
    return made
