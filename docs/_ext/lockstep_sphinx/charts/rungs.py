"""`.. rungs::` - the rungs of a ladder as a list of links, each with its rate and a bar: what the first page shows."""

from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from lockstep.programs.declarations import Program
from lockstep.recordings import series
from lockstep_sphinx import addresses, domain, html_nodes, templates
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
            found = ladder.rungs([row for _, row in rows], vendor, "")
        except (ChartError, ValueError) as error:
            return self.warn("%s", error)
        node = rung_list("", *self.parse_content_to_nodes())
        node["rungs"] = [
            (program, rung.name, rung.percent, rung.note) for (program, _), rung in zip(rows, found, strict=True)
        ]
        node["vendor"] = ladder.NAMES.get(vendor, vendor)
        return [node]


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    builder = translator.builder
    best = max(percent for _, _, percent, _ in node["rungs"])
    last = next(note for _, _, percent, note in node["rungs"] if percent == best)
    rate, unit = last.split(",")[0].split(" ")
    found = [
        {
            "name": name,
            "rate": note.split(",")[0],
            "percent": f"{min(percent, 100):.1f}",
            "address": _address(translator, program),
        }
        for program, name, percent, note in node["rungs"]
    ]
    html = templates.render(
        "charts/rungs.html",
        rungs=found,
        vendor=node["vendor"],
        best=f"{float(rate) / best * 100:.4g} {unit}",
        caption=html_nodes.inner(translator, node.children),
    )
    assert builder
    translator.body.append(html)
    raise nodes.SkipNode


def _address(translator: HTML5Translator, program: Program) -> str:
    """The address of a program's card."""
    pages = domain.of(translator.builder.env).pages(program.path, "card")
    target = translator.builder.get_target_uri(pages[0]) if pages else f"{addresses.page_of_source(program.path)}.html"
    return f"{addresses.address(translator.builder, target)}#{card.anchor(program.name)}"


def setup(app: Sphinx) -> None:
    app.add_directive("rungs", Rungs)
    html_nodes.add_node(app, rung_list, visit)
