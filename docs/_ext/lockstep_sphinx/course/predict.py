"""`.. predict::` - a question about a run, which the reader answers before seeing what the run showed.

    .. predict:: tile_speed
       :recorded: read_seven_times: shared time / global time
       :unit: times as long

       How long does the kernel with the tile take, compared with the one without?

       less than 0.5 times as long
          The L1 cache serves most of the loads that the tile saves.
       0.5 to 0.9 times as long
          ...
       longer : x > 1
          ...

`recorded` is what `:measured:` reads, or an expression as in a claims file. An option is a range (`less than A`, `A to B`,
`more than B`), a number, the printed text itself, or any words with a condition on x after a colon. The build decides which
one is right: exactly one must hold; what was recorded is added to its reason. The name keeps the prediction in the reader's
browser.
"""

import re
from typing import NamedTuple

from docutils import nodes
from docutils.parsers.rst import directives
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from lockstep.programs import declarations
from lockstep.recordings import claims, numbers
from lockstep_sphinx import domain, html_nodes, outdated, templates
from lockstep_sphinx.directive import SiteDirective
from lockstep_sphinx.project import Recordings

_NAME = re.compile(r"[a-z0-9_]+")
_NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
_RANGES = {
    rf"less than {_NUMBER}\b.*": "x < {}",
    rf"more than {_NUMBER}\b.*": "x >= {}",
    rf"{_NUMBER} to {_NUMBER}\b.*": "{} <= x < {}",
    rf"{_NUMBER}(?: [^\d]+)?": "x == {}",
}
"""How the text of an option says what must hold of the recorded value x. A range holds its lower end."""
_X = re.compile(r"\bx\b")


class prediction(nodes.General, nodes.Element):
    """Holds what leads to the question, the question, and the options as a definition list."""


class Recorded(NamedTuple):
    """What a prediction is judged by: an expression of a claims file, what it reads, and the text, where that is printed."""

    expression: str
    reads: set[str]
    text: str | None = None

    def holds(self, stated: str, recordings: Recordings) -> bool:
        """Whether a condition on x holds for the recorded value."""
        return bool(claims.evaluate(_X.sub(lambda _: self.expression, stated), recordings))

    def shown(self, recordings: Recordings) -> str:
        """The recorded value as the page writes it."""
        if self.text is not None:
            return numbers.bare(self.text)
        found = claims.evaluate(self.expression, recordings)
        if not isinstance(found, int | float):
            raise claims.ClaimError(f"{self.expression} is no number")
        return f"{found:,.0f}" if found == round(found) else claims.three_digits(found)


def read(recorded: str, recordings: Recordings) -> Recorded:
    """What a prediction reads.

    :raises claims.ClaimError: where nothing such was recorded
    """
    if match := claims.PRINTED.fullmatch(recorded):
        arguments = match["program"], match["label"], match["command"]
        text = " ".join(recordings.printed(*arguments).split())
        expression = repr(text) if numbers.value(text) is None else f"value{arguments!r}"
        return Recorded(expression, {match["program"].rpartition("/")[2]}, text)
    if not (names := claims.reads(recorded)):
        raise claims.ClaimError(f"{recorded} reads nothing; compute it from value, column or cell")
    return Recorded(f"({recorded})", names)


def condition(text: str, given: str, recorded: Recorded) -> str:
    """What must hold of the recorded value x for an option to be right; empty where the option does not say."""
    if given:
        return given if _X.search(given) else ""
    if text == recorded.text:
        return f"x == {recorded.expression}"
    for pattern, form in _RANGES.items():
        if match := re.fullmatch(pattern, text):
            return form.format(*(number.replace(",", "") for number in match.groups()))
    return f"x == {text!r}" if recorded.text is not None else ""


class Predict(SiteDirective):
    """A question with options, one of which the recording makes right."""

    required_arguments = 1
    has_content = True
    option_spec = {"recorded": directives.unchanged_required, "unit": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if not _NAME.fullmatch(name):
            return self.warn("a prediction is named with small letters, digits and _, not %s", name)
        known = domain.of(self.env).data["predictions"].setdefault(self.env.docname, [])
        if name in known:
            return self.warn("the page has two predictions %s; rename one", name)
        if "recorded" not in self.options:
            return self.warn("say in :recorded: what the answer is read from, as in a :measured: or in a claim")
        content = self.parse_content_to_nodes()
        if not (
            len(content) > 1
            and isinstance(content[-2], nodes.paragraph)
            and isinstance(content[-1], nodes.definition_list)
            and len(content[-1]) > 1
        ):
            return self.warn("a prediction is a question, then a definition list with two options or more")
        items = [item for item in content[-1].children if isinstance(item, nodes.definition_list_item)]
        recordings = Recordings(self.project)
        try:
            recorded = read(" ".join(self.options["recorded"].split()), recordings)
            right = self._right(items, recorded, recordings)
        except (claims.ClaimError, declarations.DeclarationError) as error:
            return [] if self.config.lockstep_allow_stale else self.warn("%s", error)
        finally:
            outdated.depend(self.env, recordings.used)
        if right is None:
            return []
        known.append(name)
        return [prediction("", *content, name=name, page=self.env.docname, right=right, held=sorted(recorded.reads))]

    def _right(self, items: list[nodes.definition_list_item], recorded: Recorded, recordings: Recordings) -> int | None:
        """Which option holds; warns, and gives none, where that is not decided. Adds to it what was recorded."""
        right = []
        for i, item in enumerate(items):
            term = next(item.findall(nodes.term))
            given = [node for node in item.children if isinstance(node, nodes.classifier)]
            stated = condition(term.astext(), " ".join(node.astext() for node in given), recorded)
            if not stated:
                self.warn('the option "%s" is no range, and has no condition on x after a colon', term.astext())
                return None
            if recorded.holds(stated, recordings):
                right.append(i)
            for node in given:
                item.remove(node)
            term["classes"].append("prediction")
        found = " ".join(filter(None, [recorded.shown(recordings), self.options.get("unit", "")]))
        if len(right) != 1:
            which = f"{len(right)} options hold" if right else "no option holds"
            self.warn("%s for what was recorded, %s; exactly one must", which, found)
            return None
        shown = nodes.inline("", found, classes=["measured"])
        next(items[right[0]].findall(nodes.definition)).append(nodes.paragraph("", "", nodes.Text("Recorded: "), shown))
        return right[0]


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    *before, question, options = node.children
    shown = [[html_nodes.inner(translator, part.children) for part in item.children] for item in options.children]
    html = templates.render(
        "course/predict.html",
        id=f"predict-{node['name']}",
        name=f"{node['page']}/{node['name']}",
        before=html_nodes.inner(translator, before),
        question=html_nodes.inner(translator, question.children),
        options=shown,
        right=node["right"],
    )
    translator.body.append(Markup(html))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("predict", Predict)
    html_nodes.add_node(app, prediction, visit)
