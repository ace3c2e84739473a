"""Everything that needs a GPU: all transcripts again, numbers and claims of all pages, sanitizers, exercises.

    python3 ci gpu-check run [--shard 2/5] [--kind KIND] [--resume] [--jobs N] [--stop-after SECONDS] [--skip-sanitizer]
    python3 ci gpu-check merge [--incomplete] [--resume] DIR ...

Results go to build/gpu-check/2-of-5, each as soon as it is known; `--resume` goes on where an interrupted run stopped, on
this machine or on another of its kind that got the folder of results, and `merge` joins the shards, whichever machines they
ran on. A complete run leaves its record in docs/rerun.json; with `--incomplete` so does another one. `--resume` goes on from
that record, too: what passed then, and whose program has not changed, does not run again and counts as it ended.
Tests that measure run one at a time on each GPU. The others run side by side, and those that fail run again, alone.
What differs on another model of GPU than it was recorded on is skipped with that reason, if it ends as recorded.
Exit status: 0 all passed, 1 something did not, 2 bad arguments.
"""

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

from lockstep.files import ROOT
from lockstep.programs import cmake_lists
from lockstep.programs.declarations import Program
from lockstep.recordings import recorder, rerun_record, shards
from lockstep.recordings.machine import provenance, this_machine
from lockstep.rerun import earlier, report, results, runner, tests
from lockstep.rerun.results import OUTPUTS, Plan, Result


def step(title: str, command: list[str], root: Path) -> bool:
    """Runs one step, showing it and what it prints; whether it succeeded."""
    print(f"== {title}\n$ {' '.join(command[:12])}{' ...' if len(command) > 12 else ''}", flush=True)
    began = time.monotonic()
    passed = subprocess.run(command, cwd=root).returncode == 0
    print(f"-- {title}: {'done' if passed else 'FAILED'} ({time.monotonic() - began:.0f} s)", flush=True)
    return passed


def run(root: Path, options: argparse.Namespace) -> int:
    """Runs the tests of one shard."""
    machine = this_machine()
    if not machine.gpus:
        print("gpu-check: this machine has no usable GPU", file=sys.stderr)
        return 1
    began = time.monotonic()
    build: Path = (options.build or root / "build/sanitize").resolve()
    shard: shards.Shard = options.shard
    folder: Path = options.results or root / recorder.GPU_CHECK / f"{shard.number}-of-{shard.count}"
    programs = cmake_lists.programs(root)
    configure = ["cmake", "--preset", "sanitize", "-G", "Ninja", "-B", str(build)]
    if not options.no_build and not step("configure", configure, root):
        return 1

    known, problems = tests.read(tests.listing(build), programs, build)
    known = [test for test in known if not (options.skip_sanitizer and test.kind == tests.SANITIZE)]
    known += tests.left_out(known, programs, machine, build)
    problems += tests.missing(known, programs, not options.skip_sanitizer)
    seconds = rerun_record.seconds(root)
    chosen = tests.shard_of(known, shard, seconds, options.jobs)
    chosen = [test for test in chosen if not options.kind or test.kind in options.kind]
    if not options.resume and folder.exists():
        shutil.rmtree(folder)
    (folder / OUTPUTS).mkdir(parents=True, exist_ok=True)
    state = rerun_record.whole_state(programs.values())
    names = {test.name: test.kind for test in known}
    wanted = results.chosen_before(folder, state, names) if options.resume else set()
    results.write_plan(folder, Plan(str(shard), state, names, sorted(wanted | {t.name for t in chosen}), problems))
    before = runner.passed_before(chosen, results.load(folder), programs, build, machine) if options.resume else set()
    before_this = _earlier(root, programs, resume=options.resume)
    before |= before_this.passed & {test.name for test in chosen}
    left = [test for test in chosen if test.name not in before]
    if not options.no_build and (targets := tests.targets(left, programs, build)):
        step("build", ["cmake", "--build", str(build), "--target", *targets, "--", "-k", "0"], root)
    print(f"== {len(left)} tests{f', {len(before)} passed before' if before else ''}", flush=True)

    note = runner.append_with(folder, provenance(machine, build))

    def say(result: Result) -> None:
        note(result)
        said = f": {result.said.splitlines()[0]}" if result.said else ""
        again = ", runs again alone" if result.again else ""
        print(f"{result.test}: {result.outcome}{again} ({result.seconds:.1f} s){said}", flush=True)

    def work(test: tests.Test, gpu: str) -> Result:
        return runner.run(test, programs[test.program], machine, build, folder / OUTPUTS, gpu)

    runner.run_all(left, work, say, options.jobs, seconds, len(machine.gpus), began + options.stop_after)
    return conclude(root, [folder], programs, before_this, began)


def _earlier(root: Path, programs: dict[str, Program], *, resume: bool) -> earlier.Earlier:
    """What the committed record says, if the run goes on from it."""
    return earlier.load(root, programs) if resume else earlier.Earlier(None, programs)


def conclude(
    root: Path,
    folders: list[Path],
    programs: dict[str, Program],
    before: earlier.Earlier,
    began: float,
    *,
    incomplete: bool = False,
) -> int:
    """Reports what the shards found; a complete run leaves its record, and one of which this is asked."""
    parts = [report.part(folder, programs) for folder in folders]
    outcome = report.combine(root, parts, rerun_record.whole_state(programs.values()), before)
    print(f"\n{report.text(outcome)}")
    if (outcome.complete or incomplete) and set(outcome.tests.values()) >= {tests.RECORDING, tests.SANITIZE}:
        rerun_record.write(root, report.record(outcome, programs))
        print(f"wrote {rerun_record.NAME}; commit it")
    count = len(outcome.failed) + len(outcome.problems) + len(outcome.pages.problems) + bool(outcome.left)
    result = "passed" if outcome.passed else f"FAILED, {count} findings"
    print(f"gpu-check: {result} ({time.monotonic() - began:.0f} s)")
    return 0 if outcome.passed else 1


def merge(argv: list[str]) -> int:
    """Joins the results of several shards."""
    parser = argparse.ArgumentParser(prog="gpu-check merge", description=merge.__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="the project (default: this one)")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="what gpu-check run --shard left")
    parser.add_argument("--incomplete", action="store_true", help="write the record although tests have not run")
    parser.add_argument("--resume", action="store_true", help="what did not run ended as docs/rerun.json says")
    options = parser.parse_args(argv)
    root = options.root.resolve()
    folders = [folder.resolve() for folder in options.folders]
    began = time.monotonic()
    programs = cmake_lists.programs(root)
    before = _earlier(root, programs, resume=options.resume)
    return conclude(root, folders, programs, before, began, incomplete=options.incomplete)


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="gpu-check run", description=__doc__.split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="the project (default: this one)")
    parser.add_argument("--build", type=Path, help="build folder (default: build/sanitize)")
    parser.add_argument("--results", type=Path, help="where results go (default: in build/gpu-check)")
    parser.add_argument("--shard", type=shards.parse, default=shards.WHOLE, help="only this part, such as 2/5")
    parser.add_argument("--kind", action="append", choices=tests.KINDS, help="only tests of this kind; may be repeated")
    parser.add_argument(
        "--stop-after", type=float, default=float("inf"), metavar="SECONDS",
        help="begin no test later than so many seconds after the start; --resume goes on",
    )  # fmt: skip
    parser.add_argument("--resume", action="store_true", help="leave out what passed before and has not changed")
    parser.add_argument("--jobs", type=int, default=8, help="tests at a time; what measures runs alone")
    parser.add_argument("--skip-sanitizer", action="store_true", help="leave out the four compute-sanitizer tools")
    parser.add_argument("--no-build", action="store_true", help="take the build folder as it is")
    options = parser.parse_args(argv)
    return run(options.root.resolve(), options)
