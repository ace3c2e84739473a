"""Makes sure that every single-file download compiles as a reader would compile it: plain nvcc, one file, no warning.

    python3 ci program downloads [--all] [--jobs N] [PROGRAM ...]

A download is the program with the excerpt of the project's headers that it uses, in their short form where they have one.
It is compiled, and so is the program with these headers whole; both objects must then hold the same functions of the
library, so that no call means another overload because one was left out. --all does all of it for each, links it as well, and notes each that passes in
ci/complete_run.json, where `make check` looks what has changed. What was found good is remembered in build/ci/downloads by
its text, its command, the compiler and whether it was linked, and not compiled again, so that an interrupted run goes on.
"""

import argparse
import hashlib
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lockstep import changes
from lockstep.errors import LockstepError
from lockstep.files import ROOT
from lockstep.programs import cmake_lists, declarations, downloads, fold, sources
from lockstep.setup import toolkit

GOOD = ROOT / "build/ci/downloads"
NO_MPI_CXX = ("-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX")  # MPI's own C++ headers are not free of warnings
WARNINGS = ("-Werror=all-warnings", "-Xcompiler=-Wall,-Wextra,-Werror")


class DownloadError(LockstepError):
    """A download that is not what it should be; the text says how."""


def environment(nvcc: Path | None = None) -> dict[str, str]:
    """With the NCCL of .cuda, if there is one, where the compiler looks by itself; `nvcc` is the one to call, if not the usual."""
    known = dict(os.environ)
    if nvcc:
        known["PATH"] = f"{nvcc.parent}{os.pathsep}{known.get('PATH', '')}"
    for nccl in ROOT.glob(".cuda/nccl"):
        for name, folder in (("CPATH", "include"), ("LIBRARY_PATH", "lib")):
            known[name] = os.pathsep.join(filter(None, [known.get(name), str(nccl / folder)]))
    return known


def compile_one(folder: str, command: str, nvcc: Path | None = None) -> None:
    """Compiles a download as its page says."""
    run = subprocess.run(
        command, cwd=folder, env=environment(nvcc), capture_output=True, text=True, encoding="utf-8", shell=True
    )
    if run.returncode != 0:
        raise DownloadError(f"$ {command}\n{run.stderr}{run.stdout}")


def functions(object_file: Path) -> list[str]:
    """The functions of the project's headers that an object holds: those that the program calls."""
    run = subprocess.run(["nm", "-C", "--defined-only", object_file.name], cwd=object_file.parent, capture_output=True)
    lines = run.stdout.decode(encoding="utf-8").splitlines()
    found = {line.split(" ", 2)[2] for line in lines if re.match(r"[0-9a-f]+ [WwVu] ", line)}
    ours = (name for name in found if re.match(rf"(\S+ )*{fold.NAMESPACE}::", name) and "{lambda" not in name)
    return sorted(name for name in ours if not implicit(name))


def implicit(name: str) -> bool:
    """Whether a function is the default constructor of a class for which no header declares a constructor.

    A class without `private:`, as a download shows it, is an aggregate, whose `{}` calls no constructor.
    """
    found = re.fullmatch(r".*?(\w+)::\1\(\)", name)
    constructor = re.compile(rf"(?<!~)\b{found[1]}\(") if found else None
    headers = (h for folder in (sources.SHORT, sources.INCLUDE) for h in (ROOT / folder).rglob("*.hpp"))
    return constructor is not None and not any(constructor.search(h.read_text(encoding="utf-8")) for h in headers)


def compare(download: Path, original: Path, command: Sequence[str] = (), nvcc: Path | None = None) -> None:
    """Compiles a download, and the program that it was made of; finds a call that means another function in one.

    :param original: the program, with the headers that it includes in the same folder
    """
    found = []
    for source, further in ((download, []), (original, ["-I", str(original.parent)])):
        words = ["nvcc", "-O0", *WARNINGS, *command, *further, "-c", source.name, "-o", f"{source.name}.o"]
        compile_one(str(source.parent), shlex.join(words), nvcc)
        found.append(functions(source.parent / f"{source.name}.o"))
    ours, theirs = map(set, found)
    if ours != theirs:
        places = [
            f"only the {where} has {name}"
            for where, names in (("download", ours - theirs), ("program", theirs - ours))
            for name in sorted(names)
        ]
        raise DownloadError(f"{download.name}: {'; '.join(places)}; see possible() in ci/lockstep/programs/fold.py")


def compiler(nvcc: Path | str = "nvcc") -> str:
    """What nvcc says that it is."""
    run = subprocess.run([nvcc, "--version"], capture_output=True, text=True, encoding="utf-8")
    return run.stdout


def check_one(program: declarations.Program, everything: bool, version: str = "") -> str:
    """What is wrong with a program's download, and with its starter if it has one; else nothing."""
    mains = [program.source.name, *([downloads.starter(program)] if program.exercise else [])]
    texts, originals = downloads.files(program), downloads.originals(program)
    commands = [downloads.build_command(program, name) for name in mains]
    nvcc = None
    if program.newer_toolkit:
        nvcc = toolkit.newer(ROOT, os.environ, program.newer_toolkit)
        if not nvcc:
            return f"{program.path}: needs the CUDA toolkit {program.newer_toolkit}; run: python3 ci setup toolkit cuda-newer"
        version = compiler(nvcc)
    key = hashlib.sha256("\0".join([version, *WARNINGS, *commands, *texts.values()]).encode()).hexdigest()
    linked = f"{key}-linked"
    if (GOOD / linked).exists() or (not everything and (GOOD / key).exists()):
        return ""
    with tempfile.TemporaryDirectory() as folder:
        original = Path(folder) / "original"
        original.mkdir()
        headers = downloads.headers("\n".join(originals.values()), program.root)
        for place, found in ((Path(folder), texts), (original, originals | headers)):
            for name, text in found.items():
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (place / name).write_text(text, encoding="utf-8")
        try:
            host = [word for word in downloads.links(program) if word.startswith("-ccbin")]
            host += NO_MPI_CXX if host else []
            options = shlex.split(" ".join([*downloads.options(program), *host]))
            for name in (*mains, *(extra for extra in program.sources if extra.endswith((".cu", ".cpp")))):
                compare(Path(folder) / name, original / name, options, nvcc)
            if everything or downloads.links(program) or program.sources or program.separable:
                for command in commands:
                    compile_one(folder, command, nvcc)
        except DownloadError as error:
            return f"{program.path}: {error}"
    GOOD.mkdir(parents=True, exist_ok=True)
    (GOOD / (linked if everything else key)).touch()
    return ""


def checked(wanted: Sequence[declarations.Program], everything: bool, jobs: int | None) -> Iterator[str]:
    """What is wrong with each download, or nothing; with `everything` notes each that passes at once."""
    version = compiler()
    keys = changes.download_keys(wanted, ROOT) if everything else {}
    with ThreadPoolExecutor(jobs) as pool:
        for program, text in zip(
            wanted, pool.map(lambda program: check_one(program, everything, version), wanted), strict=True
        ):
            if everything and not text:
                changes.note_download(ROOT, program.path, keys[program.path])
            yield text


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="program downloads", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--all", action="store_true", help="leave nothing out: link each, too, and note it if it passes"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    options = parser.parse_args(argv)
    declared = cmake_lists.programs(ROOT)
    wanted = [declarations.find(declared, name) for name in options.programs] or list(declared.values())
    wanted = [program for program in wanted if not program.must_not_compile]
    failures = [text for text in checked(wanted, options.all, options.jobs) if text]
    print("\n".join(failures) or f"{len(wanted)} downloads compile")
    return 1 if failures else 0
