"""One browser for all tests."""

import shutil

import pytest


@pytest.fixture(scope="session")
def browser():
    from lockstep.site import browser as checks

    if not shutil.which("chromium"):
        pytest.skip("chromium is missing; ci/setup.sh check installs it")
    with checks.chromium() as running:
        yield running
