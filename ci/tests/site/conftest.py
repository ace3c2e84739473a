"""A site of a page or two."""

from pathlib import Path

import pytest

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
