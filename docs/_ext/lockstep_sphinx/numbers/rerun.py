"""`.. rerun-record::` - what the last re-run on a GPU found, from `docs/rerun.json`."""

from collections import Counter
from typing import Any

from docutils import nodes
from docutils.nodes import Element, Node
from sphinx import addnodes
from sphinx.application import Sphinx

from lockstep.data import DataError
from lockstep.programs import declarations
from lockstep.programs.declarations import Program
from lockstep.recordings import rerun_record
from lockstep.recordings.numbers import OPPOSITE
from lockstep.recordings.rerun_record import Deviation, Otherwise, Record
from lockstep_sphinx import outdated
from lockstep_sphinx.directive import SiteDirective
from lockstep_sphinx.index.program_index import count

KINDS = {
    "recording": "Transcripts, run again and compared",
    "sanitize": "Runs under compute-sanitizer",
    "exercise": "Solutions, starters and mutants of exercises",
}
_NAMED = 10  # so many programs are named
_PAGES = 10  # so many pages are listed, those with the largest deviation


class RerunRecord(SiteDirective):
    """Shows the record, or one part of it: the summary, what was recorded since, or the differences."""

    optional_arguments = 1

    def run(self) -> list[Node]:
        project = self.project
        programs = list(project.programs.values())
        runs = [*programs, *declarations.small_runs(programs)]
        outdated.depend(self.env, [rerun_record.path(project.root), *(run.console for run in runs)])
        try:
            record = rerun_record.load(project.root)
        except DataError as error:
            return self.warn("%s", error)
        if record is None:
            return self.warn("%s is missing; %s", rerun_record.NAME, rerun_record.CURE)
        parts = {
            "summary": lambda: self._summary(record),
            "newer": lambda: _newer(rerun_record.not_rerun(record, programs)),
            "differences": lambda: self._differences(record),
        }
        asked = self.arguments or list(parts)
        if asked[0] not in parts:
            return self.warn("the record has no part %s; it has %s", asked[0], ", ".join(parts))
        return [node for name in asked for node in parts[name]()]

    def _summary(self, record: Record) -> list[Node]:
        gpus = record.gpu.replace("), ", ") and ")
        where = f"on {gpus}, with driver {record.driver} and CUDA Toolkit {record.toolkit}"
        kinds = [(title, getattr(record.tests, kind)) for kind, title in KINDS.items()]
        days = sorted({date for _, counts in kinds for date in counts.dates} | {record.date})
        shown: list[Node] = [_paragraph(f"The last re-run was on {' and '.join(days)}, {where}.")]
        names = ["tests", "passed", "failed", "skipped", *(["not_run"] if any(one.not_run for _, one in kinds) else [])]
        rows = [[title, *(str(getattr(counts, name)) for name in names)] for title, counts in kinds]
        head = ["Tests", "Number", *(name.capitalize().replace("_", " ") for name in names[1:])]
        if len(days) > 1:
            head.append("Ran on")
            for row, (_, counts) in zip(rows, kinds, strict=True):
                row.append(", ".join(counts.dates))
        shown.append(_table(head, rows))
        if "not_run" in names:
            shown.append(
                _paragraph("What has not run is left to the next re-run, which can go on where this one stopped.")
            )
        shown.append(
            _paragraph(
                f"It computed {record.numbers} numbers in sentences and {record.claims} claims of the pages again."
            )
        )
        return shown + self._exceptions(record)

    def _differences(self, record: Record) -> list[Node]:
        shown = self._otherwise(record.otherwise)
        if moved := [self._row(entry) for entry in record.deviations[:_PAGES] if entry.factor > 1]:
            shown.append(_paragraph("The pages whose measured numbers moved most:"))
            shown.append(_table(["Page", "Number", "Recorded", "Measured again", "Factor"], moved))
        return shown or [_paragraph("No number moved, and every claim held.")]

    def _otherwise(self, entries: list[Otherwise]) -> list[Node]:
        """What did not hold on another model of GPU, by page."""
        if not entries:
            return []
        text = (
            "Some of it ran on another model of GPU than the recordings. There, these claims did not hold, and these numbers "
            "were further away than allowed:"
        )
        by_page: dict[str, list[Node]] = {}
        for entry in entries:
            told = by_page.setdefault(entry.page, [])
            told.append(nodes.Text("; " if told else ": "))
            broken = entry.what.partition("does not hold: ")[2]
            told.append(nodes.Text(broken) if broken else _number(entry.what))
        items = []
        for page, told in by_page.items():
            name = self._page(page)
            first = nodes.Text(name) if isinstance(name, str) else name
            items.append(nodes.list_item("", nodes.paragraph("", "", first, *told)))
        return [_paragraph(text), nodes.bullet_list("", *items)]

    def _exceptions(self, record: Record) -> list[Node]:
        """What failed, and why something was skipped."""
        shown: list[Node] = []
        if record.failed:
            shown += [_paragraph("These failed:"), _bullets(record.failed)]
        reasons = Counter(entry.reason for entry in record.skipped)
        items = [f"{reason} ({count(number, 'test')})" for reason, number in reasons.items()]
        if left := record.not_evaluated:
            what = count(len(left), "number or claim of a page", "numbers and claims of pages")
            items.append(f"{what}, since a program that they need did not run, or was skipped")
        if items:
            shown += [_paragraph("What was skipped, and why:"), _bullets(items)]
        return shown

    def _row(self, entry: Deviation) -> list[str | Node]:
        unit = f" {entry.unit}" if entry.unit else ""
        name = entry.program.rpartition("/")[2]
        factor = f"{entry.factor:.3g}" if entry.factor < OPPOSITE else "none: the sign changed, or it was 0"
        values = [_number(f"~{value:g}{unit}") for value in (entry.recorded, entry.found)]
        return [self._page(entry.page), f"{name}: {entry.label}", *values, factor]

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


def _newer(programs: list[Program]) -> list[Node]:
    """The programs of which the record says nothing as they are now."""
    if not programs:
        return []
    names = ", ".join(program.name for program in programs[:_NAMED])
    rest = f" and {len(programs) - _NAMED} more" if len(programs) > _NAMED else ""
    text = f": {count(len(programs), 'program')} recorded since then, {names}{rest}."
    return [nodes.paragraph("", "", nodes.emphasis("", "Not re-run yet"), nodes.Text(text))]


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
