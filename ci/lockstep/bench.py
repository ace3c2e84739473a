"""Measures build times at the size that the site is to reach, in a copy of the project.

    python3 ci bench [--programs N] [--pages N] [--site-only]

Copies of the real programs and pages stand in for those to come. The compiler cache is a new one.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lockstep.files import ROOT
from lockstep.programs import cmake_lists

IGNORED = shutil.ignore_patterns("build", ".venv", ".cuda", ".git", "__pycache__")
SHOWN = re.compile(r"^(\.\. (?:program-card|listing|transcript)::) (\S+)", re.M)


def copy_project(target: Path) -> Path:
    shutil.copytree(ROOT, target, ignore=IGNORED)
    (target / ".venv").symlink_to(ROOT / ".venv")
    return target


def multiply_programs(root: Path, count: int) -> Path:
    """Adds copies of the programs that need nothing special until there are `count`; returns the first copy."""
    declared = cmake_lists.programs(root)
    plain = [p for p in declared.values() if not (p.must_not_compile or p.sources or p.libs or p.archs or p.options)]
    folder = root / "programs/bench"
    folder.mkdir()
    lines = []
    for number in range(count - len(declared)):
        program = plain[number % len(plain)]
        name = f"bench_{number}"
        text = program.source.read_text(encoding="utf-8")
        # A file of its own content, as the compiler cache sees it.
        (folder / f"{name}.cu").write_text(f"{text}\nstatic_assert({number} >= 0);\n", encoding="utf-8")
        lines.append(f"lockstep_program({name}{f' MIN_CC {program.min_cc}' if program.min_cc else ''})\n")
    (folder / "CMakeLists.txt").write_text("".join(lines), encoding="utf-8")
    with (root / "programs/CMakeLists.txt").open("a", encoding="utf-8") as listing:
        listing.write("add_subdirectory(bench)\n")
    return folder / "bench_0.cu"


def multiply_pages(root: Path, count: int) -> Path:
    """Adds copies of the pages that show programs until there are `count`; returns the first copy."""
    pages = [p for p in sorted((root / "docs").rglob("*.rst")) if SHOWN.search(p.read_text(encoding="utf-8"))]
    have = len(list((root / "docs").rglob("*.rst")))
    if not pages:
        sys.exit("bench: no page shows a program yet")
    names = []
    for number in range(count - have):
        page = pages[number % len(pages)]
        copy = page.with_name(f"{page.stem}_bench_{number}.rst")
        text = re.sub(r"^\.\. _[\w-]+:$", "", page.read_text(encoding="utf-8"), flags=re.M)
        text = re.sub(r"^\.\. toctree::\n(?:   .*\n|\n)*", "", text, flags=re.M)
        copy.write_text(f":orphan:\n\n{text}", encoding="utf-8")
        claims = page.with_suffix(".claims")
        if claims.exists():
            shutil.copy(claims, copy.with_suffix(".claims"))
        names.append(copy)
    return names[0] if names else pages[0]


def timed(what: str, target: float | None, command: list[str], root: Path, env: dict[str, str]) -> None:
    began = time.monotonic()
    run = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True)
    seconds = time.monotonic() - began
    if run.returncode != 0:
        sys.exit(f"bench: {what} failed\n{run.stdout[-3000:]}{run.stderr[-3000:]}")
    goal = f"   at most {target:g} s: {'yes' if seconds <= target else 'NO'}" if target else ""
    print(f"{what:48} {seconds:7.2f} s{goal}", flush=True)


def edit(path: Path, comment: str) -> None:
    """Adds a line that changes what a tool sees of a file."""
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{comment}\n")


def bench_programs(root: Path, count: int, env: dict[str, str]) -> None:
    program = multiply_programs(root, count)
    configure = ["cmake", "--preset", "hopper", "-G", "Ninja"]
    build = ["cmake", "--build", "--preset", "hopper"]
    timed("configure", None, configure, root, env)
    timed(f"{count} programs, cold", 300, build, root, env)
    timed("nothing to do", 2, build, root, env)
    edit(program, "static_assert(1 + 1 == 2);")
    timed("one program edited", 2, build, root, env)
    shutil.rmtree(root / "build")
    timed("configure again", None, configure, root, env)
    timed(f"{count} programs, warm compiler cache", 30, build, root, env)


def bench_site(root: Path, count: int, env: dict[str, str]) -> None:
    page = multiply_pages(root, count)
    cmake_lists.update(root)
    env = env | {"PYTHONPATH": f"{root}/ci:{root}/docs/_ext"}
    subprocess.run(["ci/doxygen.sh"], cwd=root, check=True)
    sphinx = [".venv/bin/python", "-m", "sphinx", "-q", "-b", "html", "-j", "auto", "-c", ".", "docs", "build/html"]
    index = [".venv/bin/python", "-m", "pagefind", "--site", "build/html", "--silent"]
    timed(f"{count} pages, cold", 10, sphinx, root, env)
    timed("search index", None, index, root, env)
    edit(page, "One more sentence.")
    timed("one page edited", 1.5, sphinx, root, env)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=int, default=250)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--site-only", action="store_true", help="leave the programs out")
    options = parser.parse_args(argv)
    print(f"{os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as scratch:
        env = {**os.environ, "CCACHE_DIR": f"{scratch}/ccache"}
        bench_site(copy_project(Path(scratch) / "site"), options.pages, env)
        if not options.site_only:
            bench_programs(copy_project(Path(scratch) / "programs"), options.programs, env)
    print("emulator, on one core", flush=True)
    subprocess.run([sys.executable, ROOT / "ci", "emulate", "rate"], check=True)
    return 0
