"""What a page's script needs to show a reader's numbers beside ours: the recordings that the page shows, and how.

Each page with measured numbers gets a file `_compare/PAGE.js`, which the browser loads when a reader asks to compare. With
`lockstep_compare_with` naming a folder of committed recordings (what `make serve` sets) it also holds those of another GPU
that stand in the working tree instead; the page then compares without being asked.
"""

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from lockstep import files
from lockstep.programs.declarations import Program
from lockstep.recordings import numbers
from lockstep_sphinx import lookup, outdated, templates
from lockstep_sphinx.drawings.diagram import drawing
from lockstep_sphinx.project import Project
from lockstep_sphinx.transcript.transcript import program_transcript

PEAKS = "ladders/card/this_card"
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


def recording(program: Program, folder: Path) -> dict[str, Any]:
    """A program's transcript in its folder or a copy of it, without what only the recorder needs, and its data files."""

    def text(name: str) -> str:
        path = folder / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    lines = text(program.console.name).splitlines()
    kept = [line for line in lines if not line.startswith("# ") or line.startswith("# gpu: ")]
    return {"console": "\n".join(kept), "data": {name: text(name) for name in program.data}}


def _gpu(recording: dict[str, Any]) -> str:
    return str(recording["console"]).partition("\n")[0]


def _entry(program: Program, committed: Path | None) -> dict[str, Any]:
    """A program's recording as the page shows it; with committed ones, that of another GPU beside the one found."""
    source = program.source.read_text(encoding="utf-8")
    peak = "cuBLASLt bf16, 8192" if any(word in source for word in _TENSOR_CORES) else "cuBLAS float, 8192"
    here = recording(program, program.directory)
    if committed:
        before = recording(program, committed / program.directory.relative_to(program.root))
        if before["console"] and _gpu(before) != _gpu(here):
            data = {name: text or here["data"][name] for name, text in before["data"].items()}  # kept where it differs
            return {**before, "data": data, "peak": peak, "found": here}
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
    if PEAKS in project.programs:
        found[PEAKS] = project.programs[PEAKS]
    folder = app.config.lockstep_compare_with
    committed = project.root / folder if folder else None
    entries = {name: _entry(program, committed) for name, program in found.items()}
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
    if PEAKS in project.programs and shown(doctree, project):
        outdated.depend(app.env, [project.programs[PEAKS].console])


def _mark(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Tells the script of a page that recordings of another GPU were found for it."""
    path = Path(app.outdir) / _FOLDER / f"{page}.js"
    if app.config.lockstep_compare_with and path.exists() and _FOUND in path.read_text(encoding="utf-8"):
        context["body"] += templates.render("compare/found.html")


def setup(app: Sphinx) -> None:
    app.add_config_value("lockstep_compare_with", "", "env", str)
    app.connect("doctree-read", _depend, priority=600)
    app.connect("doctree-resolved", _write)
    app.connect("html-page-context", _mark)
