"""One browser for all tests; and those that look at the site's own pages and programs say so."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS_OWN = tuple(str(ROOT / folder) for folder in ("programs/include", "programs/emulator"))
_watched: list[str] = []  # what the running test has read of the site's content
_watching = False


def is_content(path: str) -> bool:
    """Whether a file is part of what the site teaches, rather than of its tools."""
    if path.startswith(TOOLS_OWN):
        return False
    in_docs = path.startswith(f"{ROOT}/docs/") and path.endswith((".rst", ".claims", ".explore"))
    return in_docs or (path.startswith(f"{ROOT}/programs/") and path.endswith((".cu", ".console", ".csv")))


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
