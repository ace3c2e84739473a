"""What a page's script needs to show a reader's numbers beside ours: the recordings that the page shows, and how.

Each page with measured numbers gets a file `_compare/PAGE.js`, which the browser loads when a reader asks to compare. With
`lockstep_compare_with = "HEAD"` (what `make serve` sets) it also holds the recordings of another GPU that stand in the
working tree and not in that commit; the page then compares without being asked.
"""

import functools
import json
import subprocess
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from lockstep import files
from lockstep.programs.declarations import Program
from lockstep.recordings import numbers
from lockstep_sphinx import lookup, outdated
from lockstep_sphinx.diagram import drawing
from lockstep_sphinx.project import Project
from lockstep_sphinx.transcript import program_transcript

CEILINGS = "ladders/card/this_card"
"""The program that measures a GPU's peak rates."""

_FOLDER = "_compare"
_FOUND = '"found":{'
_TENSOR_CORES = ("mma.", "wmma::", "wgmma", "__nv_bfloat16")


def cells(doctree: nodes.document) -> list[nodes.inline]:
    """The measured numbers in the page's tables, in the order in which they stand there."""
    return [cell for table in doctree.findall(nodes.table) for cell in table.findall(nodes.inline) if "reads" in cell]


def shown(doctree: nodes.document, project: Project) -> dict[str, Program]:
    """The programs of which the page shows measured numbers."""
    names: set[str] = {name for cell in cells(doctree) for name in cell["reads"]}
    for recorded in doctree.findall(program_transcript):
        if numbers.found(recorded.astext()):
            names.add(recorded["program"])
    for figure in doctree.findall(drawing):
        written: list[tuple[Program, str]] = figure.get("files", [])
        names.update(program.path for program, _ in written)
    return {
        path: program
        for path, program in project.programs.items()
        if path in names or program.name in names or names & {Path(name).name for name in program.data}
    }


@functools.cache
def _git(root: Path, *arguments: str) -> str:
    """What git prints; nothing where there is no git, or no repository."""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def recording(program: Program, root: Path, commit: str = "") -> dict[str, Any]:
    """A program's transcript, without what only the recorder needs, and its data files."""

    def text(path: Path) -> str:
        if not commit:
            return path.read_text(encoding="utf-8") if path.exists() else ""
        return _git(root, "show", f"{commit}:./{path.relative_to(root)}")

    lines = text(program.console).splitlines()
    kept = [line for line in lines if not line.startswith("# ") or line.startswith("# gpu: ")]
    return {"console": "\n".join(kept), "data": {name: text(program.directory / name) for name in program.data}}


def _gpu(recording: dict[str, Any]) -> str:
    return str(recording["console"]).partition("\n")[0]


def _entry(program: Program, root: Path, commit: str) -> dict[str, Any]:
    """A program's recording as the page shows it; in comparison with a commit, that commit's beside the one found."""
    source = program.source.read_text(encoding="utf-8")
    peak = "cuBLASLt bf16, 8192" if any(word in source for word in _TENSOR_CORES) else "cuBLAS float, 8192"
    here = recording(program, root)
    changed = _git(root, "diff", "--name-only", "--relative", commit, "--", "programs") if commit else ""
    if str(program.console.relative_to(root)) in changed.splitlines():
        before = recording(program, root, commit)
        if before["console"] and _gpu(before) != _gpu(here):
            return {**before, "peak": peak, "found": here}
    return {**here, "peak": peak}


def _chart(node: drawing) -> dict[str, Any]:
    return {"files": [[program.path, name] for program, name in node["files"]], **node["compare"]}


def _write(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Writes a page's file, or takes it away where the page no longer shows a measured number."""
    if app.builder.name not in ("html", "dirhtml"):
        return
    path = Path(app.outdir) / _FOLDER / f"{docname}.js"
    project = lookup.project_of(app.config)
    found = shown(doctree, project)
    if not found:
        path.unlink(missing_ok=True)
        return
    if CEILINGS in project.programs:
        found[CEILINGS] = project.programs[CEILINGS]
    commit = app.config.lockstep_compare_with
    entries = {name: _entry(program, project.root, commit) for name, program in found.items()}
    data = {
        "programs": entries,
        "charts": [_chart(node) for node in doctree.findall(drawing) if node["kind"] == "chart"],
        "cells": [{"shown": cell.astext(), "is": cell["formula"], "format": cell["form"]} for cell in cells(doctree)],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write(path, f"lockstepData.push({json.dumps(data, separators=(',', ':'))});\n")


def _depend(app: Sphinx, doctree: nodes.document) -> None:
    """The file of each page with measured numbers holds the peaks too."""
    project = lookup.project_of(app.config)
    if CEILINGS in project.programs and shown(doctree, project):
        outdated.depend(app.env, [project.programs[CEILINGS].console])


def _mark(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Tells the script of a page that recordings of another GPU were found for it."""
    path = Path(app.outdir) / _FOLDER / f"{page}.js"
    if app.config.lockstep_compare_with and path.exists() and _FOUND in path.read_text(encoding="utf-8"):
        context["body"] += '<div class="compare-found" hidden></div>\n'


def _forget(app: Sphinx) -> None:
    _git.cache_clear()


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", _forget)
    app.add_config_value("lockstep_compare_with", "", "env", str)
    app.connect("doctree-read", _depend, priority=600)
    app.connect("doctree-resolved", _write)
    app.connect("html-page-context", _mark)
