"""One browser for all tests."""

import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "ci/site"), str(ROOT / "ci")]


@pytest.fixture(scope="session")
def browser():
    import browser as checks

    if not shutil.which("chromium"):
        pytest.skip("chromium is missing; ci/setup.sh check installs it")
    with checks.chromium() as running:
        yield running
