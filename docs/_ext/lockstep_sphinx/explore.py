"""`.. explore::` - a calculator, and the recorded cases that the checks compare it with.

What it computes stands in docs/_static/explore and is loaded when a reader is about to see it; without JavaScript the
recorded cases remain. All of them stand on the page, since the calculator looks there for the case that it shows.
"""

from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from lockstep import calculators
from lockstep.calculators import CALCULATORS, Calculator
from lockstep.data import DataError
from lockstep.files import ROOT
from lockstep.recordings import series
from lockstep_sphinx import addresses, chart, html_nodes
from lockstep_sphinx.directive import SiteDirective

NEEDS = "A calculator stands here, on the site, in a browser with JavaScript."
SEEN = ROOT / calculators.FOLDER / "seen.js"


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
    """The box that the calculator goes into, with the author's words, which it shows."""
    columns = " ".join(node["rows"][0] if node["rows"] else ())
    folder = addresses.address(translator.builder, "_static/explore/")
    translator.body.append(
        f'<div class="lockstep-explore" data-explore="{node["calculator"]}" data-columns="{escape(columns)}" data-folder="{folder}">\n'
        f'<p class="explore-needs">{NEEDS}</p>\n<div hidden>\n'
    )


def depart(translator: HTML5Translator, node: nodes.Element) -> None:
    """The recorded cases, and the script that waits until a reader is about to see the box."""
    script = SEEN.read_text(encoding="utf-8")
    translator.body.append(f"</div>\n{_cases(translator, node)}</div><script>\n{script}</script>\n")


def _cases(translator: HTML5Translator, node: nodes.Element) -> str:
    rows, program = node["rows"], node["program"]
    if not rows:
        return '<p class="lockstep-stale">Its cases are not recorded yet.</p>\n'
    file = CALCULATORS[node["calculator"]].data
    link = addresses.download_address(translator.builder, program, file)
    apart = "".join(f"<li>{escape(sentence)}</li>" for sentence in node["deviations"])
    listed = f"<p>Not as predicted:</p><ul>{apart}</ul>\n" if apart else ""
    return (
        f'<details class="lockstep-cases"><summary>{len(rows)} recorded cases</summary>\n{chart.table(rows, len(rows))}\n'
        f'{listed}<p><a href="{escape(link)}" download>{escape(file)}</a></p></details>\n'
    )


def setup(app: Sphinx) -> None:
    app.add_directive("explore", Explore)
    html_nodes.add_node(app, explorer, visit, depart)
