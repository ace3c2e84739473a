"""`.. rungs::` - the rungs of a ladder as a list of links, each with its rate and a bar: what the first page shows."""

from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.writers.html5 import HTML5Translator

from lockstep.programs.declarations import Program
from lockstep.recordings import series
from lockstep_sphinx import addresses, html_nodes, templates
from lockstep_sphinx.card import card
from lockstep_sphinx.charts import chart, ladder
from lockstep_sphinx.charts.chart import ChartError


class rung_list(nodes.General, nodes.Element):
    """Carries the rungs; its children are the caption, which other formats show alone."""


class Rungs(chart.Chart):
    """Reads one row of each of several data files; each is a link to the card of the program that wrote it."""

    final_argument_whitespace = True
    needed = ("vendor",)
    option_spec = {"vendor": directives.unchanged_required}

    def _draw(self, sources: list[tuple[Program, Path]]) -> list[nodes.Node]:
        vendor = self.options["vendor"]
        try:
            rows = [(program, row) for program, path in sources for row in series.read(path)]
            drawn = ladder.rungs([row for _, row in rows], vendor, "")
            column = ladder.rate_column(rows[0][1])
        except (ChartError, ValueError) as error:
            return self.warn("%s", error)
        unit = ladder.UNITS[column]
        node = rung_list("", *self.parse_content_to_nodes())
        node["rungs"] = [
            (program, rung.name, f"{float(row[column]):.4g} {unit}", f"{min(rung.percent, 100):.1f}")
            for (program, row), rung in zip(rows, drawn, strict=True)
        ]
        best, rate = max((rung.percent, float(row[column])) for (_, row), rung in zip(rows, drawn, strict=True))
        node["vendor"] = ladder.NAMES.get(vendor, vendor)
        node["best"] = f"{rate / best * 100:.4g} {unit}"
        return [node]


def _address(builder: StandaloneHTMLBuilder, program: Program) -> str:
    """Where a program's card is, or else its source."""
    return card.address(builder, builder.current_docname, program) or addresses.source_address(builder, program.path)


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    builder = translator.builder
    found = [
        {"name": name, "rate": rate, "percent": percent, "address": _address(builder, program)}
        for program, name, rate, percent in node["rungs"]
    ]
    html = templates.render(
        "charts/rungs.html",
        rungs=found,
        vendor=node["vendor"],
        best=node["best"],
        caption=html_nodes.inner(translator, node.children),
    )
    translator.body.append(html)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("rungs", Rungs)
    html_nodes.add_node(app, rung_list, visit)
