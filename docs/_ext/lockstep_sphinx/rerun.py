"""`.. rerun-record::` - what the last re-run on a GPU found, from `docs/rerun.json`."""

from collections import Counter
from typing import Any

from docutils import nodes
from docutils.nodes import Element, Node
from sphinx import addnodes
from sphinx.application import Sphinx

from lockstep.programs import declarations
from lockstep.recordings import rerun_record
from lockstep.recordings.numbers import OPPOSITE
from lockstep.recordings.rerun_record import Record, RecordError
from lockstep_sphinx import outdated
from lockstep_sphinx.directive import SiteDirective
from lockstep_sphinx.program_index import count

NONE = "No re-run has been recorded yet."
KINDS = {
    "recording": "Transcripts, run again and compared",
    "sanitize": "Runs under compute-sanitizer",
    "exercise": "Solutions, starters and mutants of exercises",
}
_PAGES = 10  # so many pages are listed, those with the largest deviation


class RerunRecord(SiteDirective):
    """Shows the record as tables."""

    def run(self) -> list[Node]:
        project = self.project
        programs = list(project.programs.values())
        runs = [*programs, *declarations.small_runs(programs)]
        outdated.depend(self.env, [rerun_record.path(project.root), *(run.console for run in runs)])
        try:
            record = rerun_record.load(project.root)
        except RecordError as error:
            self.warn("%s", error)
            record = None
        if record is None:
            return [_paragraph(NONE)]
        try:
            return self._show(record, older=bool(rerun_record.remark(project.root, runs)))
        except (KeyError, TypeError, ValueError) as error:
            self.warn("%s: lacks %s; `python3 ci gpu-check merge` writes it whole", rerun_record.NAME, error)
            return [_paragraph(NONE)]

    def _show(self, record: Record, older: bool) -> list[Node]:
        where = f"on {record['gpu']}, with driver {record['driver']} and CUDA Toolkit {record['toolkit']}"
        tests = record["tests"]
        days = sorted({date for kind in KINDS for date in tests[kind].get("dates", ())} | {record["date"]})
        shown: list[Node] = [_paragraph(f"The last re-run was on {' and '.join(days)}, {where}.")]
        if older:
            shown.append(_paragraph("Some transcripts have been recorded since; the next re-run checks them."))
        names = ["tests", "passed", "failed", "skipped"]
        if any(tests[kind].get("not run") for kind in KINDS):
            names.append("not run")
        counts = [[title, *(str(tests[kind][name]) for name in names)] for kind, title in KINDS.items()]
        head = ["Tests", "Number", *(name.capitalize() for name in names[1:])]
        if len(days) > 1:
            head.append("Ran on")
            for row, kind in zip(counts, KINDS, strict=True):
                row.append(", ".join(tests[kind].get("dates", ())))
        shown.append(_table(head, counts))
        if "not run" in names:
            shown.append(
                _paragraph("What has not run is left to the next re-run, which can go on where this one stopped.")
            )
        shown += self._exceptions(record)
        shown.append(
            _paragraph(
                f"It computed {record['numbers']} numbers in sentences and {record['claims']} claims of the pages again."
            )
        )
        shown += self._otherwise(record.get("otherwise", []))
        if rows := [self._row(entry) for entry in record["deviations"][:_PAGES] if entry["factor"] > 1]:
            shown.append(_paragraph("The pages whose measured numbers moved most:"))
            shown.append(_table(["Page", "Number", "Recorded", "Measured again", "Factor"], rows))
        return shown

    def _otherwise(self, entries: list[dict[str, str]]) -> list[Node]:
        """What did not hold on another model of GPU, by page."""
        if not entries:
            return []
        text = (
            "It ran on another model of GPU than the recordings. There, these statements of pages did not hold, and these "
            "numbers were further away than allowed:"
        )
        by_page: dict[str, list[Node]] = {}
        for entry in entries:
            told = by_page.setdefault(entry["page"], [])
            told.append(nodes.Text("; " if told else ": "))
            broken = entry["what"].partition("does not hold: ")[2]
            told.append(nodes.Text(broken) if broken else _number(entry["what"]))
        items = []
        for page, told in by_page.items():
            name = self._page(page)
            first = nodes.Text(name) if isinstance(name, str) else name
            items.append(nodes.list_item("", nodes.paragraph("", "", first, *told)))
        return [_paragraph(text), nodes.bullet_list("", *items)]

    def _exceptions(self, record: Record) -> list[Node]:
        """What failed, and why something was skipped."""
        shown: list[Node] = []
        if record["failed"]:
            shown += [_paragraph("These failed:"), _bullets(record["failed"])]
        reasons = Counter(entry["reason"] for entry in record["skipped"])
        items = [f"{reason} ({count(number, 'test')})" for reason, number in reasons.items()]
        if left := record["not evaluated"]:
            what = count(len(left), "number or claim of a page", "numbers and claims of pages")
            items.append(f"{what}, since a program that they need did not run, or was skipped")
        if items:
            shown += [_paragraph("What was skipped, and why:"), _bullets(items)]
        return shown

    def _row(self, entry: dict[str, Any]) -> list[str | Node]:
        unit = f" {entry['unit']}" if entry["unit"] else ""
        name = entry["program"].rpartition("/")[2]
        factor = f"{entry['factor']:.3g}" if entry["factor"] < OPPOSITE else "none: the sign changed, or it was 0"
        values = [_number(f"~{entry[which]:g}{unit}") for which in ("recorded", "found")]
        return [self._page(entry["page"]), f"{name}: {entry['label']}", *values, factor]

    def _page(self, page: str) -> str | Node:
        """A link to a page, under its title."""
        known = next((name for name in (page, f"{page}/index") if name in self.env.found_docs), None)
        if known is None:
            return page
        link = addnodes.pending_xref(
            "", nodes.inline("", ""), refdomain="std", reftype="doc", reftarget=f"/{known}", refexplicit=False,
            refwarn=True, refdoc=self.env.docname,
        )  # fmt: skip
        return link


def _number(text: str) -> Node:
    """A number that the record holds: a check takes it for measured, not for typed."""
    return nodes.inline("", text, classes=["measured"])


def _paragraph(text: str) -> Node:
    return nodes.paragraph("", text)


def _bullets(items: list[str]) -> Node:
    return nodes.bullet_list("", *(nodes.list_item("", _paragraph(item)) for item in items))


def _table(head: list[str], rows: list[Any]) -> Node:
    """A table of texts and links."""

    def row(cells: list[str | Node]) -> Element:
        entries = []
        for cell in cells:
            inner = nodes.Text(cell) if isinstance(cell, str) else cell
            entries.append(nodes.entry("", nodes.paragraph("", "", inner)))
        return nodes.row("", *entries)

    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in head), cols=len(head))
    group += nodes.thead("", row(list(head)))
    group += nodes.tbody("", *(row(cells) for cells in rows))
    return nodes.table("", group)


def setup(app: Sphinx) -> None:
    app.add_directive("rerun-record", RerunRecord)
