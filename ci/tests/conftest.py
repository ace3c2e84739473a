"""One browser for all tests; and those that look at the site's own pages and programs say so."""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lockstep.checks.steps import TOOLS

ROOT = Path(__file__).resolve().parents[2]
NOT_KEPT = (".git/", ".venv/", ".cuda/", "build/")  # and the declarations, which tell of all programs
os.environ.pop("LOCKSTEP_CACHE", None)  # `make check ALL=1` looks nothing up; what a cache does is tested all the same
_watched: list[str] = []  # what the running test has read of the site's content
_watching = False


def is_content(path: str) -> bool:
    """Whether a file is one of the project that is not among the tools' own."""
    name = path.removeprefix(f"{ROOT}/")
    if name == path or name.startswith(NOT_KEPT):
        return name == "build/declarations.json"
    return os.path.isfile(path) and not name.startswith(TOOLS)


def _audit(event: str, arguments: tuple) -> None:
    if _watching and event == "open" and isinstance(arguments[0], str | os.PathLike):
        path = os.path.abspath(os.fspath(arguments[0]))
        if is_content(path):
            _watched.append(path)


sys.addaudithook(_audit)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """`make check` leaves out the tests of unchanged tools: one that reads pages or programs must not be among them."""
    global _watching
    _watched.clear()
    _watching = item.get_closest_marker("content") is None
    outcome = yield
    _watching = False
    if _watched:
        outcome.force_exception(AssertionError(f"reads {_watched[0]}; mark this test with @pytest.mark.content"))


@pytest.fixture
def rerun_json():
    """Writes the record of a re-run into a project: one that adds up, with some of its values changed."""
    from lockstep.recordings import rerun_record
    from lockstep.recordings.rerun_record import Counts, Deviation, Kinds, NotEvaluated, Ran, Record, Skipped

    day = "2026-11-23"
    sanitizers = ["memcheck", "racecheck", "initcheck", "synccheck"]
    demo = {name: Ran("0", {day: ["recording", *sanitizers]}) for name in ("part/demo/demo", "part/demo/pair")}
    record = Record(
        date=day,
        gpu="NVIDIA H200 (compute capability 9.0, 1 GPU)",
        driver="580.1",
        toolkit="13.0.88",
        tests=Kinds(Counts(2, 1, 0, 1, 0, (day,)), Counts(8, 8, 0, 0, 0, (day,)), Counts(0, 0, 0, 0, 0, ())),
        numbers=210,
        claims=226,
        failed=[],
        skipped=[Skipped("part.demo.pair", "it needs 2 GPUs, this machine has 1")],
        not_evaluated=[NotEvaluated("part/demo.claims", "it needs 2 GPUs, this machine has 1")],
        otherwise=[],
        deviations=[
            Deviation("part/demo", "part/demo/demo", "read bandwidth", 3.91, 3.11, "TB/s", 1.257),
            Deviation("part/quiet", "part/quiet/still", "rate", 1.0, 1.0, "", 1.0),
        ],
        seconds={},
        pages={"part/demo": (210, 226)},
        programs=demo,
    )

    def write(root: Path, **changes) -> Path:
        path = rerun_record.path(root)
        path.parent.mkdir(exist_ok=True)
        rerun_record.write(root, replace(record, **changes))
        return path

    return write


@pytest.fixture(scope="session")
def browser():
    from lockstep.site import browser as checks

    if not shutil.which("chromium"):
        pytest.skip("chromium is missing; ci/setup.sh check installs it")
    with checks.chromium() as running:
        yield running
