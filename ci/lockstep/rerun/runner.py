"""Runs tests: those that may run side by side, longest first; then those that failed, and those that measure, alone."""

import datetime
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, replace
from pathlib import Path

from lockstep.errors import LockstepError
from lockstep.programs.declarations import Program
from lockstep.recordings import deviations, keys, recorder, transcripts
from lockstep.recordings.deviations import Deviation
from lockstep.recordings.machine import Machine
from lockstep.rerun import results, tests
from lockstep.rerun.results import FAILED, PASSED, SKIPPED, Result
from lockstep.rerun.tests import RECORDING, Test

_KEPT = 5
"""So many deviations of one program are kept, the largest."""
_TAIL = 4000
"""So many characters of what a failed test said are kept."""


def outcome_of(status: int, said: str) -> tuple[str, str]:
    """How a test's command ended, and what to say of it: a skip has to say what this machine lacks."""
    if status == 0:
        return PASSED, ""
    if status != recorder.SKIPPED:
        return FAILED, said[-_TAIL:] or f"exit status {status}, and said nothing"
    reason = next((line.strip() for line in said.splitlines() if "needs" in line), "")
    if reason:
        return SKIPPED, reason
    return FAILED, f"skipped without a reason: {said.strip() or 'said nothing'}; let it say what it needs"


def run_command(test: Test) -> tuple[str, str]:
    """Runs a test's command."""
    if not test.command:
        return FAILED, "CTest knows no command for it; build the project"
    try:
        process = subprocess.Popen(
            test.command, cwd=test.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        return FAILED, f"{error}; build the project"
    try:
        printed, _ = process.communicate(timeout=test.timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return FAILED, f"still ran after {test.timeout:g} s and was stopped"
    return outcome_of(process.returncode, printed.decode(errors="replace"))


def run_recording(program: Program, machine: Machine, build: Path, outputs: Path) -> tuple[str, str, list[Deviation]]:
    """Runs the recorded commands again, keeps what they print, and compares it, measured numbers included."""
    said, compared = [], []
    for run in tests.runs(program):
        kept = outputs / run.folder / run.console.name
        kept.unlink(missing_ok=True)
        try:
            ended = recorder.rerun(run, machine, build, outputs)
        except LockstepError as error:
            said.append(f"{run.label}: {error}")
            ended = ""
        if ended.startswith(("skipped: ", "not recorded: ")):
            return SKIPPED, ended.removeprefix("skipped: "), []
        if kept.exists():
            found = transcripts.parse(kept.read_text(encoding="utf-8"))
            compared += deviations.of_run(run, keys.load(run), found, outputs)
    return (FAILED, "\n".join(said)[-_TAIL:], compared) if said else (PASSED, "", compared)


def run(test: Test, program: Program, machine: Machine, build: Path, outputs: Path) -> Result:
    """Runs one test."""
    began = time.monotonic()
    compared: list[Deviation] = []
    key = tests.key(test, program, build, machine)
    try:
        if test.kind == RECORDING:
            outcome, said, compared = run_recording(program, machine, build, outputs)
        else:
            outcome, said = run_command(test)
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
    work: Callable[[Test], Result],
    report: Callable[[Result], None],
    jobs: int,
    seconds: dict[str, dict[str, float]],
) -> None:
    """Runs tests and reports each as soon as it ended.

    What failed beside others runs again alone: some of it depends on when its kernels get the GPU.
    """

    def length(test: Test) -> float:
        known = seconds.get(test.program, {})
        return max(test.cost, known.get("recording" if test.kind == RECORDING else "beside", 0.0))

    longest_first = sorted(chosen, key=lambda test: -length(test))
    failed: set[str] = set()
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        running = {pool.submit(work, test): test for test in longest_first if not test.alone}
        try:
            for future in as_completed(running):
                result = future.result()
                report(result)
                if result.outcome == FAILED:
                    failed.add(result.test)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    for test in [test for test in longest_first if test.name in failed or test.alone]:
        result = work(test)
        report(replace(result, alone=test.alone))


def append_with(folder: Path, machine: dict[str, str]) -> Callable[[Result], None]:
    """What notes each result, with the machine that it is from."""
    return lambda result: results.append(folder, replace(result, machine=machine))
