"""What the committed record still says: a test that has not run since counts as it ended, while its program is the same.

So a re-run that is longer than a machine can be had goes on where the last one stopped, on another day, without its folder
of results. The record names for each program the state that ran, and when which of its tests passed.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lockstep.files import ROOT
from lockstep.programs.declarations import Program
from lockstep.programs.sources import SourceError
from lockstep.recordings import claims, keys, rerun_record
from lockstep.recordings.rerun_record import Record
from lockstep.recordings.transcripts import TranscriptError
from lockstep.rerun import tests
from lockstep.rerun.results import FAILED, PASSED, SKIPPED, Result

_PAGE = re.compile(r"docs/(?P<page>\S+?)\.(?:rst|claims)\b")
_CLAIM = re.compile(r'does not hold: "(?P<claim>[^"]*)"')


def state(program: Program) -> str:
    """A key over the sources and the transcripts of a program."""
    parts = []
    for run in tests.runs(program):
        try:
            known = keys.load(run)
            parts.append(f"{keys.ingredients(run, known)} {known.provenance.get('output', '')}")
        except (TranscriptError, SourceError) as error:
            parts.append(str(error))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def page_of(text: str) -> str:
    """The page that a finding names, without its ending; empty if it names none."""
    match = _PAGE.search(text)
    return match["page"] if match else ""


class Standing:
    """The results of an earlier record, as far as they stand; `record` is that record."""

    def __init__(self, record: Record, programs: Mapping[str, Program], root: Path = ROOT):
        self.record = record
        self.root = root
        self.results = {result.test: result for result in _results(record, programs)}

    @property
    def passed(self) -> set[str]:
        """The tests that need not run again."""
        return {name for name, result in self.results.items() if result.outcome == PASSED}

    def of_page(self, name: str, page: str) -> list[Any]:
        """What one of the record's lists says of a page, but of claims that the page no longer makes."""
        made = claims.load(self.root / "docs" / f"{page}.claims", self.root).claims
        entries = (entry for entry in self.record.get(name, []) if _page(entry) == page)
        return [entry for entry in entries if not (claim := _claim(entry)) or claim in made]


def _claim(entry: Any) -> str:
    """The claim that an entry of the record says does not hold; empty if it is of something else."""
    match = _CLAIM.search(entry if isinstance(entry, str) else entry.get("what", ""))
    return match["claim"] if match else ""


def _page(entry: Any) -> str:
    if isinstance(entry, str):
        return page_of(entry)
    return str(entry.get("page") or page_of(entry.get("what", "")))


def load(root: Path, programs: Mapping[str, Program]) -> Standing:
    """What stands of the committed record; nothing if there is none."""
    return Standing(rerun_record.load(root) or {}, programs, root)


def _results(record: Record, programs: Mapping[str, Program]) -> Iterable[Result]:
    machine = {name: record.get(name, "") for name in ("gpu", "driver", "toolkit")}
    reasons = {entry["test"]: entry["reason"] for entry in record.get("skipped", [])}
    failed = set(record.get("failed", []))
    for path, entry in record.get("programs", {}).items():
        program = programs.get(path)
        if not program or entry["state"] != state(program):
            continue
        for date, names in entry["ended"].items():
            for short in names:
                name, kind = tests.named(path, short)
                outcome = FAILED if name in failed else SKIPPED if name in reasons else PASSED
                yield Result(name, kind, path, outcome, "", 0.0, said=reasons.get(name, ""), machine=machine, date=date)


def ended(results: Iterable[Result], programs: Mapping[str, Program]) -> dict[str, dict[str, Any]]:
    """For the record: the state of each program that ran, and on which day which of its tests ended."""
    found: dict[str, dict[str, Any]] = {}
    for result in sorted(results, key=lambda one: (one.program, one.date, one.test)):
        if result.program not in programs:
            continue
        if result.program not in found:
            found[result.program] = {"state": state(programs[result.program]), "ended": {}}
        by_day = found[result.program]["ended"]
        by_day.setdefault(result.date, []).append(tests.parts_of(result.test, result.kind)[1])
    return found
