"""Runs every check that needs no GPU, and says at the end which failed.

    python3 ci check [--all] [--list] [STEP ...]      names of steps, as printed; none means all

All programs are compiled for three architectures, and samples of downloads and of the pages of programs are looked at, the
same in each run; with --all, every major architecture and every one of them. What passed before is kept by its content
(lockstep.cache), which --all does not look up.

Exit status: 0 all passed, 1 a check failed, 2 bad arguments.
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass

from lockstep import cache
from lockstep.content import content, digest
from lockstep.files import ROOT
from lockstep.setup import toolkit

PYTHON = str(ROOT / ".venv/bin/python")
SITE = "build/check-html"  # apart from build/html, so that a strict build leaves the reader's alone
CI_BUILD = "build/ci"
JOBS = str(os.cpu_count() or 1)

# What the tests of the tools read; ci/tests/conftest.py fails one that opens another of the project's files.
TOOLS = (
    ".github", "ci", "docs/_ext", "docs/_static", "docs/_templates", "docs/Doxyfile", "docs/Doxyfile.programs", "conf.py",
    "pyproject.toml", "Makefile", "CMakeLists.txt", "CMakePresets.json", "programs/CMakeLists.txt", "programs/emulator",
    "programs/include",
    *(f"programs/{path.name}" for path in sorted((ROOT / "programs").glob("*.cmake"))),
)  # fmt: skip
RUN_BY_TOOLS = ("nvcc", "g++", "clang++-22", "wasm-opt", "cmake", "ninja", "doxygen", "java", "chromium", PYTHON)


@dataclass(frozen=True)
class Step:
    """One check: commands that must all succeed, and what to say if one does not."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    fix: str
    after: str = ""  # a step without which this one has nothing to look at
    reads: tuple[str, ...] = ()  # the files and folders that decide how it ends; none: it is run each time


def files(*suffixes: str) -> tuple[str, ...]:
    """The project's own files with these suffixes."""
    kept = []
    for folder in ("programs", "ci", "docs"):
        kept += [str(p.relative_to(ROOT)) for p in sorted((ROOT / folder).rglob("*")) if p.suffix in suffixes]
    return tuple(kept)


def tool(name: str, *arguments: str) -> tuple[str, ...]:
    return (str(ROOT / ".venv/bin" / name), *arguments)


def lockstep(*arguments: str) -> tuple[str, ...]:
    """A command of these tools."""
    return (PYTHON, "ci", *arguments)


def steps(everything: bool = False) -> list[Step]:
    """All checks, the quick ones first; of everything, or of what an ordinary run looks at."""
    build = (
        ("cmake", "--preset", "ci", "-G", "Ninja", f"-DLOCKSTEP_ALL_MAJOR={'ON' if everything else 'OFF'}"),
        ("cmake", "--build", "--preset", "ci"),
    )
    every = ("--all",) if everything else ()
    pytest = (PYTHON, "-m", "pytest", "-q")
    return [
        Step(
            "format",
            (
                tool("clang-format", "--dry-run", "--Werror", *files(".cu", ".h", ".hpp", ".cuh", ".cpp")),
                tool("ruff", "format", "--check", "--quiet", "."),
            ),
            "make format",
        ),
        Step(
            "lint",
            (
                tool("ruff", "check", "--quiet", "."),
                tool("mypy"),
                lockstep("source", "includes"),
                lockstep("site", "doxygen", "docs/Doxyfile.programs"),  # compares each @param with what is declared
            ),
            "make format and python3 ci source includes --fix fix some of it",
        ),
        Step(
            "prose",
            (
                tool(
                    "sphinx-lint",
                    "--enable=all",
                    "--disable=default-role,line-too-long",
                    "--ignore",
                    "docs/_ext",
                    "docs",
                ),
                tool("codespell", *TEXT),
                lockstep("source", "language"),
            ),
            "fix the words, or list a rightful one in pyproject.toml",
        ),
        Step("inventory", (lockstep("source", "inventory"),), "declare what it names, or remove it"),
        Step(
            "tools",
            ((*pytest, "-m", "not content", "-n", JOBS, "--dist", "loadfile"),),
            "fix the tool or its test in ci/tests",
            reads=TOOLS,
        ),
        Step("content", ((*pytest, "-p", "no:xdist", "-m", "content"),), "fix what the test names"),
        Step("stale", (lockstep("record", "stale"),), "make record, on a machine with the GPU"),
        Step(
            "claims",
            (lockstep("source", "claims"), lockstep("source", "calculators")),
            "fix the page or its .claims file, or the calculator",
        ),
        Step("configure", build[:1], "fix the CMake lists"),
        Step(
            "options",
            (lockstep("record", "options", "--build", CI_BUILD),),
            "take the option back, or make record, on a machine with the GPU",
            "configure",
        ),
        Step("compile", build[1:], "fix the program named above", "configure"),
        Step(
            "exits",
            (
                lockstep("program", "exits", "--build", CI_BUILD),
                ("ctest", "--test-dir", CI_BUILD, "-LE", "gpu|exits", "--no-tests=error", "--output-on-failure"),
            ),
            "a program without a GPU exits 77, with a bad argument 2, each with one clear line",
            "compile",
        ),
        Step(
            "downloads",
            (lockstep("program", "downloads", *every),),
            "the single file must compile with plain nvcc",
        ),
        Step(
            "emulate",
            (lockstep("emulate", "check"), lockstep("emulate", "web")),
            "fix the program, or declare what it is in its CMake list (NO_EMULATION, EMULATOR_FINDS)",
        ),
        Step(
            "site",
            (lockstep("site", "pages", "--strict", SITE),),
            "fix the page named above",
        ),
        Step(
            "listings",
            (lockstep("site", "listings", SITE),),
            "fix the directive on the page",
            "site",
        ),
        Step(
            "links",
            (lockstep("site", "links", SITE), lockstep("site", "guide-map", SITE)),
            "fix the link, or what docs/reference/guide_map says",
            "site",
        ),
        Step("frames", (lockstep("site", "frames", SITE),), "fix the template, or the page named", "site"),
        Step("validity", (lockstep("site", "validity", SITE),), "fix the template or directive", "site"),
        Step(
            "search",
            (lockstep("site", "search", SITE),),
            "help the search, or correct ci/tests/site/questions",
            "site",
        ),
        Step(
            "takeaway",
            (lockstep("takeaway", "check", *every, SITE),),
            "fix the page named above, or ci/lockstep/takeaway",
            "site",
        ),
        Step(
            "browser",
            (lockstep("site", "browser", *every, SITE),),
            "fix what the page shows",
            "site",
        ),
    ]


TEXT = ("docs", "programs", "ci", "README.md", "CONTRIBUTING.md", "Makefile", "conf.py")


def find_toolkit() -> bool:
    """Whether nvcc is there; puts it on the path."""
    os.environ.update(toolkit.with_toolkit(ROOT, os.environ))
    return toolkit.usable(ROOT, os.environ) is not None


def key(step: Step) -> str:
    """A digest of all that decides how a step ends; empty if it is run each time."""
    if not step.reads:
        return ""
    return digest([repr(step.commands), cache.versions(*RUN_BY_TOOLS), content(ROOT, step.reads)])


def cpu() -> float:
    """Processor seconds that finished commands took, of their own and of the system's for them."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(step: Step, title: str) -> bool:
    """Runs a step's commands, all of them, showing what they print."""
    began, used = time.monotonic(), cpu()
    print(f"\n== {title}", flush=True)
    passed = True
    for command in step.commands:
        passed = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL).returncode == 0 and passed
    result = "passed" if passed else f"FAILED; to fix it: {step.fix}"
    times = f"{time.monotonic() - began:.1f} s, {cpu() - used:.1f} s of processor time"
    print(f"-- {step.name}: {result} ({times})", flush=True)
    return passed


def check(chosen: list[Step], remember: bool = False) -> list[str]:
    """Runs the steps and returns the names of those that failed, or could not run since another had.

    :param remember: leaves out steps that passed before with all that they read as it is now
    """
    failed: list[str] = []
    for number, step in enumerate(chosen, 1):
        title = f"[{number}/{len(chosen)}] {step.name}"
        now = key(step) if remember else ""
        if step.after in failed:
            print(f"\n== {title}\n-- {step.name}: FAILED, not run because {step.after} failed", flush=True)
            failed.append(step.name)
        elif now and cache.get("steps", now) is not None:
            print(f"\n== {title}\n-- {step.name}: passed before with all that it reads as it is now", flush=True)
        elif not run(step, title):
            failed.append(step.name)
        elif now:
            cache.put("steps", now)
    return failed


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="check", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--list", action="store_true", help="list the steps and their commands")
    parser.add_argument("--all", action="store_true", help="look at everything, whatever has passed before")
    parser.add_argument("steps", nargs="*", metavar="STEP")
    options = parser.parse_args(argv)
    names = [step.name for step in steps()]
    if unknown := [name for name in options.steps if name not in names]:
        parser.error(f"unknown step {unknown[0]}; the steps are {', '.join(names)}")
    if options.list:
        for step in steps():
            if step.name in (options.steps or names):
                shown = (" ".join([*command[:6], "..."] if len(command) > 7 else command) for command in step.commands)
                print(f"{step.name:10} {'; '.join(shown)}")
        return 0
    if not find_toolkit():
        print("check: nvcc is missing; install the CUDA toolkit 13, or run `make toolkit`", file=sys.stderr)
        return 1
    if options.all:
        os.environ["LOCKSTEP_CACHE"] = "no"
    chosen = [step for step in steps(options.all) if step.name in (options.steps or names)]
    began, used = time.monotonic(), cpu()
    failed = check(chosen, remember=not options.steps)
    print(
        f"\nafter {time.monotonic() - began:.0f} s, {cpu() - used:.0f} s of processor time"
        + "".join(f"\n  {name}: failed" for name in failed)
    )
    print(f"check: {len(chosen) - len(failed)} passed, {len(failed)} failed")
    if not options.steps:
        summary = ROOT / CI_BUILD / "summary.txt"
        print(summary.read_text(encoding="utf-8").rstrip() if summary.exists() else "programs: none configured")
    return 1 if failed else 0
