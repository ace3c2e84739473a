"""One browser for all tests; and those that look at the site's own pages and programs say so."""

import os
import shutil
import sys
from collections.abc import Iterator
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


@pytest.fixture(scope="session")
def browser():
    from lockstep.site import browser as checks

    if not shutil.which("chromium"):
        pytest.skip("chromium is missing; ci/setup.sh check installs it")
    with checks.chromium() as running:
        yield running
