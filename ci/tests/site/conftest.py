"""A site of a page or two, and one browser for all tests."""

import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "ci/site"), str(ROOT / "ci")]

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">{head}</head>
<body><main role="main"><h1>A page</h1>{body}</main></body></html>
"""


@pytest.fixture
def site(tmp_path):
    """Writes pages into a folder: `site(index="<p>text</p>")`; a double underscore stands for a slash."""

    def write(head: str = "", **bodies: str) -> Path:
        for name, body in bodies.items():
            path = tmp_path / (name.replace("__", "/") + ".html")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(PAGE.format(head=head, body=body))
        return tmp_path

    return write


@pytest.fixture(scope="session")
def browser():
    import browser as checks

    if not shutil.which("chromium"):
        pytest.skip("chromium is missing; ci/setup.sh check installs it")
    with checks.chromium() as running:
        yield running
