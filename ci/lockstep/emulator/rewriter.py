"""The rewriter of the device side (programs/emulator/rewriter): built once, for this processor or WebAssembly; its stages."""

import hashlib
import json
import os
import subprocess
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lockstep import cache as result_cache
from lockstep.emulator.tools import LLVM, STEP, VERSION, BuildError, Unsupported
from lockstep.files import ROOT

SOURCES = ROOT / "programs/emulator/rewriter"
# What it shares with the runtime.
CODES = [ROOT / f"programs/emulator/runtime/{name}.hpp" for name in ("abi", "abi_async", "abi_launches")]
LACKING = 3  # its exit status if the program needs what the emulator lacks

OPTIONS = ("-std=c++17", "-fno-exceptions", "-Wall", "-Wextra", "-Werror")
_LIBRARY = Path("/usr/lib/wasm32-wasi")
WEB = (
    "--target=wasm32-wasip1", "-Os", "-flto", "-fno-rtti", "-stdlib=libc++", "-isystem", f"{LLVM}/include/wasm32-wasi/c++/v1",
    "-isystem", "/usr/include/wasm32-wasi", "-mbulk-memory", "-fuse-ld=lld", f"-L{LLVM}/lib/wasm32-wasi",
    f"-L{_LIBRARY}", "-nostdlib", "-Wl,--gc-sections", "-Wl,-s", "-Wl,-z,stack-size=524288",
    "-Wl,--stack-first",
)  # fmt: skip
WEB_LIBRARIES = (
    "-x", "none", f"{_LIBRARY}/crt1.o", "-lc++", "-lc++abi", "-lm", "-lc", f"{LLVM}/lib/clang/{VERSION}/lib/wasi/libclang_rt.builtins-wasm32.a",
)  # fmt: skip


@dataclass(frozen=True)
class DeviceSide:
    """What the first stage finds out about a program."""

    kernels: list[str]  # symbols, in the order of their numbers
    clusters: dict[str, list[int]]  # sizes, by kernel
    bounds: dict[str, int]  # the most threads of a block, by kernel
    managed: list[str]  # variables of both sides
    variables: list[tuple[str, bool]]  # variables that the host names; whether they are constant
    kept: list[str]  # what the optimizer must keep
    host_places: list[str]  # places in the source of the host, numbered
    lines: list[int]  # of the source, that the stepper may show
    shown: list[tuple[str, int, int, str]]  # variables that it may show: name, first and last line, kind
    arrays: list[tuple[int, str, str, int, str]]  # of shared memory: number, name, kind, bytes of an element, extents


@dataclass(frozen=True)
class CheckedSide:
    """What the last stage finds out."""

    places: list[str]  # "file:line", by number
    yields: list[bool]  # by kernel: whether a thread may give way in it
    shared: list[list[int]]  # by kernel: numbers of the shared variables that it can reach
    indirect: bool  # whether any function calls through a pointer


def sources() -> list[Path]:
    return [*sorted(SOURCES.glob("*.[ch]pp")), *CODES]


def fingerprint(web: bool) -> str:
    """A hash over everything that reaches the built rewriter."""
    hashed = hashlib.sha256(f"{VERSION} {OPTIONS} {WEB if web else ()} {WEB_LIBRARIES}".encode())
    for file in sources():
        hashed.update(file.read_bytes())
    return hashed.hexdigest()


_building = threading.Lock()


@cache
def _built(folder: Path, web: bool, mark: str) -> Path:
    made = folder / f"rewriter-{mark[:16]}{'.wasm' if web else ''}"
    if made.exists():
        return made
    folder.mkdir(parents=True, exist_ok=True)
    part = made.with_name(f"{made.name}.{os.getpid()}.part")
    if known := result_cache.get("rewriter", made.name):
        part.write_bytes(known)
        part.chmod(0o755)
        part.rename(made)
        return made
    # All files as one: the standard library's headers are read once.
    text = "".join(f'#include "{file}"\n' for file in sources() if file.suffix == ".cpp")
    before, after = (WEB, WEB_LIBRARIES) if web else (("-O2",), ())
    done = subprocess.run(
        [f"clang++-{VERSION}", *OPTIONS, *before, "-x", "c++", "-", *after, "-o", part],
        input=text, capture_output=True, encoding="utf-8", timeout=STEP, check=False,
    )  # fmt: skip
    if done.returncode:
        raise BuildError(f"the rewriter does not compile:\n{done.stderr.strip()[:4000]}")
    part.rename(made)
    result_cache.put("rewriter", made.name, made.read_bytes())
    return made


def built(folder: Path, web: bool = False) -> Path:
    """The rewriter's command, or its module; made again if what reaches it changed.

    :param folder: where it is put
    """
    with _building:
        return _built(folder, web, fingerprint(web))


def run(command: Path, stage: str, *arguments: str | Path) -> None:
    """Runs a stage; raises Unsupported or BuildError with what it printed."""
    done = subprocess.run(
        [command, stage, *arguments], capture_output=True, encoding="utf-8", timeout=STEP, check=False
    )
    if done.returncode == LACKING:
        raise Unsupported(done.stderr.strip())
    if done.returncode:
        raise BuildError(done.stderr.strip() or f"rewriter {stage} ended with status {done.returncode}")


def device(command: Path, work: Path, source: str = "") -> DeviceSide:
    """Rewrites both sides: device.ll and host.ll become rewritten.ll and linked.ll.

    :param source: the name of the program's file, if kernels are to tell of each line
    """
    tables = work / "device.json"
    given = [work / "device.ll", work / "host.ll", work / "rewritten.ll", work / "linked.ll", tables]
    run(command, "device", *given, *([source] if source else []))
    fields = json.loads(tables.read_text(encoding="utf-8"))
    return DeviceSide(**(fields | {"variables": [(name, constant) for name, constant in fields["variables"]]}))


def optimized(command: Path, module: Path, made: Path) -> None:
    """Rewrites what the optimizer made, for the thread sanitizer."""
    run(command, "optimized", module, made)


def checked(command: Path, module: Path, made: Path, work: Path) -> CheckedSide:
    """Rewrites what the thread sanitizer made."""
    tables = work / "checked.json"
    run(command, "checked", module, made, tables)
    return CheckedSide(**json.loads(tables.read_text(encoding="utf-8")))
