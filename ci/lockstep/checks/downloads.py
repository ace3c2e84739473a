"""Makes sure that single-file downloads compile as a reader would compile them: plain nvcc in an empty folder.

    python3 ci program downloads [--all] [--jobs N] [PROGRAM ...]

A download is its program's own text after the headers, so a sample of thirty stands for all: together they need every option
and library that any needs, and come from all parts. --all compiles each. A file bears the name that a browser gives it
when it is downloaded again. What passed is kept by its content (lockstep.cache), and not compiled another time.
"""

import argparse
import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lockstep import cache
from lockstep.content import content, digest
from lockstep.files import ROOT
from lockstep.programs import cmake_lists, declarations, downloads
from lockstep.programs.declarations import Program
from lockstep.setup import toolkit

SAMPLE = 30


def traits(program: Program) -> set[str]:
    """What tells the builds of downloads apart: options, libraries, further files, and the part of the site."""
    further = ["an exercise"] if program.exercise else []
    further += [Path(name).suffix for name in program.sources]
    part = program.folder.partition("/")[0]
    return {*downloads.options(program), *downloads.links(program), *further, program.newer_toolkit, part}


def sample(programs: Iterable[Program]) -> list[Program]:
    """Thirty programs, the same each time: next is always the one with the most traits that none before it had."""
    left = sorted(programs, key=lambda program: digest([program.path]))
    chosen: list[Program] = []
    seen: set[str] = set()
    while left and len(chosen) < SAMPLE:
        best = max(left, key=lambda program: len(traits(program) - seen))
        if traits(best) <= seen:
            seen = set()  # all are covered; begin again with the others
            continue
        left.remove(best)
        chosen.append(best)
        seen |= traits(best)
    return chosen


def environment(nvcc: Path | None = None) -> dict[str, str]:
    """With the NCCL of .cuda, if there is one, where the compiler looks by itself; `nvcc` is the one to call, if not the usual."""
    known = dict(os.environ)
    if nvcc:
        known["PATH"] = f"{nvcc.parent}{os.pathsep}{known.get('PATH', '')}"
    for nccl in ROOT.glob(".cuda/nccl"):
        for name, folder in (("CPATH", "include"), ("LIBRARY_PATH", "lib")):
            known[name] = os.pathsep.join(filter(None, [known.get(name), str(nccl / folder)]))
    return known


def compiled(texts: dict[str, str], source: str, command: str, nvcc: Path | None = None) -> str:
    """What goes wrong when a download is compiled in an empty folder; a warning is wrong, too.

    :param source: the file that the command names
    """
    again = f"{Path(source).stem} (1){Path(source).suffix}"
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            path = Path(folder) / (again if name == source else name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        renamed = command.replace(source, shlex.quote(again), 1)
        run = subprocess.run(
            renamed, cwd=folder, env=environment(nvcc), capture_output=True, text=True, encoding="utf-8", shell=True
        )
    said = run.stderr + run.stdout
    return f"$ {renamed}\n{said}" if run.returncode != 0 or "warning" in said else ""


def check(program: Program) -> str:
    """What is wrong with a program's download, and with its starter if it has one; else nothing."""
    nvcc = None
    if program.newer_toolkit:
        nvcc = toolkit.newer(ROOT, os.environ, program.newer_toolkit)
        if not nvcc:
            return f"{program.path}: needs the CUDA toolkit {program.newer_toolkit}; run: python3 ci setup toolkit cuda-newer"
    texts = downloads.files(program)
    sources = [program.source.name, *([downloads.starter(program)] if program.exercise else [])]
    commands = [downloads.build_command(program, source) for source in sources]
    tools = cache.versions(str(nvcc or "nvcc"), "g++", "mpicxx")
    own = content(ROOT, ["ci/lockstep/checks/downloads.py", "ci/requirements-nccl.txt"])
    key = digest([tools, own, *commands, *(part for file in texts.items() for part in file)])
    if cache.get("downloads", key) is not None:
        return ""
    for source, command in zip(sources, commands, strict=True):
        if found := compiled(texts, source, command, nvcc):
            return f"{program.path}: {found}"
    cache.put("downloads", key)
    return ""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="program downloads", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--all", action="store_true", help="compile each, and not a sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    options = parser.parse_args(argv)
    declared = cmake_lists.programs(ROOT)
    offered = [program for program in declared.values() if not program.must_not_compile]
    wanted = [declarations.find(declared, name) for name in options.programs]
    wanted = wanted or (offered if options.all else sample(offered))
    with ThreadPoolExecutor(options.jobs) as pool:
        failures = [text for text in pool.map(check, wanted) if text]
    print("\n".join(failures) or f"{len(wanted)} of {len(offered)} downloads were compiled, and compile")
    return 1 if failures else 0
