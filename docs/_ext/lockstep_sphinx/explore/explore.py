"""`.. explore::` - a calculator, and the recorded cases that the checks compare it with.

What it computes stands in the scripts beside this module and is loaded when a reader is about to see it; without JavaScript the
recorded cases remain. All of them stand on the page, since the calculator looks there for the case that it shows.
"""

from pathlib import Path

from docutils import nodes
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from lockstep import calculators
from lockstep.calculators import CALCULATORS, Calculator
from lockstep.data import DataError
from lockstep.recordings import series
from lockstep_sphinx import addresses, html_nodes, templates
from lockstep_sphinx.charts import chart
from lockstep_sphinx.directive import SiteDirective

SEEN = Path(__file__).with_name("seen.js")


class explorer(nodes.General, nodes.Element):
    """Carries a calculator's recorded cases; its children are the author's words."""


class Explore(SiteDirective):
    """Shows a calculator."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        calculator = CALCULATORS.get(self.arguments[0])
        if calculator is None:
            return self.warn("no calculator %s; there are %s", self.arguments[0], ", ".join(CALCULATORS))
        if calculator.page != self.env.docname:
            return self.warn("the calculator %s belongs to %s", calculator.name, calculator.page)
        program = self.project.find(calculator.program)
        if program is None or calculator.data not in program.data:
            return self.warn("no program %s declares %s under DATA", calculator.program, calculator.data)
        book = Path(self.env.doc2path(self.env.docname)).with_suffix(".explore")
        self.shows("explore", program, book, SEEN)
        self.warn_if_stale(program)
        node = explorer("", *self.parse_content_to_nodes(), calculator=calculator.name, program=program)
        path = program.directory / calculator.data
        node["rows"] = series.read(path) if path.exists() else []
        try:
            node["deviations"] = deviations(self.project.root, calculator)
        except DataError as error:
            return self.warn("%s", error)
        return [node]


def deviations(root: Path, calculator: Calculator) -> list[str]:
    """What the page says of the cases that are not as predicted, one sentence each."""
    return [
        f"{calculators.words(found.case)}: recorded {calculators.words(found.recorded)}, since {found.because}."
        for found in calculators.book(root, calculator.page).value.deviations
    ]


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    """The box that the calculator goes into with the author's words, the recorded cases, and the script that waits."""
    calculator, rows = CALCULATORS[node["calculator"]], node["rows"]
    html = templates.render(
        "explore/explore.html",
        calculator=calculator.name,
        columns=list(rows[0]) if rows else [],
        folder=addresses.address(translator.builder, "_static/explore/"),
        words=html_nodes.inner(translator, node.children),
        rows=rows,
        heads=chart.heads(rows),
        deviations=node["deviations"],
        address=addresses.download_address(translator.builder, node["program"], calculator.data),
        file=calculator.data,
        script=Markup(SEEN.read_text(encoding="utf-8")),
    )
    translator.body.append(html)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("explore", Explore)
    html_nodes.add_node(app, explorer, visit)
