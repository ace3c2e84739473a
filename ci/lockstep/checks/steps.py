"""Runs every check that needs no GPU, all of them, and says at the end which failed.

    python3 ci check [--list] [STEP ...]      names of steps, as printed; none means all

Exit status: 0 all passed, 1 a check failed, 2 bad arguments.
"""

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass

from lockstep.files import ROOT
from lockstep.setup import toolkit

PYTHON = str(ROOT / ".venv/bin/python")
SITE = "build/check-html"  # apart from build/html, so that a strict build leaves the reader's alone
CI_BUILD = "build/ci"
JOBS = str(os.cpu_count() or 1)


@dataclass(frozen=True)
class Step:
    """One check: commands that must all succeed, and what to say if one does not."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    fix: str
    after: str = ""  # a step without which this one has nothing to look at


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


def steps() -> list[Step]:
    """All checks, the quick ones first."""
    return [
        Step(
            "format",
            (
                tool("clang-format", "--dry-run", "--Werror", *files(".cu", ".hpp", ".cuh", ".cpp")),
                tool("ruff", "format", "--check", "--quiet", "."),
            ),
            "make format",
        ),
        Step("lint", (tool("ruff", "check", "--quiet", "."),), "make format fixes some of it"),
        Step(
            "prose",
            (
                tool("sphinx-lint", "--enable=all", "--disable=default-role,line-too-long", "docs"),
                tool("codespell", *TEXT),
            ),
            "fix the words, or list a rightful one in pyproject.toml",
        ),
        Step("inventory", (lockstep("inventory"),), "declare what it names, or remove it"),
        Step(
            "tools",
            ((PYTHON, "-m", "pytest", "-q", "-n", JOBS, "--dist", "loadfile"),),
            "fix the tool or its test in ci/tests",
        ),
        Step("fresh", (lockstep("fresh"),), "make record, on a machine with the GPU"),
        Step("claims", (lockstep("claims"),), "fix the page or its .claims file"),
        Step("configure", (("cmake", "--preset", "ci", "-G", "Ninja"),), "fix the CMake lists"),
        Step(
            "options",
            (lockstep("options", "--build", CI_BUILD),),
            "take the option back, or make record, on a machine with the GPU",
            "configure",
        ),
        Step("compile", (("cmake", "--build", "--preset", "ci"),), "fix the program named above", "configure"),
        Step(
            "contract",
            (("ctest", "--test-dir", CI_BUILD, "-LE", "gpu", "--no-tests=error", "--output-on-failure", "-j", JOBS),),
            "a program without a GPU exits 77, with a bad argument 2, each with one clear line",
            "compile",
        ),
        Step("downloads", (lockstep("downloads"),), "the single file must compile with plain nvcc", "compile"),
        Step(
            "emulate",
            (lockstep("emulate", "check"), lockstep("emulate", "web")),
            "fix the program, or declare what it is in its CMake list (NO_EMULATION, EMULATOR_FINDS)",
        ),
        Step("site", (("ci/site.sh", "--strict", SITE),), "fix the page named above"),
        Step("listings", (lockstep("listings", SITE),), "fix the directive on the page", "site"),
        Step("links", (lockstep("links", SITE),), "fix the link", "site"),
        Step("validity", (lockstep("validity", SITE),), "fix the template or directive", "site"),
        Step("browser", (lockstep("browser", SITE),), "fix what the page shows", "site"),
    ]


TEXT = ("docs", "programs", "ci", "README.md", "CONTRIBUTING.md", "Makefile", "conf.py")


def find_toolkit() -> bool:
    """Whether nvcc is there; puts it on the path."""
    os.environ.update(toolkit.with_toolkit(ROOT, os.environ))
    return toolkit.usable(ROOT, os.environ) is not None


def run(step: Step, title: str) -> bool:
    """Runs a step's commands, all of them, showing what they print."""
    began = time.monotonic()
    print(f"\n== {title}", flush=True)
    passed = True
    for command in step.commands:
        passed = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL).returncode == 0 and passed
    verdict = "passed" if passed else f"FAILED; to fix it: {step.fix}"
    print(f"-- {step.name}: {verdict} ({time.monotonic() - began:.1f} s)", flush=True)
    return passed


def check(chosen: list[Step]) -> list[str]:
    """Runs the steps and returns the names of those that failed, or could not run since another had."""
    failed: list[str] = []
    for number, step in enumerate(chosen, 1):
        title = f"[{number}/{len(chosen)}] {step.name}"
        if step.after in failed:
            print(f"\n== {title}\n-- {step.name}: FAILED, not run because {step.after} failed", flush=True)
            failed.append(step.name)
        elif not run(step, title):
            failed.append(step.name)
    return failed


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="check", description=__doc__.split("\n")[0])
    parser.add_argument("--list", action="store_true", help="list the steps and their commands")
    parser.add_argument("steps", nargs="*", metavar="STEP")
    options = parser.parse_args(argv)
    known = {step.name: step for step in steps()}
    if unknown := [name for name in options.steps if name not in known]:
        parser.error(f"unknown step {unknown[0]}; the steps are {', '.join(known)}")
    chosen = [known[name] for name in options.steps] or list(known.values())
    if options.list:
        for step in chosen:
            print(f"{step.name:10} {'; '.join(' '.join(command[:6]) for command in step.commands)}")
        return 0
    if not find_toolkit():
        print("check: nvcc is missing; install the CUDA toolkit 13, or run `make toolkit`", file=sys.stderr)
        return 1
    began = time.monotonic()
    failed = check(chosen)
    print(f"\nafter {time.monotonic() - began:.0f} s" + "".join(f"\n  {name}: failed" for name in failed))
    print(f"check: {len(chosen) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0
