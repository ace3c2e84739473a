"""Runs every check that needs no GPU, and says at the end which failed.

    python3 ci check [--all | --quick] [--list] [STEP ...]      names of steps, as printed; none means all

What has changed since the last complete run is checked completely, all else in short: fewer architectures, no download,
no page in the browser. --all checks everything completely; what passes is noted in ci/complete_run.json, as are the complete
builds and the opened pages of each run and each download that is compiled. --quick takes nothing for changed. A step that
reads only what it read when it last passed is not run another time, unless it is named or --all is given.

Exit status: 0 all passed, 1 a check failed, 2 bad arguments.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from lockstep import changes
from lockstep import files as texts
from lockstep.changes import Plan
from lockstep.content import content, digest
from lockstep.files import ROOT
from lockstep.programs import cmake_lists
from lockstep.programs.declarations import Program
from lockstep.setup import toolkit
from lockstep.site.links import pages

PYTHON = str(ROOT / ".venv/bin/python")
SITE = "build/check-html"  # apart from build/html, so that a strict build leaves the reader's alone
CI_BUILD = "build/ci"
JOBS = str(os.cpu_count() or 1)


PASSED = ROOT / "build/check/passed.json"  # steps by the key of what they read when they passed
TIMES = ROOT / "build/check/times.json"  # of the last run
NO_PLAN = Plan(True, "", (), (), 0)

SOURCES = ("programs", "ci", "docs/_ext", "pyproject.toml")
TOOLS = (
    "ci", "docs/_ext", "docs/_static", "docs/_templates", "docs/Doxyfile", "docs/Doxyfile.programs", "conf.py", "pyproject.toml", "Makefile",
    "CMakeLists.txt", "CMakePresets.json", "programs/emulator", "programs/include", "programs/download_headers",
)  # fmt: skip
WEB = "build/wasm"
READ_OF_SITE = (SITE, "ci/lockstep")


@dataclass(frozen=True)
class Step:
    """One check: commands that must all succeed, and what to say if one does not."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    fix: str
    after: str = ""  # a step without which this one has nothing to look at
    reads: tuple[str, ...] = ()  # the files and folders that decide how it ends; none: it is run each time
    makes: str = ""  # a file that it leaves for others
    unknown: str = ""  # what has not been checked before, where there are no commands that do


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


def steps(plan: Plan = NO_PLAN) -> list[Step]:
    """All checks, the quick ones first."""
    build = (
        ("cmake", "--preset", "ci", "-G", "Ninja", f"-DLOCKSTEP_COMPLETE_BUILDS={complete_builds(plan)}"),
        ("cmake", "--build", "--preset", "ci"),
    )
    again = ("--again",) if plan.everything else ()
    pytest = (PYTHON, "-m", "pytest", "-q")
    return [
        Step(
            "format",
            (
                tool("clang-format", "--dry-run", "--Werror", *files(".cu", ".h", ".hpp", ".cuh", ".cpp")),
                tool("ruff", "format", "--check", "--quiet", "."),
            ),
            "make format",
            reads=(*SOURCES, ".clang-format"),
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
            reads=(*SOURCES, "conf.py", "docs/Doxyfile", "docs/Doxyfile.programs"),
        ),
        Step(
            "prose",
            (
                tool("sphinx-lint", "--enable=all", "--disable=default-role,line-too-long", "docs"),
                tool("codespell", *TEXT),
                lockstep("source", "language"),
            ),
            "fix the words, or list a rightful one in pyproject.toml",
            reads=(*TEXT, "pyproject.toml", "Makefile", "CMakeLists.txt"),
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
                lockstep("program", "exits", "--build", CI_BUILD, *again),
                ("ctest", "--test-dir", CI_BUILD, "-LE", "gpu|exits", "--no-tests=error", "--output-on-failure"),
            ),
            "a program without a GPU exits 77, with a bad argument 2, each with one clear line",
            "compile",
        ),
        Step(
            "downloads",
            downloads(plan),
            "the single file must compile with plain nvcc",
            "compile",
            unknown=f"of {plan.unknown} downloads it is not known whether they compile" if plan.unknown else "",
        ),
        Step(
            "emulate",
            (lockstep("emulate", "check", *again), lockstep("emulate", "web")),
            "fix the program, or declare what it is in its CMake list (NO_EMULATION, EMULATOR_FINDS)",
        ),
        Step(
            "site",
            (lockstep("site", "pages", "--strict", SITE),),
            "fix the page named above",
            reads=("docs", "programs", "ci/lockstep", "conf.py", WEB),
            makes=f"{SITE}.doctrees/finished",
        ),
        Step(
            "listings",
            (lockstep("site", "listings", SITE),),
            "fix the directive on the page",
            "site",
            (*READ_OF_SITE, "docs", "programs"),
        ),
        Step(
            "links",
            (lockstep("site", "links", SITE), lockstep("site", "guide-map", SITE)),
            "fix the link, or what docs/reference/guide_map says",
            "site",
            (*READ_OF_SITE, "docs/reference/guide_map", "programs"),
        ),
        Step(
            "frames", (lockstep("site", "frames", SITE),), "fix the template, or the page named", "site", READ_OF_SITE
        ),
        Step(
            "validity",
            (lockstep("site", "validity", *again, SITE),),
            "fix the template or directive",
            "site",
            READ_OF_SITE,
        ),
        Step(
            "search",
            (lockstep("site", "search", SITE),),
            "help the search, or correct ci/tests/site/questions.toml",
            "site",
            (*READ_OF_SITE, "docs/_static", "ci/tests/site/questions.toml"),
        ),
        Step(
            "takeaway",
            (lockstep("takeaway", "check", *(("--all",) if plan.everything else ()), SITE),),
            "fix the page named above, or ci/lockstep/takeaway",
            "site",
            (*READ_OF_SITE, "docs/_static", WEB),
        ),
        Step(
            "browser",
            (lockstep("site", "browser", SITE, *(() if plan.everything else ("--changed",))),),
            "fix what the page shows",
            "site",
            (*READ_OF_SITE, "docs/_static", WEB, str(changes.LEDGER)),
        ),
    ]


def complete_builds(plan: Plan) -> str:
    """The programs to build for every major architecture, as CMake takes them."""
    return "all" if plan.everything else ";".join(plan.programs) or "none"


def downloads(plan: Plan) -> tuple[tuple[str, ...], ...]:
    """The commands that check the downloads of a plan."""
    if plan.everything:
        return (lockstep("program", "downloads", "--all"),)
    return (lockstep("program", "downloads", "--all", *plan.downloads),) if plan.downloads else ()


TEXT = ("docs", "programs", "ci", "README.md", "CONTRIBUTING.md", "Makefile", "conf.py")


def find_toolkit() -> bool:
    """Whether nvcc is there; puts it on the path."""
    os.environ.update(toolkit.with_toolkit(ROOT, os.environ))
    return toolkit.usable(ROOT, os.environ) is not None


def key(step: Step) -> str:
    """What decides how a step ends: its commands, what it reads, the tools; empty if it is run each time."""
    if not step.reads:
        return ""
    commands = json.dumps([command[:12] for command in step.commands])
    lists = [str(p.relative_to(ROOT)) for p in (ROOT / "programs").glob("*.cmake")]
    return digest([commands, changes.toolkit(), content(ROOT, (*step.reads, *lists, "ci/requirements.txt"))])


def passed_before() -> dict[str, str]:
    """The keys of the steps when they last passed."""
    try:
        found = json.loads(PASSED.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def note_passed(name: str, now: str) -> None:
    """Remembers that a step passed, or with no key that it did not."""
    known = passed_before() | {name: now}
    PASSED.parent.mkdir(parents=True, exist_ok=True)
    texts.write(PASSED, json.dumps({n: k for n, k in known.items() if k}, indent=1, sort_keys=True) + "\n")


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
    if not step.commands and step.unknown:
        result = f"not checked: {step.unknown}; make check ALL=1 checks all"
    elif not step.commands:
        result = "passed: nothing that it looks at has changed since it last passed"
    times = f"{time.monotonic() - began:.1f} s, {cpu() - used:.1f} s of processor time"
    print(f"-- {step.name}: {result} ({times})", flush=True)
    return passed


def check(chosen: list[Step], remember: bool = False) -> list[str]:
    """Runs the steps and returns the names of those that failed, or could not run since another had.

    :param remember: leaves out steps that read only what they read when they last passed
    """
    failed: list[str] = []
    times: dict[str, list[float]] = {}
    before = passed_before() if remember else {}
    for number, step in enumerate(chosen, 1):
        title = f"[{number}/{len(chosen)}] {step.name}"
        began, used = time.monotonic(), cpu()
        if step.after in failed:
            print(f"\n== {title}\n-- {step.name}: FAILED, not run because {step.after} failed", flush=True)
            failed.append(step.name)
            continue
        now = key(step) if remember else ""
        if now and before.get(step.name) == now and (ROOT / step.makes).exists():
            print(f"\n== {title}\n-- {step.name}: passed: unchanged since {now}", flush=True)
        else:
            note_passed(step.name, "")
            if run(step, title):
                note_passed(step.name, now)
            else:
                failed.append(step.name)
        times[step.name] = [round(time.monotonic() - began, 2), round(cpu() - used, 2)]
    if remember:
        texts.write(TIMES, json.dumps(times, indent=1) + "\n")
    return failed


def page_names(site: Path) -> list[str]:
    """The pages of a built site."""
    return [str(page.relative_to(site)) for page in pages(site)]


def declared() -> dict[str, Program]:
    """All declared programs."""
    return cmake_lists.programs(ROOT)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="check", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--list", action="store_true", help="list the steps and their commands")
    much = parser.add_mutually_exclusive_group()
    much.add_argument("--all", action="store_true", help="check everything completely, whatever has passed before")
    much.add_argument("--quick", action="store_true", help="take nothing for changed")
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
    plan = changes.plan(ROOT, declared, everything=options.all, quick=options.quick)
    chosen = [step for step in steps(plan) if step.name in (options.steps or names)]
    if options.quick:
        chosen = [step for step in chosen if step.commands]  # the report counts what is left out
    PASSED.parent.mkdir(parents=True, exist_ok=True)
    if plan.everything:
        PASSED.unlink(missing_ok=True)
    began, used = time.monotonic(), cpu()
    failed = check(chosen, remember=not options.steps)
    print(
        f"\nafter {time.monotonic() - began:.0f} s, {cpu() - used:.0f} s of processor time"
        + "".join(f"\n  {name}: failed" for name in failed)
    )
    if not options.steps:
        names = page_names(ROOT / SITE)
        opened = changes.opened_pages(ROOT / SITE, ROOT, names) if not plan.everything else names
        print(plan.report(len(names) - len(opened)))
    passed = [step.name for step in chosen if step.name in changes.NOTED and step.name not in failed]
    if plan.everything and passed:
        ledger = changes.note(
            ROOT, declared().values(), ROOT / SITE, page_names(ROOT / SITE), date.today(), passed,
            everything=not failed and not options.steps,
        )  # fmt: skip
        print(f"{changes.LEDGER} says so now; commit it: {ledger}")
    elif not options.quick:
        if "compile" in passed:
            programs = declared()
            changes.note_builds(ROOT, [programs[name] for name in plan.programs])
        if "browser" in passed:
            changes.note_pages(ROOT, ROOT / SITE, page_names(ROOT / SITE))
    unchecked = [step.name for step in chosen if not step.commands and step.unknown and step.name not in failed]
    without = f"{len(unchecked)} not checked, " if unchecked else ""
    print(f"check: {len(chosen) - len(failed) - len(unchecked)} passed, {without}{len(failed)} failed")
    if not options.steps:
        summary = ROOT / CI_BUILD / "summary.txt"
        print(summary.read_text(encoding="utf-8").rstrip() if summary.exists() else "programs: none configured")
    return 1 if failed else 0
