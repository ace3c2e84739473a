"""`:measured:` - a number in a sentence, as a program printed it or as the page's claims file computes it.

A page's claims are evaluated when the page is read; one that does not hold is a warning.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from lockstep.checks import typed_numbers
from lockstep.data import DataError
from lockstep.programs import declarations
from lockstep.recordings import claims, numbers
from lockstep_sphinx import lookup, outdated
from lockstep_sphinx.numbers import formulas, spec
from lockstep_sphinx.project import Recordings

logger = logging.getLogger(__name__)

_SENTENCE_END = re.compile(r"(?<=[.?!;])\s+(?=[A-Z\x01])")
_MARK = re.compile(r"\x01(\d+)\x01")


def claims_file(env: BuildEnvironment) -> Path:
    """Where the claims of the page being read stand."""
    return Path(env.doc2path(env.docname)).with_suffix(".claims")


class MeasuredRole(SphinxRole):
    """A recorded number."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        recordings = Recordings(lookup.project_of(self.config))
        try:
            text, (formula, form) = self._text(recordings), self._formula(recordings)
        except DataError:
            return [nodes.inline("", self.text)], []  # check_claims says so
        except (claims.ClaimError, declarations.DeclarationError) as error:
            if self.config.lockstep_allow_stale:
                return [nodes.inline("", "not recorded", classes=["lockstep-stale"])], []
            logger.warning("%s", error, location=self.get_location(), type="lockstep")
            return [nodes.inline("", self.text)], []
        finally:
            outdated.depend(self.env, recordings.used)
        node = nodes.inline("", text, classes=["measured"], reads=sorted(self._reads(recordings)))
        node["formula"], node["form"] = formula, form
        return [node], []

    def _reads(self, recordings: Recordings) -> set[str]:
        """The programs and data files that the number comes from."""
        if match := claims.PRINTED.fullmatch(self.text):
            return {match["program"].rsplit("/", 1)[-1]}
        return claims.reads(claims.load(claims_file(self.env), recordings.root, recordings).numbers[self.text].is_)

    def _formula(self, recordings: Recordings) -> tuple[Any, str]:
        """How a script computes the number from other recordings, and how it is written."""
        if match := claims.PRINTED.fullmatch(self.text):
            label = " ".join(match["label"].split())
            return ["printed", match["program"], label, *filter(None, [match["command"]])], ""
        number = claims.load(claims_file(self.env), recordings.root, recordings).numbers[self.text]
        return formulas.formula(number.is_), number.format or ""

    def _text(self, recordings: Recordings) -> str:
        path = claims_file(self.env)
        if not claims.PRINTED.fullmatch(self.text):
            outdated.depend(self.env, [path])
        return numbers.bare(claims.load(path, recordings.root, recordings).rendered(self.text))


def check_claims(app: Sphinx, doctree: nodes.document) -> None:
    """Warns of each claim of the page that does not hold."""
    path = claims_file(app.env)
    outdated.depend(app.env, [path])
    if not path.exists():
        return
    recordings = Recordings(lookup.project_of(app.config))
    try:
        found = claims.load(path, recordings.root, recordings).check()
    except DataError as error:
        found = error.findings
    outdated.depend(app.env, [path, *recordings.used])
    if not app.config.lockstep_allow_stale:
        for problem in found:
            where, _, what = problem.partition(": ")
            logger.warning("%s", what, location=str(recordings.root / where), type="lockstep")


def check_comparisons(app: Sphinx, doctree: nodes.document) -> None:
    """Warns where a page compares what was measured, and no claim or prediction would tell that it is no longer so."""
    if app.config.lockstep_allow_stale:
        return
    recordings = Recordings(lookup.project_of(app.config))
    path = claims_file(app.env)
    try:
        stated = claims.load(path, recordings.root, recordings).claims.values()
    except DataError:
        return  # check_claims says so
    names = {name for expression in stated for name in claims.reads(expression)}
    for node in doctree.findall(nodes.Element):
        names.update(node.get("held", ()))  # a prediction
    held = _owners(recordings, names)
    for node, names in _comparisons(doctree):
        if not held & _owners(recordings, names):
            message = (
                "compares what %s measured, and no claim holds it to that; state what it says under [claims] in %s"
            )
            logger.warning(message, " and ".join(sorted(names)), path.name, location=node, type="lockstep")


def _owners(recordings: Recordings, names: set[str]) -> set[str]:
    """The programs of that name, or that wrote a data file of that name."""
    return {p.path for p in recordings.programs.values() if p.name in names or names & {Path(d).name for d in p.data}}


def _comparisons(doctree: nodes.document) -> Iterator[tuple[nodes.Element, set[str]]]:
    """The sentences and tables that compare measured numbers, with the programs and files that these come from."""
    for node in spec.of_the_page(doctree):
        numbers = _measured(node)
        text = _marked(node, numbers)
        for sentence in _SENTENCE_END.split(text):
            here = [numbers[int(match)] for match in _MARK.findall(sentence)]
            if len(here) > 1 or (here and typed_numbers.COMPARES.search(_MARK.sub("", sentence))):
                yield node, {name for number in here for name in number["reads"]}
    for table in doctree.findall(nodes.table):
        numbers = _measured(table)
        if len(numbers) > 1:
            yield table, {name for number in numbers for name in number["reads"]}


def _measured(node: nodes.Node) -> list[nodes.inline]:
    """The measured numbers in a node."""
    return [found for found in node.findall(nodes.inline) if "reads" in found]


def _marked(node: nodes.Node, numbers: list[nodes.inline]) -> str:
    """The text of a node with a mark in the place of each measured number."""
    if node in numbers:
        return f"\x01{numbers.index(node)}\x01{node.astext()}"
    if isinstance(node, nodes.Text):
        return node.astext()
    return "".join(_marked(child, numbers) for child in getattr(node, "children", ()))


def setup(app: Sphinx) -> None:
    app.add_role("measured", MeasuredRole())
    app.connect("doctree-read", check_claims)
    app.connect("doctree-read", check_comparisons)
