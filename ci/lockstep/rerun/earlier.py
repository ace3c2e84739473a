"""What the committed record still says: a test that has not run since counts as it ended, while its program is the same.

So a re-run that is longer than a machine can be had goes on where the last one stopped, on another day, without its folder
of results. The record names for each program the state that ran, and when which of its tests passed.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from lockstep.files import ROOT
from lockstep.programs.declarations import Program
from lockstep.recordings import claims, keys, rerun_record
from lockstep.recordings.rerun_record import NotEvaluated, Otherwise, Ran, Record, runs, state
from lockstep.rerun import tests
from lockstep.rerun.results import FAILED, PASSED, SKIPPED, Result

_PAGE = re.compile(r"docs/(?P<page>\S+?)\.(?:rst|claims)\b")
_CLAIM = re.compile(r'does not hold: "(?P<claim>[^"]*)"')
Entry = TypeVar("Entry", str, NotEvaluated, Otherwise)


def page_of(text: str) -> str:
    """The page that a finding names, without its ending; empty if it names none."""
    match = _PAGE.search(text)
    return match["page"] if match else ""


class Earlier:
    """The results of an earlier record, as far as they count; `record` is that record."""

    def __init__(self, record: Record | None, programs: Mapping[str, Program], root: Path = ROOT):
        self.record = record
        self.root = root
        self.results = {result.test: result for result in _results(record, programs)} if record else {}

    @property
    def passed(self) -> set[str]:
        """The tests that need not run again."""
        return {name for name, result in self.results.items() if result.outcome == PASSED}

    def of_page(self, entries: Iterable[Entry], page: str) -> list[Entry]:
        """What one of the record's lists says of a page, but of claims that the page no longer makes."""
        made = claims.load(self.root / "docs" / f"{page}.claims", self.root).claims
        mine = [entry for entry in entries if _page(entry) == page]
        return [entry for entry in mine if not (match := _CLAIM.search(_words(entry))) or match["claim"] in made]


def _words(entry: str | NotEvaluated | Otherwise) -> str:
    return entry if isinstance(entry, str) else entry.what


def _page(entry: str | NotEvaluated | Otherwise) -> str:
    return entry.page if isinstance(entry, Otherwise) else page_of(_words(entry))


def load(root: Path, programs: Mapping[str, Program]) -> Earlier:
    """What still counts of the committed record; nothing if there is none."""
    return Earlier(rerun_record.load(root), programs, root)


def _results(record: Record, programs: Mapping[str, Program]) -> Iterable[Result]:
    machine = {"gpu": record.gpu, "driver": record.driver, "toolkit": record.toolkit}
    reasons = {entry.test: entry.reason for entry in record.skipped}
    for path, ran in record.programs.items():
        program = programs.get(path)
        if not program or ran.state != state(program) or any(keys.problems(run, program.root) for run in runs(program)):
            continue
        for date, names in ran.ended.items():
            for short in names:
                name, kind = tests.named(path, short)
                outcome = FAILED if name in record.failed else SKIPPED if name in reasons else PASSED
                yield Result(name, kind, path, outcome, "", 0.0, said=reasons.get(name, ""), machine=machine, date=date)


def ended(results: Iterable[Result], programs: Mapping[str, Program]) -> dict[str, Ran]:
    """For the record: the state of each program that ran, and on which day which of its tests ended."""
    found: dict[str, Ran] = {}
    for result in sorted(results, key=lambda one: (one.program, one.date, one.test)):
        if result.program not in found:
            found[result.program] = Ran(state(programs[result.program]), {})
        by_day = found[result.program].ended
        by_day.setdefault(result.date, []).append(tests.parts_of(result.test, result.kind)[1])
    return found
