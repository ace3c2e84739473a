"""The committed record of the last re-run, `docs/rerun.json`: who reads it needs neither a GPU nor Sphinx."""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from lockstep import data, files
from lockstep.programs import declarations
from lockstep.programs.declarations import Program
from lockstep.recordings import keys
from lockstep.recordings.transcripts import TranscriptError

NAME = "docs/rerun.json"
CURE = f"restore it with git checkout {NAME}, or on a GPU machine run make gpu-check"


@dataclass(frozen=True)
class Counts:
    """How the tests of one kind ended, and on which days."""

    tests: data.Count
    passed: data.Count
    failed: data.Count
    skipped: data.Count
    not_run: data.Count
    dates: tuple[data.Day, ...]

    @property
    def ended(self) -> int:
        return self.passed + self.failed + self.skipped

    def contradictions(self) -> data.Problems:
        if self.ended + self.not_run != self.tests:
            said = f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped and {self.not_run} not run"
            yield "tests", f"{said} are not {self.tests} tests"


@dataclass(frozen=True)
class Kinds:
    """The tests by their kind."""

    recording: Counts
    sanitize: Counts
    exercise: Counts

    @property
    def all(self) -> tuple[Counts, ...]:
        return (self.recording, self.sanitize, self.exercise)


@dataclass(frozen=True)
class Skipped:
    test: str
    reason: str


@dataclass(frozen=True)
class NotEvaluated:
    """A number or a claim that lacks the output of a program."""

    what: str
    reason: str


@dataclass(frozen=True)
class Otherwise:
    """What another model of GPU than the recordings' says otherwise."""

    page: str
    what: str


@dataclass(frozen=True)
class Deviation:
    """The measured number of a page that moved most."""

    page: str
    program: str
    label: str
    recorded: float
    found: float
    unit: str
    factor: Annotated[float, data.Rule("a factor of at least 1", lambda factor: factor >= 1)]


@dataclass(frozen=True)
class Seconds:
    """How long a program took: its recording, and all else, beside others."""

    recording: data.Amount
    beside: data.Amount


@dataclass(frozen=True)
class Ran:
    """The state of a program that ran, and on which day which of its tests ended."""

    state: str
    ended: dict[str, list[str]]


@dataclass(frozen=True)
class Record:
    """What the last re-run found. `failed` names tests, and findings, which hold blanks; `pages` counts numbers and claims."""

    date: data.Day
    gpu: data.Text
    driver: data.Text
    toolkit: data.Text
    tests: Kinds
    numbers: data.Count
    claims: data.Count
    failed: list[str]
    skipped: list[Skipped]
    not_evaluated: list[NotEvaluated]
    otherwise: list[Otherwise]
    deviations: list[Deviation]
    seconds: dict[str, Seconds]
    pages: dict[str, tuple[data.Count, data.Count]]
    programs: dict[str, Ran]
    digest: str = ""

    def contradictions(self) -> data.Problems:
        kinds = self.tests.all
        days = {day for counts in kinds for day in counts.dates}
        if self.date != max(days, default=self.date):
            yield "date", f"is {self.date}, and the last test ran on {max(days)}"
        named = [(day, names) for ran in self.programs.values() for day, names in ran.ended.items()]
        if {day for day, _ in named} != days:
            yield "programs", "names other days than the counts"
        for key, said, counted, there in (
            (
                "failed",
                "lists {} tests",
                sum(one.failed for one in kinds),
                sum(" " not in name for name in self.failed),
            ),
            ("skipped", "lists {} tests", sum(one.skipped for one in kinds), len(self.skipped)),
            ("programs", "lists {} tests", sum(one.ended for one in kinds), sum(len(names) for _, names in named)),
            ("pages", "lists {} numbers", self.numbers, sum(numbers for numbers, _ in self.pages.values())),
            ("pages", "lists {} claims", self.claims, sum(claims for _, claims in self.pages.values())),
        ):
            if counted != there:
                yield key, f"{said.format(there)}, and {counted} are counted"


def path(root: Path) -> Path:
    return root / NAME


def load(root: Path) -> Record | None:
    """The record; None where no re-run left one.

    :raises data.DataError: where it does not add up, is of another toolkit, or was edited by hand
    """
    if not path(root).exists():
        return None
    file = data.document(path(root), Record, root, CURE)
    release = keys.pinned_toolkit()
    if other := [one for one in file.value.toolkit.split(", ") if not f"{one}.".startswith(f"{release}.")]:
        found = f"{file.at('toolkit')}: toolkit: is of CUDA {other[0]}; the site's toolkit is {release}"
        raise data.DataError([f"{found}; on a GPU machine run make gpu-check"])
    if file.value.digest != _digest(file.text):
        raise data.DataError([f"{file.at('digest')}: was edited by hand since a re-run wrote it; {CURE}"])
    return file.value


def _digest(text: str) -> str:
    """A hash over all that the record says, its digest left out."""
    return hashlib.sha256(re.sub(r'"digest": "\w*"', "", text).encode()).hexdigest()[:16]


def write(root: Path, record: Record) -> None:
    text = json.dumps(asdict(record), indent=1, ensure_ascii=False) + "\n"
    files.write(path(root), text.replace(f'"digest": "{record.digest}"', f'"digest": "{_digest(text)}"'))


def runs(program: Program) -> list[Program]:
    """The runs of a program that are recorded: its own, and the small one."""
    return [program, *declarations.small_runs([program])]


def state(program: Program) -> str:
    """A key over the keys and outputs of a program's transcripts."""
    parts = []
    for run in runs(program):
        try:
            known = keys.load(run).provenance
        except TranscriptError:
            known = {}
        parts.append(f"{run.label} {known.get('key', '')} {known.get('output', '')}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def whole_state(programs: Iterable[Program]) -> str:
    """One key over the keys and outputs of all transcripts."""
    return hashlib.sha256("\n".join(sorted(map(state, programs))).encode()).hexdigest()[:16]


def not_rerun(record: Record, programs: Iterable[Program]) -> list[Program]:
    """The programs that have been recorded since the re-run, which says nothing of them as they are now."""
    known = record.programs
    return [
        one
        for one in programs
        if one.console.exists() and (one.path not in known or known[one.path].state != state(one))
    ]


def remark(root: Path, programs: Iterable[Program]) -> str:
    """What to say of a record that is older than transcripts; empty if it fits them, or there is none."""
    record = load(root)
    if record and (newer := not_rerun(record, programs)):
        return (
            f"{NAME}: {len(newer)} programs were recorded since the re-run of {record.date}, {newer[0].name} among them; "
            "on a GPU machine run make gpu-check"
        )
    return ""


def seconds(root: Path) -> dict[str, Seconds]:
    """How long each program took in the last re-run."""
    record = load(root)
    return record.seconds if record else {}
