"""What the checks cost: each step, cold, again and after one edit, and what they would cost with 800 programs.

    python3 ci bench [--sample N]       measures N programs (default 20), and adds up; minutes
    python3 ci bench --whole            runs `make html` and the checks in a copy of the project, with new caches: hours
    python3 ci bench --site             measures what the pages cost alone: cold, and after an edit of one; minutes

Processor seconds are what counts: they hardly depend on what else the machine does. Elapsed seconds follow from them where
the cores are free. Both are taken as after a complete run with nothing changed since (ci/complete_run.json); what a
changed program costs on top is told apart.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from lockstep import changes
from lockstep.checks import exits, steps
from lockstep.errors import LockstepError
from lockstep.exercises import parts
from lockstep.files import ROOT
from lockstep.programs import cmake_lists, declarations, downloads
from lockstep.programs.declarations import Program

MOST = 800  # programs that the site is to hold
GOALS = {"cold": 3.0 * MOST, "again": 300.0, "after an edit": 60.0}  # elapsed seconds on 2 cores
CORES = 2
COLD_HTML = 360.0  # elapsed seconds of `make html` on 2 cores, modules included, downloads of packages not
COLD_PAGES, EDITED_PAGE = 6.0, 1.3  # elapsed seconds on 2 cores: for 100 pages, and after an edit of one of them
HUNDRED = ("foundations", "labs")  # the parts that have about 100 pages, with those of their programs
EDITS = 5  # of which the quickest counts
IGNORED = shutil.ignore_patterns("build", ".venv", ".cuda", ".git", "__pycache__")
SEED = 7  # the sample is the same each time

# What a step's cost grows with; the others cost the same with twice as many programs.
BY_PROGRAM = {"format", "prose", "stale", "configure", "options", "compile", "exits", "downloads", "emulate"}
BY_PAGE = {
    "content",
    "claims",
    "site",
    "listings",
    "links",
    "frames",
    "validity",
    "search",
}  # pages grow as programs do


class BenchError(LockstepError):
    """What could not be measured; the text is the end of what was printed."""


@dataclass(frozen=True)
class Cost:
    """Seconds."""

    elapsed: float
    cpu: float


def measured(command: list[str], root: Path, env: Mapping[str, str], may_fail: bool = False) -> Cost:
    """What a command costs."""
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(
        command, cwd=root, env=env, capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 0 and not may_fail:
        raise BenchError(f"{' '.join(command[:6])} failed:\n{(run.stdout + run.stderr)[-2000:]}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(time.monotonic() - began, used)


def copy_project(target: Path) -> Path:
    """A copy of the project, as a clean clone that has been set up would be."""
    shutil.copytree(ROOT, target, ignore=IGNORED)
    for name in (".venv", ".cuda"):
        if (ROOT / name).exists():
            (target / name).symlink_to((ROOT / name).resolve())
    return target


def edit(path: Path, line: str) -> None:
    """Adds a line that changes what a tool sees of a file."""
    path.write_text(f"{path.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")


# -- a sample ------------------------------------------------------------------------------------------------------------


def bench_sample(root: Path, count: int, env: Mapping[str, str]) -> None:
    """Measures what a program costs, step by step."""
    declared = cmake_lists.programs(root)
    build = root / "build/ci"
    lists = ["cmake", "--preset", "ci", "-G", "Ninja", "-DLOCKSTEP_COMPLETE=OFF"]
    ninja = ["ninja", "-C", str(build), "-j", "1"]
    configure = measured([*lists, "-DLOCKSTEP_COMPLETE_BUILDS=none"], root, env)
    compiled = [one.program for one in exits.listed(build, must_exist=False)]
    sample = random.Random(SEED).sample(compiled, min(count, len(compiled)))
    names = [program.name for program in sample]
    rows: list[tuple[str, float, int]] = []  # what, processor seconds for one, how many there are

    def row(what: str, cost: Cost, done: int, all_of_them: int) -> None:
        rows.append((what, cost.cpu / max(done, 1), all_of_them))
        print(
            f"  {what:44} {cost.cpu / max(done, 1):7.2f} s" + (f"   {all_of_them:4} of them" if all_of_them else ""),
            flush=True,
        )

    print(f"processor seconds for one, from {len(names)} programs", flush=True)
    row("compile for 3 architectures", measured([*ninja, *names], root, env), len(names), len(compiled))
    exercises = [program for program in declared.values() if program.exercise]
    starters = [f"{program.name}.starter" for program in exercises[: max(1, count // 8)]]
    row("compile the starter of an exercise", measured([*ninja, *starters], root, env), len(starters), len(exercises))
    programs = [str(program) for program in sample]
    row(
        "exits",
        measured([*steps.lockstep("program", "exits", *programs)], root, env, True),
        len(names),
        len(compiled),
    )
    emulated = [program for program in declared.values() if declarations.emulated(program)]
    some = [p for p in emulated if not p.exercise]
    few = [p.path for p in random.Random(SEED).sample(some, min(count, len(some)))]
    check = [*steps.lockstep("emulate", "check", "--jobs", "1")]
    web = [*steps.lockstep("emulate", "web", "--jobs", "1")]
    measured([*check, few[0]], root, env, True)  # builds the runtime
    measured([*web, few[0]], root, env, True)
    row("emulate", measured([*check, "--again", *few[1:]], root, env, True), len(few) - 1, len(emulated))
    trials = sum(len(mutants(p)) + 1 for p in emulated if p.exercise)
    row("emulate a starter or mutant (as a program)", Cost(0, rows[-1][1]), 1, trials)
    modules = [p for p in emulated if not p.no_browser]
    row("module for the browser", measured([*web, *few[1:]], root, env, True), len(few) - 1, len(modules))
    every = sum(seconds * number for _, seconds, number in rows) + configure.cpu

    print("what a changed program costs on top", flush=True)
    measured([*lists, "-DLOCKSTEP_COMPLETE_BUILDS=all"], root, env)
    complete = measured([*ninja, *names], root, env)
    row(
        "compile for every major architecture", Cost(0, max(0.0, complete.cpu - rows[0][1] * len(names))), len(names), 0
    )
    row(
        "download by plain nvcc",
        measured([*steps.lockstep("program", "downloads", "--all", *few[:4])], root, env, True),
        4,
        0,
    )

    print("processor seconds of the other steps", flush=True)
    fixed, paged = 0.0, 0.0
    for step in steps.steps(changes.Plan(False, "", (), (), 0)):
        if step.name in ("configure", "options", "compile", "exits", "downloads", "emulate"):
            continue
        cost = sum(measured(list(command), root, env, True).cpu for command in step.commands)
        print(f"  {step.name:44} {cost:7.1f} s", flush=True)
        if step.name in BY_PROGRAM | BY_PAGE:
            paged += cost
        else:
            fixed += cost
    goal(len(declared), every + paged, fixed)


def mutants(program: Program) -> list[str]:
    """The wrong solutions of an exercise."""
    return parts.parse(program.source.read_text(encoding="utf-8"), program.source.name).mutants


def goal(count: int, growing: float, fixed: float) -> None:
    """Prints what the checks cost, cold, now and with as many programs as the site is to hold."""
    for programs in (count, MOST):
        cpu = growing * programs / count + fixed
        elapsed = cpu / CORES
        kept = "yes" if elapsed <= 3 * programs else "NO"
        print(
            f"cold, {programs} programs: {cpu:.0f} s of processor time, {elapsed / 60:.1f} min on {CORES} free cores, "
            f"{elapsed / programs:.2f} s a program; goal 3 s: {kept}",
            flush=True,
        )


# -- the whole -----------------------------------------------------------------------------------------------------------


def bench_html(root: Path, env: Mapping[str, str]) -> None:
    """Makes the pages and the modules that they run, cold, as `make html` does, and compares with the goal."""
    cost = measured(["make", "html"], root, env)
    seconds = cost.cpu / CORES
    print(
        f"make html cold: {cost.elapsed:.0f} s elapsed, {cost.cpu:.0f} s of processor time, {seconds:.0f} s on {CORES} free "
        f"cores; goal {COLD_HTML:.0f} s: {'yes' if seconds <= COLD_HTML else 'NO'}",
        flush=True,
    )


def bench_whole(root: Path, env: Mapping[str, str]) -> None:
    """Runs the checks cold, again, and after an edit of a program, and prints the table of steps."""
    site = root / steps.SITE
    site.mkdir(parents=True)
    check = [*steps.lockstep("check")]
    changes.note(root, cmake_lists.programs(root).values(), site, steps.page_names(site), date.today())
    table: dict[str, dict[str, Cost]] = {}
    for column in GOALS:
        if column == "after an edit":
            declared = [p for p in cmake_lists.programs(root).values() if declarations.emulated(p)]
            edit(declared[0].source, "// One more line.")
        measured(check, root, env, may_fail=True)
        times = json.loads((root / steps.TIMES.relative_to(ROOT)).read_text(encoding="utf-8"))
        table[column] = {name: Cost(*cost) for name, cost in times.items()}
        if column == "cold":  # as if this had been the complete run
            changes.note(root, cmake_lists.programs(root).values(), site, steps.page_names(site), date.today())
    print_table(table, len(cmake_lists.programs(root)))


def print_table(table: dict[str, dict[str, Cost]], count: int) -> None:
    """Prints steps by runs, sums, goals, and the extrapolation."""
    print(f"{'step':12}" + "".join(f"{column:>26}" for column in table))
    print(f"{'':12}" + f"{'elapsed':>16}{'processor':>10}" * len(table))
    for name in next(iter(table.values())):
        cells = [costs.get(name, Cost(0, 0)) for costs in table.values()]
        print(f"{name:12}" + "".join(f"{cost.elapsed:14.1f} s{cost.cpu:8.1f} s" for cost in cells))
    sums = {
        column: Cost(sum(c.elapsed for c in costs.values()), sum(c.cpu for c in costs.values()))
        for column, costs in table.items()
    }
    print(f"{'all':12}" + "".join(f"{cost.elapsed:14.1f} s{cost.cpu:8.1f} s" for cost in sums.values()))
    for column, most in GOALS.items():
        if column != "cold":
            print(f"{column}: {sums[column].elapsed:.0f} s; goal {most:.0f} s: {sums[column].elapsed <= most}")
    cold = table["cold"]
    growing = sum(cost.cpu for name, cost in cold.items() if name in BY_PROGRAM | BY_PAGE)
    goal(count, growing, sums["cold"].cpu - growing)


# -- the pages -----------------------------------------------------------------------------------------------------------


def bench_site(root: Path, env: Mapping[str, str]) -> None:
    """Builds the pages cold, and again after an edit of one, and compares with the goals: all pages, and some hundred."""
    bench_pages(root, env)
    leave_hundred(root)
    bench_pages(root, env)


def bench_pages(root: Path, env: Mapping[str, str]) -> None:
    """Builds the pages of a project that was not built before, and again after an edit of one."""
    cold = measured([sys.executable, "ci", "site", "pages"], root, env)
    count = len(steps.page_names(root / "build/html"))
    edits = []
    for _ in range(EDITS):
        edit(root / "docs/foundations/hello_kernel.rst", "\nOne more sentence.")
        edits.append(measured([sys.executable, "ci", "site", "pages"], root, env))
    edited = min(edits, key=lambda cost: cost.elapsed)  # other work makes one slower, and never faster
    for what, cost, seconds, most in (
        (f"{count} pages cold", cold, cold.cpu / CORES, COLD_PAGES * count / 100),
        (f"after an edit of one of {count}", edited, edited.elapsed, EDITED_PAGE),
    ):
        print(
            f"{what}: {cost.cpu:.1f} s of processor time, {cost.elapsed:.1f} s elapsed, {seconds:.1f} s on {CORES} free "
            f"cores; goal {most:.1f} s: {'yes' if seconds <= most else 'NO'}",
            flush=True,
        )


def _gone(listed: str) -> bool:
    """Whether a line names a page of a part that is taken away."""
    return re.fullmatch(r"[a-z_]+(/[a-z_]+)+", listed) is not None and not listed.startswith(HUNDRED)


def leave_hundred(root: Path) -> None:
    """Takes parts and builds away, until about a hundred pages are left, those of programs counted."""
    for folder in (root / "docs").iterdir():
        for page in () if folder.name in HUNDRED else folder.glob("**/*.rst"):
            page.unlink()
    front = root / "docs/index.rst"  # a list of pages that are gone would have it read again each time
    listed = [line for line in front.read_text(encoding="utf-8").splitlines() if not _gone(line.strip())]
    front.write_text("\n".join(listed) + "\n", encoding="utf-8")
    lists = root / "programs/CMakeLists.txt"
    kept = [
        line
        for line in lists.read_text(encoding="utf-8").splitlines()
        if not line.startswith("add_subdirectory(") or line[len("add_subdirectory(") :].startswith(HUNDRED)
    ]
    lists.write_text("\n".join(kept) + "\n", encoding="utf-8")
    shutil.rmtree(root / "build")


# -- downloads -----------------------------------------------------------------------------------------------------------


def bench_downloads() -> None:
    """Prints how long downloads are, how much of them is the program, and where a learner begins."""
    lines, shares, begins = [], [], {}
    for program in cmake_lists.programs(ROOT).values():
        if program.must_not_compile:
            continue
        texts = downloads.files(program)
        whole = len(texts[program.source.name].splitlines())
        lines.append(whole)
        own = downloads.own(program.source.read_text(encoding="utf-8"))
        shares.append(len(own.splitlines()) / whole)
        if program.exercise:
            begins[program.name] = downloads.begins(texts[downloads.starter(program)])
    late = max(begins, key=lambda name: begins[name])
    print(f"downloads: {statistics.median(lines):.0f} lines at the median; goal 150")
    print(f"downloads: {statistics.median(shares):.0%} of one is the program, at the median; goal 50%")
    print(f"starters: the learner's part begins at line {begins[late]} at the latest ({late}); goal {downloads.LATE}")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sample", type=int, default=20, metavar="N", help="programs to measure (default: 20)")
    much = parser.add_mutually_exclusive_group()
    much.add_argument("--whole", action="store_true", help="run make html, and the checks three times")
    much.add_argument("--site", action="store_true", help="measure what the pages cost, and no more")
    options = parser.parse_args(argv)
    if options.sample < 4:
        parser.error("--sample takes at least 4")
    print(f"{os.cpu_count()} cores; {changes.toolkit()}", flush=True)
    if not options.site:
        bench_downloads()
    with tempfile.TemporaryDirectory(prefix="lockstep-bench-") as scratch:
        env = {**os.environ, "CCACHE_DIR": f"{scratch}/ccache", "LOCKSTEP_CACHE": f"{scratch}/kept"}
        root = copy_project(Path(scratch) / "project")
        if options.whole:
            bench_html(copy_project(Path(scratch) / "html"), env | {"LOCKSTEP_CACHE": f"{scratch}/html-kept"})
        if options.site:
            bench_site(root, env)
            return 0
        if options.whole:
            bench_whole(root, env)
        else:
            bench_sample(root, options.sample, env)
    print("the emulator, on one core", flush=True)
    return subprocess.run([sys.executable, ROOT / "ci", "emulate", "rate"]).returncode
