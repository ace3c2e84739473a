"""Runs tests: those that may run side by side, longest first; then those that failed, and those that measure, alone."""

import datetime
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from pathlib import Path

from lockstep.errors import LockstepError
from lockstep.programs.declarations import Program
from lockstep.recordings import deviations, keys, lanes, recorder, rerun_record, transcripts
from lockstep.recordings.deviations import Deviation
from lockstep.recordings.machine import Machine
from lockstep.recordings.rerun_record import Seconds
from lockstep.rerun import results, tests
from lockstep.rerun.results import FAILED, PASSED, SKIPPED, Result
from lockstep.rerun.tests import RECORDING, Test

_KEPT = 5
"""So many deviations of one program are kept, the largest."""
_TAIL = 4000
"""So many characters of what a failed test said are kept."""


def outcome_of(status: int, said: str, unrecorded: str = "") -> tuple[str, str]:
    """How a test's command ended, and what to say of it: a skip has to say what this machine lacks.

    :param unrecorded: why the program is declared UNRECORDED, which says it, too
    """
    if status == 0:
        return PASSED, ""
    if status != recorder.SKIPPED:
        return FAILED, said[-_TAIL:] or f"exit status {status}, and said nothing"
    reason = next((line.strip() for line in said.splitlines() if "needs" in line), "")
    if reason:
        return SKIPPED, reason
    if unrecorded:
        return SKIPPED, f"not recorded: {unrecorded}"
    return FAILED, f"skipped without a reason: {said.strip() or 'said nothing'}; let it say what it needs"


def run_command(test: Test, gpu: str, unrecorded: str) -> tuple[str, str]:
    """Runs a test's command, with one GPU in sight or with all."""
    if not test.command:
        return FAILED, "CTest knows no command for it; build the project"
    try:
        process = subprocess.Popen(
            test.command, cwd=test.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
            env=os.environ | ({"CUDA_VISIBLE_DEVICES": gpu} if gpu else {}),
        )  # fmt: skip
    except OSError as error:
        return FAILED, f"{error}; build the project"
    try:
        printed, _ = process.communicate(timeout=test.timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return FAILED, f"still ran after {test.timeout:g} s and was stopped"
    return outcome_of(process.returncode, printed.decode(errors="replace"), unrecorded)


def run_recording(
    program: Program, machine: Machine, build: Path, outputs: Path, gpu: str
) -> tuple[str, str, list[Deviation]]:
    """Runs the recorded commands again, keeps what they print, and compares it, measured numbers included.

    Another model of GPU may print otherwise; with all GPUs in sight, that is a reason to skip.
    """
    said, skipped, compared = [], [], []
    for run in rerun_record.runs(program):
        kept = outputs / run.folder / run.console.name
        kept.unlink(missing_ok=True)
        try:
            ended = recorder.rerun(run, machine, build, outputs, gpu)
        except recorder.DifferenceError as error:
            ended = "" if gpu else machine.other_than(keys.load(run).provenance["gpu"])
            if ended:
                skipped.append(f"{ended}\n{error}")
            else:
                said.append(f"{run.label}: {error}")
        except LockstepError as error:
            said.append(f"{run.label}: {error}")
            ended = ""
        if ended.startswith(("skipped: ", "not recorded: ")):
            return SKIPPED, ended.removeprefix("skipped: "), []
        if kept.exists():
            found = transcripts.parse(kept.read_text(encoding="utf-8"))
            compared += deviations.of_run(run, keys.load(run), found, outputs)
    if said:
        return FAILED, "\n".join(said)[-_TAIL:], compared
    return (SKIPPED, "\n".join(skipped)[:_TAIL], []) if skipped else (PASSED, "", compared)


def run(test: Test, program: Program, machine: Machine, build: Path, outputs: Path, gpu: str = "") -> Result:
    """Runs one test; with the number of a GPU, it sees this one alone."""
    began = time.monotonic()
    compared: list[Deviation] = []
    key = tests.key(test, program, build, machine)
    try:
        if test.kind == RECORDING:
            outcome, said, compared = run_recording(program, machine, build, outputs, gpu)
        else:
            outcome, said = run_command(test, gpu, program.unrecorded)
    except Exception as error:  # one test's trouble must not end the others
        outcome, said = FAILED, f"{type(error).__name__}: {error}"
    largest = sorted(compared, key=lambda one: -one.factor)[:_KEPT]
    return Result(
        test.name, test.kind, test.program, outcome, key, round(time.monotonic() - began, 3), test.alone, said,
        [asdict(one) for one in largest], date=datetime.date.today().isoformat(),
    )  # fmt: skip


def passed_before(
    chosen: Iterable[Test], done: dict[str, Result], programs: dict[str, Program], build: Path, machine: Machine
) -> set[str]:
    """The tests that passed, or skipped with a reason, with the same key."""
    return {
        test.name
        for test in chosen
        if (before := done.get(test.name))
        and before.outcome in (PASSED, SKIPPED)
        and before.key == tests.key(test, programs[test.program], build, machine)
    }


def run_all(
    chosen: list[Test],
    work: Callable[[Test, str], Result],
    report: Callable[[Result], None],
    jobs: int,
    seconds: dict[str, Seconds],
    gpus: int = 1,
    until: float = float("inf"),
) -> None:
    """Runs tests and reports each as soon as it ended.

    Those marked as first run before all others, one at a time. Where there are several GPUs, each of the others sees one,
    unless its program needs more; two that measure then run at a time.
    What failed runs again alone, all GPUs in sight: some of it depends on when its kernels get the GPU.

    :param work:    runs a test, on one GPU or, without its number, on all
    :param jobs:    so many tests at a time, of those that do not measure
    :param seconds: how long the tests of a program took
    :param until:   when the last test may begin, by time.monotonic()
    """

    def length(test: Test) -> float:
        known = seconds.get(test.program, Seconds(0, 0))
        return max(test.cost, known.recording if test.kind == RECORDING else known.beside)

    longest_first = sorted(chosen, key=lambda test: -length(test))
    numbers = [str(i) for i in range(gpus)] if gpus > 1 else [""]
    others = [test for test in longest_first if not test.first]
    alone = [test for test in others if test.alone]
    several = [numbers[i % len(numbers)] for i in range(jobs)]
    failed = _side_by_side([test for test in longest_first if test.first], work, report, [""], until)
    failed |= _side_by_side([test for test in others if not test.alone], work, report, several, until)
    failed |= _side_by_side([test for test in alone if test.gpus < 2], work, report, numbers, until)
    last = failed | {test.name for test in alone if test.gpus > 1}
    for test in [test for test in longest_first if test.name in last]:
        if time.monotonic() < until:
            report(replace(work(test, ""), alone=test.alone))


def _side_by_side(
    chosen: list[Test],
    work: Callable[[Test, str], Result],
    report: Callable[[Result], None],
    names: list[str],
    until: float,
) -> set[str]:
    """Runs one test at a time in each lane, on the lane's GPU; the names of those that failed."""

    def one(test: Test, gpu: str) -> Result | None:
        return work(test, gpu if test.gpus < 2 else "") if time.monotonic() <= until else None

    failed = set()
    for test, result in lanes.side_by_side(chosen, one, names):
        if result:
            report(replace(result, again=result.outcome == FAILED))
            failed |= {test.name} if result.outcome == FAILED else set()
    return failed


def append_with(folder: Path, machine: dict[str, str]) -> Callable[[Result], None]:
    """What notes each result, with the machine that it is from."""
    return lambda result: results.append(folder, replace(result, machine=machine))
