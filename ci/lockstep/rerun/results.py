"""Results of a re-run: one line of JSON each, appended as soon as it is known, so that an interrupted run loses nothing.

A folder of results holds, for one shard:

    plan.json       which tests there are, and which of them this shard runs
    results.jsonl   one result a line; a later one of the same test replaces an earlier one
    rerun/          what the programs printed, and the data files that they wrote
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from lockstep import data, files
from lockstep.errors import LockstepError

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
RESULTS, PLAN, OUTPUTS = "results.jsonl", "plan.json", "rerun"


_CURE = "name a folder that gpu-check of this version wrote"


class ResultsError(LockstepError):
    """Results that cannot be read or do not belong together; the text says what to do."""


@dataclass(frozen=True)
class Result:
    """How one test ended. `key` is over all that it ran; `deviations` are the largest of its measured numbers.

    `again`: it failed beside others, or with one of several GPUs in sight, and is to run again alone; until then it says nothing.
    """

    test: str
    kind: str
    program: str
    outcome: str
    key: str
    seconds: float
    alone: bool = False
    said: str = ""
    deviations: list[dict[str, Any]] = field(default_factory=list)
    machine: dict[str, str] = field(default_factory=dict)
    date: str = ""
    again: bool = False


@dataclass(frozen=True)
class Plan:
    """Which tests there are (name and kind), which of them this shard runs, and what is wrong before any of them runs."""

    shard: str
    state: str
    tests: dict[str, str]
    chosen: list[str]
    problems: list[str]


def append(folder: Path, result: Result) -> None:
    """Adds a result, and sees to it that it is on the disk."""
    # a new line even after one that was cut off
    files.append(folder / RESULTS, "\n" + json.dumps(asdict(result), ensure_ascii=False))


def load(folder: Path) -> dict[str, Result]:
    """The last result of each test; none if nothing ran yet. A line that was cut off is left out."""
    path = folder / RESULTS
    found = {}
    for number, line in enumerate(path.read_bytes().split(b"\n") if path.exists() else [], 1):
        try:
            json.loads(line)
        except ValueError:
            continue
        result = data.parse(line, Result, f"{path}:{number}", is_json=True, cure=_CURE).value
        found[result.test] = result
    return found


def write_plan(folder: Path, plan: Plan) -> None:
    files.write(folder / PLAN, json.dumps(asdict(plan), indent=1, ensure_ascii=False) + "\n")


def chosen_before(folder: Path, state: str, tests: dict[str, str]) -> set[str]:
    """What an earlier run of the same state of the project chose in this folder, such as tests of another kind."""
    if not (folder / PLAN).exists():
        return set()
    before = load_plan(folder)
    return set(before.chosen) & set(tests) if before.state == state else set()


def load_plan(folder: Path) -> Plan:
    """The plan of a shard; raises ResultsError where there is none."""
    path = folder / PLAN
    if not path.exists():
        raise ResultsError(f"{folder} holds no {PLAN}; name folders that gpu-check run --results wrote")
    return data.read(path, Plan, folder.parent, _CURE)
