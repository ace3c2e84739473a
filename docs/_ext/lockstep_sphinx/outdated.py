"""Has a page read again when a file that decides what it shows changes, or appears."""

from collections.abc import Iterable
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from lockstep_sphinx import domain


def depend(env: BuildEnvironment, files: Iterable[Path]) -> None:
    """Has the page read again when one of the files changes, or appears."""
    for file in map(str, files):
        if Path(file).exists():
            env.note_dependency(file)
        else:  # Sphinx would read the page again each time
            domain.of(env).data["missing"].setdefault(env.docname, set()).add(file)


def _outdated(app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    missing = domain.of(env).data["missing"]
    return [docname for docname, files in missing.items() if any(Path(file).exists() for file in files)]


def setup(app: Sphinx) -> None:
    app.connect("env-get-outdated", _outdated)
