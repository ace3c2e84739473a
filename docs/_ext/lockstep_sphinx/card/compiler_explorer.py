"""Links that open a program in Compiler Explorer; no Sphinx imports.

The address holds the whole program: https://godbolt.org/clientstate/ and a zlib stream of its
state in URL-safe base64. Nothing is stored there and nothing is asked at build time. That is 4 to 6 kB which hardly
compress, so the address stands only on the page of the program's source; cards link that place, and site.js follows on.
"""

import base64
import json
import re
import zlib
from typing import Any

from lockstep.programs import downloads, sources
from lockstep.programs.declarations import Program

ANCHOR = "compiler-explorer"  # where the link stands on the page of a program's source; site.js knows it
COMPILER = "nvcc130u2"
_HOST = "https://godbolt.org/clientstate/"
_CAPABILITY = 75  # of the GPU that it runs programs on
_HELPERS = re.compile(rf"(?<=^{re.escape(downloads.HELPERS)}\n).*?(?=^{re.escape(downloads.PROGRAM)}$)", re.M | re.S)
_DRIVER_API = re.compile(r"<cuda\.h>|cudaGetDriverEntryPoint|<nvrtc\.h>")


def can_run(program: Program, text: str) -> bool:
    """Whether a GPU of compute capability 7.5 without further libraries could run the program."""
    return not (
        (program.min_cc or 0) > _CAPABILITY
        or program.min_gpus > 1
        or program.libs
        or program.archs
        or program.must_not_compile
        or program.unrecorded
        or _DRIVER_API.search(text)
    )


def promise(program: Program, text: str) -> str:
    """What a reader may expect there, in a few words."""
    return "compiles there, and usually runs" if can_run(program, text) else "compiles there only"


def offered(program: Program) -> bool:
    """Whether one file is all of the program, so that a link can open it."""
    return not program.sources


def link(program: Program, text: str) -> str:
    """The address that opens `text`, the program's single-file download; nothing where that is not all."""
    if not offered(program):
        return ""
    options = ["-O2", f"-std=c++{program.standard}", _architecture(program)]
    options += (["-rdc=true"] if program.separable else []) + list(program.options)
    session: dict[str, Any] = {
        "id": 1,
        "language": "cuda",
        "source": shorten(text),
        "compilers": [{"id": COMPILER, "options": " ".join(options)}],
    }
    if can_run(program, text):
        session["executors"] = [{"compiler": {"id": COMPILER, "libs": [], "options": " ".join(options)}}]
    state = json.dumps({"sessions": [session]}, separators=(",", ":"), sort_keys=True)
    return _HOST + base64.urlsafe_b64encode(zlib.compress(state.encode(), 9)).decode().rstrip("=")


def shorten(text: str) -> str:
    """The single-file program with the comments of its helpers left out, to keep the address short."""
    return _HELPERS.sub(lambda match: sources.strip_comments(match[0]) + "\n", text)


def _architecture(program: Program) -> str:
    if program.arch_specific:
        return f"-arch=sm_{program.min_cc}a"
    return f"-arch=sm_{max(program.min_cc or 0, _CAPABILITY)}"
