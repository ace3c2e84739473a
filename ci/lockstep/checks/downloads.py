"""Makes sure that every single-file download compiles as a reader would compile it: plain nvcc, one file.

    python3 ci downloads [--all] [--jobs N] [PROGRAM ...]

A download is the program that the build compiles, with the project's headers written out. If the preprocessor makes the
same words of both, the download compiles since the program does; what the build made of the program is linked as the
download's line says. That takes far less time. Programs of several files or with further options are compiled, with
--all every one is, and those that the build has not made yet.
"""

import argparse
import os
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from pathlib import Path

from lockstep.errors import LockstepError
from lockstep.files import ROOT
from lockstep.programs import cmake_lists, declarations, downloads, sources

BUILD = ROOT / "build/ci"


class DownloadError(LockstepError):
    """A download that is not what it should be; the text says how."""


def environment() -> dict[str, str]:
    """With the NCCL of .cuda, if there is one, where the compiler looks by itself."""
    known = dict(os.environ)
    for nccl in ROOT.glob(".cuda/nccl"):
        for name, folder in (("CPATH", "include"), ("LIBRARY_PATH", "lib")):
            known[name] = os.pathsep.join(filter(None, [known.get(name), str(nccl / folder)]))
    return known


def compile_one(folder: str, command: str) -> None:
    """Compiles a download as its page says."""
    run = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, shell=True)
    if run.returncode != 0:
        raise DownloadError(f"$ {command}\n{run.stderr}{run.stdout}")


def words(source: Path, *options: str) -> list[str]:
    """What the compiler reads of a source, all headers included; the places in files, which must differ, left out."""
    places = ["-D__FILE__=0", "-D__LINE__=0", "-Xcompiler=-P,-Wno-builtin-macro-redefined"]
    command = ["nvcc", "-E", *places, *options, source.name]
    run = subprocess.run(command, cwd=source.parent, env=environment(), capture_output=True, text=True)
    if run.returncode != 0:
        raise DownloadError(run.stderr)
    return run.stdout.split()


def compare_one(download: Path, original: Path, options: Sequence[str] = ()) -> None:
    """Compares what the compiler reads of a download and of the program that it was made of."""
    pairs = zip_longest(words(download, *options), words(original, *options, "-I", str(ROOT / sources.INCLUDE)))
    if differing := next(((ours, theirs) for ours, theirs in pairs if ours != theirs), None):
        raise DownloadError(f"{download.name} reads {differing[0]} where the program has {differing[1]}")


def link_one(folder: str, program: declarations.Program) -> None:
    """Links what the build compiled, with the libraries that the download's line names."""
    if libraries := downloads.links(program):
        compile_one(folder, " ".join(["nvcc", str(built(program)), "-o", program.name, *libraries]))


def built(program: declarations.Program) -> Path:
    """What the build compiles a program to."""
    folder = BUILD / program.directory.relative_to(ROOT) / "CMakeFiles" / f"{program.name}.dir"
    return folder / f"{program.source.name}.o"


def comparable(program: declarations.Program) -> bool:
    """Whether the build compiles the same file, with the options of the download's line."""
    own = program.sources or program.options or program.separable or program.archs or program.arch_specific
    return not own and built(program).exists()


def check_one(program: declarations.Program, everything: bool) -> str:
    """What is wrong with a program's download, and with its starter if it has one; else nothing."""
    mains = [program.source.name, *([downloads.starter(program)] if program.exercise else [])]
    with tempfile.TemporaryDirectory() as folder:
        original = Path(folder) / "original"
        original.mkdir()
        for place, texts in ((Path(folder), downloads.files(program)), (original, downloads.originals(program))):
            for name, text in texts.items():
                (place / name).write_text(text, encoding="utf-8")
        try:
            if everything or not comparable(program):
                for name in mains:
                    compile_one(folder, downloads.build_command(program, name))
            else:
                for name in mains:
                    compare_one(Path(folder) / name, original / name, downloads.options(program))
                link_one(folder, program)
        except DownloadError as error:
            return f"{program.path}: {error}"
    return ""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="downloads", description=__doc__.split("\n")[0])
    parser.add_argument("--all", action="store_true", help="compile every one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    options = parser.parse_args(argv)
    declared = cmake_lists.programs(ROOT)
    wanted = [declarations.find(declared, name) for name in options.programs] or list(declared.values())
    wanted = [program for program in wanted if not program.must_not_compile]
    with ThreadPoolExecutor(options.jobs) as pool:
        failures = [text for text in pool.map(lambda program: check_one(program, options.all), wanted) if text]
    print("\n".join(failures) or f"{len(wanted)} downloads compile")
    return 1 if failures else 0
