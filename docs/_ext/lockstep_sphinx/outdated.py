"""Has a page read again when the content of a file that decides what it shows changes.

Sphinx compares dates. A file that comes out of an archive may be new and bear an old date; and after a build that was
interrupted the dates say that all is well, though its pages were never written. So each page keeps a digest of each file
that it shows something of, and a build that did not end leaves a mark, at which the next one begins afresh.
"""

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from lockstep_sphinx import domain, templates

_OURS = ("lockstep", "lockstep_sphinx", "lockstep_theme")
_digests: dict[str, str] = {}


def digest(file: Path | str) -> str:
    """A digest of a file's content, taken once a build; empty where there is none."""
    name = str(file)
    if name not in _digests:
        try:
            with open(name, "rb") as opened:
                _digests[name] = hashlib.sha256(opened.read()).hexdigest()[:24]
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            _digests[name] = ""
    return _digests[name]


def depend(env: BuildEnvironment, files: Iterable[Path | str]) -> None:
    """Has the page read again when one of the files changes, appears or disappears."""
    known = domain.of(env).data["depends"].setdefault(env.docname, {})
    known.update({str(file): digest(file) for file in files})


def _depend_on_itself(app: Sphinx, doctree: nodes.document) -> None:
    depend(app.env, [app.env.doc2path(app.env.docname)])


def code() -> str:
    """A digest of what makes pages: this extension with its templates, and what it uses of the project's package."""
    modules = [module for name, module in sorted(sys.modules.items()) if name.partition(".")[0] in _OURS]
    files: list[Path | str] = [module.__file__ for module in modules if module.__file__]
    return hashlib.sha256("".join(digest(file) for file in [*files, *templates.files()]).encode()).hexdigest()


def _mark(app: Sphinx) -> Path:
    return Path(app.doctreedir) / f"unfinished.{app.builder.name}"


def _outdated(app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """The pages to read again: all of them where the last build did not end, or other code made them."""
    known = domain.of(env)
    now, mark = code(), _mark(app)
    everything = mark.exists() or known.data["code"] != now
    known.data["code"] = now
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    if everything:
        return sorted(env.found_docs)
    return [
        docname
        for docname, files in known.data["depends"].items()
        if docname in env.found_docs and any(digest(file) != before for file, before in files.items())
    ]


def _forget(app: Sphinx) -> None:
    _digests.clear()


def _finish(app: Sphinx, exception: Exception | None) -> None:
    if exception is None:
        _mark(app).unlink(missing_ok=True)


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", _forget)
    app.connect("env-get-outdated", _outdated)
    app.connect("doctree-read", _depend_on_itself)
    app.connect("build-finished", _finish, priority=900)  # when all else is written
