"""Makes toolkits.json out of the headers of several CUDA toolkits.

    python3 ci setup toolkit-headers FOLDER

FOLDER holds one folder for each toolkit, called by its version, with the wheels that hold its headers:

    for version in 12.0 12.4 12.6 12.8 12.9; do
        pip download --no-deps -d FOLDER/$version nvidia-cuda-runtime-cu12==$version.* nvidia-cuda-nvcc-cu12==$version.* \\
            nvidia-cuda-cccl-cu12==$version.*
    done

The installed toolkit, .cuda or $CUDA_HOME, is the newest of the table.
"""

import argparse
import json
import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from lockstep.errors import LockstepError
from lockstep.files import ROOT
from lockstep.programs import toolkits

# The wheels of older toolkits leave out parts of libcu++.
LIBRARY_SINCE = "12.3"
_HEADER = re.compile(r"/include/(.*/)?[a-z_0-9]+(\.(h|hpp|cuh|inl))?$")


def in_wheels(folder: Path) -> Iterator[tuple[str, str]]:
    """Path and text of every header in the wheels of a folder."""
    for wheel in sorted(folder.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if _HEADER.search(name):
                    yield f"/{name}", archive.read(name).decode(encoding="utf-8", errors="replace")


def installed(folder: Path) -> Iterator[tuple[str, str]]:
    """Path and text of every header of an installed toolkit."""
    for path in sorted((folder / "include").rglob("*")):
        if path.is_file() and _HEADER.search(str(path)):
            yield str(path), path.read_text(encoding="utf-8", errors="replace")


def version_of(folder: Path) -> str:
    """The version that an installed toolkit's cuda.h states."""
    match = re.search(r"#define CUDA_VERSION (\d+)", (folder / "include/cuda.h").read_text(encoding="utf-8"))
    if not match:
        raise LockstepError(f"{folder}/include/cuda.h states no CUDA_VERSION; is it a toolkit?")
    return f"{int(match[1]) // 1000}.{int(match[1]) % 1000 // 10}"


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="setup toolkit-headers", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="one folder of wheels for each toolkit")
    chosen = parser.parse_args(argv).folder
    found = {folder.name: in_wheels(folder) for folder in chosen.iterdir() if list(folder.glob("*.whl"))}
    newest = Path(os.environ.get("CUDA_HOME", ROOT / ".cuda"))
    older = {version: list(headers) for version, headers in found.items()}
    known = {Path(path).name for headers in older.values() for path, _ in headers}  # not those of other libraries
    ours = [(path, text) for path, text in installed(newest) if Path(path).name in known or "/cccl/" in path]
    examined = older | {version_of(newest): ours}
    table = toolkits.make(examined, LIBRARY_SINCE)
    part = toolkits.TABLE.with_suffix(".part")
    part.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    part.replace(toolkits.TABLE)
    print(f"{toolkits.TABLE.name}: {', '.join(sorted(examined, key=toolkits.number))}")
    return 0
