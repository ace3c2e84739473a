"""The commands about recordings, their comparison and their claims.

Programs are named by path or bare name; none means all.
Exit status: 0 all is well, 1 something is not, 2 bad arguments, 77 this machine cannot run it.
"""

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lockstep import files
from lockstep.data import DataError
from lockstep.files import ROOT
from lockstep.programs import cmake_lists, declarations
from lockstep.programs.declarations import Program
from lockstep.programs.sources import SourceError
from lockstep.recordings import builds, keys, lanes, recorder, rerun_record, shards
from lockstep.recordings import claims as page_claims
from lockstep.recordings.builds import BuildError
from lockstep.recordings.machine import Machine, this_machine
from lockstep.recordings.recorder import SKIPPED, RecorderError
from lockstep.recordings.transcripts import TranscriptError


def _parser(verb: str, text: str, *, programs: bool = False) -> argparse.ArgumentParser:
    """What all these commands take."""
    parser = argparse.ArgumentParser(prog=verb, description=text)
    parser.add_argument("--root", type=Path, default=ROOT, help="the project (default: this one)")
    parser.add_argument("--build", type=Path, default=None, help="build folder (default: build/default)")
    if programs:
        parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    return parser


def _folders(options: argparse.Namespace) -> tuple[Path, Path]:
    """The project's root and the build folder."""
    root: Path = options.root.resolve()
    build: Path = options.build or root / "build/default"
    return root, build.resolve()


def _runs(root: Path, names: list[str]) -> list[Program]:
    """The runs to record of the programs named, or of all: each program's own and the small ones."""
    declared = cmake_lists.programs(root)
    programs = [declarations.find(declared, name) for name in names] or list(declared.values())
    return programs + declarations.small_runs(programs)


def _gpus(verb: str) -> Machine | None:
    """This machine; says so and is None if it has no GPU."""
    machine = this_machine()
    if machine.gpus:
        return machine
    print(f"cannot {verb}: this machine has no usable GPU", file=sys.stderr)
    return None


def _each(programs: list[Program], work: Callable[[Program, str], str], names: list[str]) -> int:
    """Does `work` for each program, in lanes of these names, and reports; returns the exit status."""

    def one(program: Program, lane: str) -> str:
        try:
            return work(program, lane)
        except (RecorderError, TranscriptError, SourceError, BuildError) as error:
            return f"FAILED\n{error}"

    outcomes = []
    for program, outcome in lanes.side_by_side(programs, one, names):
        print(f"{program.label}: {outcome}", flush=True)
        outcomes.append(outcome)
    if programs and all(outcome.startswith("skipped") for outcome in outcomes):
        return SKIPPED
    return 1 if any(outcome.startswith("FAILED") for outcome in outcomes) else 0


def record(argv: list[str]) -> int:
    parser = _parser("record run", "Runs the commands on this GPU machine, and rewrites the outputs.", programs=True)
    parser.add_argument("--refresh", action="store_true", help="also when only measured numbers moved")
    parser.add_argument("--stale", action="store_true", help="only programs whose recording is not fresh")
    parser.add_argument("--shard", type=shards.parse, default=shards.WHOLE, help="only this part, such as 2/5")
    parser.add_argument(
        "--resume", action="store_true", help="leave out what was recorded in this build folder already"
    )
    parser.add_argument(
        "--no-build", action="store_true", help="take the programs as they are built, if that is of now"
    )
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time; what measures runs alone on its GPU")
    parser.add_argument("--stop-after", type=float, default=float("inf"), metavar="SECONDS", help="begin none later")
    options = parser.parse_args(argv)
    began = time.monotonic()
    root, build = _folders(options)
    runs = shard_of(_runs(root, options.programs), options.shard, root)
    if (machine := _gpus("record")) is None:
        return SKIPPED
    if options.stale:
        runs = [run for run in runs if keys.problems(run, root)]
    if options.resume:
        done = dict(_done(build))
        runs = [run for run in runs if keys.problems(run, root) or done.get(run.label) != _content(run)]
    if not runs:
        print("nothing to record: all of it is recorded")
        return 0
    if not options.no_build:
        try:
            builds.make([run for run in runs if not (run.unrecorded or run.must_not_compile)], build)
        except BuildError as error:  # what is not built, or outdated, fails by itself; the others are recorded
            print(error, file=sys.stderr, flush=True)

    def work(run: Program, gpu: str) -> str:
        if time.monotonic() - began > options.stop_after:
            return "skipped: the time is up"
        outcome = recorder.record(run, machine, build, options.refresh, gpu)
        if run.console.exists():
            # a new line even after one that was cut off
            files.append(build / DONE, "\n" + json.dumps([run.label, _content(run)]))
        return outcome

    gpus = [str(i) for i in range(len(machine.gpus))] if len(machine.gpus) > 1 else [""]
    jobs = max(options.jobs, 1)
    lanes_of = ([""], [gpus[i % len(gpus)] for i in range(jobs)], gpus if jobs > 1 else gpus[:1], [""])
    groups = zip(_by_need(runs), lanes_of, strict=True)
    ended = {_each(group, work, names) for group, names in groups if group}
    return SKIPPED if ended == {SKIPPED} else int(1 in ended)


def _by_need(runs: list[Program]) -> tuple[list[Program], list[Program], list[Program], list[Program]]:
    """Runs that draw; that may go on side by side; that need a GPU for themselves; that need all GPUs.

    What draws comes first (lanes.draws says why).
    """
    whole = [run for run in runs if run.min_gpus > 1]
    draws = [run for run in runs if lanes.draws(run)]
    rest = [run for run in runs if run not in whole and run not in draws]
    alone = [run for run in rest if _measures(run) or lanes.asks_for_memory(run)]
    return draws, [run for run in rest if run not in alone], alone, whole


def _measures(run: Program) -> bool:
    """Whether a run measures, or may do so, since it was never recorded."""
    try:
        recorded = keys.load(run)
        return recorded.measures or not recorded.recorded
    except TranscriptError:
        return False  # which recording it will say


DONE = "record-done.jsonl"  # in the build folder: what `record` has done there, and the content of its transcript


def _content(run: Program) -> str:
    """Hash of a transcript, which holds the hashes of its data files."""
    return hashlib.sha256(run.console.read_bytes()).hexdigest() if run.console.exists() else ""


def _done(build: Path) -> Iterator[tuple[str, str]]:
    """What `record` has done in this build folder; a line that was cut off is left out."""
    log = build / DONE
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else []:
        try:
            label, content = json.loads(line)
        except (ValueError, TypeError):
            continue
        yield label, content


def shard_of(runs: list[Program], shard: shards.Shard, root: Path) -> list[Program]:
    """The runs of one shard; a program and its small run stay together."""
    if shard == shards.WHOLE:
        return runs
    paths = list(dict.fromkeys(run.path for run in runs))
    known = rerun_record.seconds(root)
    seconds = [known[path].recording if path in known else None for path in paths]
    chosen = set(shards.select(paths, seconds, shard))
    return [run for run in runs if run.path in chosen]


def rerun(argv: list[str]) -> int:
    parser = _parser("gpu-check program", "Runs the commands on this GPU machine again, and compares.", programs=True)
    parser.add_argument("--keep", type=Path, help="keep what was printed in this folder")
    options = parser.parse_args(argv)
    root, build = _folders(options)
    runs = _runs(root, options.programs)
    if (machine := _gpus("rerun")) is None:
        return SKIPPED
    return _each(runs, lambda run, gpu: recorder.rerun(run, machine, build, options.keep, gpu), [""])


def refilter(argv: list[str]) -> int:
    parser = _parser("record filter", "Has transcripts show what their filters say now; runs nothing.", programs=True)
    options = parser.parse_args(argv)
    root, _ = _folders(options)
    runs = _runs(root, options.programs)
    filtered = [run for run in runs if run.console.exists() and keys.load(run).filtered]
    if not filtered:
        print("no transcript has filters")
    return _each(filtered, lambda run, _: recorder.refilter(run), [""])


def stale(argv: list[str]) -> int:
    options = _parser(
        "record stale", "Finds stale, missing and edited recordings; runs nothing.", programs=True
    ).parse_args(argv)
    root, _ = _folders(options)
    runs = _runs(root, options.programs)
    found = [problem for run in runs for problem in keys.problems(run, root)]
    print("\n".join(found) or f"{len(runs)} transcripts are fresh")
    if not options.programs and (remark := rerun_record.remark(root, [run for run in runs if not run.small_run])):
        print(f"note: {remark}")
    return 1 if found else 0


def options(argv: list[str]) -> int:
    """Compares the options of each transcript with those of a configured build."""
    parser = _parser(
        "record options",
        "Compares the options of the build with those of the recordings; compiles nothing.",
        programs=True,
    )
    chosen = parser.parse_args(argv)
    root, build = _folders(chosen)
    now = builds.lines(build, root)
    found = [finding for run in _runs(root, chosen.programs) for finding in other_options(run, root, now)]
    print("\n".join(found) or "the build's options are those of the recordings")
    return 1 if found else 0


def other_options(program: Program, root: Path, now: dict[str, str]) -> list[str]:
    """Where the build of a program is not that of its transcript; `now` holds the options of each built program."""
    if program.unrecorded or not program.console.exists() or not (transcript := keys.load(program)).recorded:
        return []
    where = f"{keys.relative(program.console, root)}: {program.name}"
    recorded = transcript.provenance.get("build", "")
    built = builds.NOT_BUILT if program.must_not_compile else now.get(program.path, "")
    record = f'on a GPU machine run "make record PROGRAM={program.name}"'
    if not built:
        return [f"{where} is not built in this build folder; configure it with --preset ci"]
    if not recorded:
        return [f'{where} was recorded without a line "# build:"; {record}']
    if differs := builds.difference(recorded, built):
        return [f"{where} is built otherwise than recorded: {differs}; take the option back, or {record}"]
    return []


def claims(argv: list[str]) -> int:
    parser = _parser("source claims", "Evaluates the claims of all pages on the recorded data.")
    parser.add_argument("--rerun", type=Path, help="on what `gpu-check program --keep` left in this folder")
    options = parser.parse_args(argv)
    root, _ = _folders(options)
    cmake_lists.update(root)
    found = broken_claims(root, options.rerun.resolve() if options.rerun else None)
    print("\n".join(found) or "all claims hold")
    return 1 if found else 0


def gpus(argv: list[str]) -> int:
    _parser("record gpus", "Lists the GPUs of this machine.").parse_args(argv)
    if (machine := _gpus("list GPUs")) is None:
        return SKIPPED
    print("\n".join(f"{name}, compute capability {capability}" for name, capability in machine.gpus))
    return 0


def pack(argv: list[str]) -> int:
    parser = _parser("record pack", "Packs everything that was recorded in this build folder into one tar.")
    parser.add_argument("target", type=Path, metavar="FILE.tar.gz")
    options = parser.parse_args(argv)
    root, build = _folders(options)
    print(f"packed {recorder.pack(root, build, options.target.resolve())} files into {options.target}")
    return 0


def broken_claims(root: Path, rerun: Path | None) -> list[str]:
    """Every claim of every page that does not hold, on recorded or re-run output."""
    recordings = page_claims.rerun(root, rerun) if rerun else page_claims.Recordings(root)
    found = []
    for path in sorted((root / "docs").rglob("*.claims")):
        if not path.with_suffix(".rst").exists():
            found.append(f"{keys.relative(path, root)}: there is no page beside it; rename or remove it")
        try:
            found += page_claims.load(path, root, recordings).check()
        except DataError as error:
            found += error.findings
    return found
