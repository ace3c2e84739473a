"""`:spec:` - a constant in a sentence, with its source; and the check that no other number of this kind is typed.

    :spec:`4.8 TB/s <www.nvidia.com/en-us/data-center/h200/>`            a specification, without https://
    :spec:`48 KB <guide 2.2.3>`                                          a section of the CUDA Programming Guide
    :spec:`100 cycles <training series>`                                 slides of the CUDA training series
    :spec:`64 times <launch_shapes>`                                     a constant of that program
    :spec:`32 times <= 8 × 16 / 4>`                                      what follows; it is computed and compared

A rate, a time, a share or a ratio that stands in a sentence without one of these, without `:measured:` and outside of a
link to its source is a warning: nothing would ever tell that it is no longer so.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from lockstep.checks import constants, typed_numbers
from lockstep_sphinx import lookup
from lockstep_sphinx.guide_map import guide_map

logger = logging.getLogger(__name__)

Shown = tuple[list[nodes.Node], list[nodes.system_message]]  # what a role gives

GUIDE = "CUDA Programming Guide, section"
NAMED = {"training series": "https://www.olcf.ornl.gov/cuda-training-series/"}
"""Sources that many pages name, and where they stand."""
_SOURCE = re.compile(r"(?P<text>.+?)\s*<(?P<source>[^<>]+)>", re.S)
_HOST = re.compile(r"^(?:www|docs)\.[\w.]+/")  # sphinx-lint takes a role with a whole address for a broken link
_FRACTION = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.])")
_CURE = (
    "read it from a recording with :measured:, write a constant with its source as :spec:`%s <source>`, or say it without "
    "the number"
)


class SpecRole(SphinxRole):
    """A constant and its source."""

    def run(self) -> Shown:
        match = _SOURCE.fullmatch(self.text)
        if not match:
            return self._warn("%s has no source; write :spec:`%s <source>`", self.text, self.text)
        text, source = match["text"], " ".join(match["source"].split())
        source = _HOST.sub(r"https://\g<0>", NAMED.get(source, source))
        programs = lookup.project_of(self.config).programs
        if problem := constants.problem(text, source, guide_map.map_of(Path(self.env.srcdir)).sections, programs):
            return self._warn("%s", problem)
        if source.startswith("https:"):
            return [nodes.reference("", text, refuri=source, internal=False, classes=["spec"])], []
        if source.startswith("="):
            explanation = source.removeprefix("=").strip()
        elif section := constants.SECTION.fullmatch(source):
            explanation = f"{GUIDE} {section[1]}"
        else:
            explanation = f"a constant of {source}.cu"
        return [nodes.abbreviation("", text, explanation=explanation, classes=["spec"])], []

    def _warn(self, message: str, *arguments: object) -> Shown:
        logger.warning(message, *arguments, location=self.get_location(), type="lockstep")
        return [nodes.inline("", self.text, classes=["spec"])], []


def without_sourced(node: nodes.Node) -> str:
    """The text of a node with all that has a source left out: measured numbers, constants, links to elsewhere.

    Options of a prediction are left out, too: the build finds the one that is right.
    """
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.reference) and "refuri" in node:
        return "\0"
    if isinstance(node, nodes.Element) and {"measured", "spec", "prediction", "lockstep-stale"} & set(node["classes"]):
        return "\0"
    if isinstance(node, nodes.image | nodes.footnote_reference | nodes.raw | nodes.math):
        return "\0"
    return "".join(without_sourced(child) for child in getattr(node, "children", ()))


def of_the_page(doctree: nodes.document) -> Iterator[nodes.TextElement]:
    """The pieces of text that an author wrote: paragraphs, titles, captions, and the like."""
    for node in doctree.findall(nodes.TextElement):
        if isinstance(node, nodes.FixedTextElement | nodes.Inline) or isinstance(node.parent, nodes.TextElement):
            continue
        above = node.parent
        while (
            above is not None
            and not isinstance(above, addnodes.desc)
            and "program" not in getattr(above, "attributes", {})
        ):
            above = above.parent
        if above is None:  # neither the library's own documentation nor the card of a program
            yield node


def warn_of(numbers: list[str], location: nodes.Node | str) -> None:
    """Warns of numbers that were typed."""
    for number in numbers:
        logger.warning(f'"%s" is typed; {_CURE}', number, number, location=location, type="lockstep")


def check_sentences(app: Sphinx, doctree: nodes.document) -> None:
    """Warns of each number in a sentence that comes from nowhere."""
    for node in of_the_page(doctree):
        warn_of(typed_numbers.typed(without_sourced(node)), node)


def described(directive: SphinxDirective, text: str, *, chart: bool) -> str:
    """The words of an `:alt:`, with its roles replaced by what they say; warns of numbers that were typed."""
    inline, _ = directive.state.inline_text(" ".join(text.split()), directive.lineno)
    line = nodes.paragraph("", "", *inline)
    find = typed_off if chart else typed_numbers.typed
    warn_of(find(without_sourced(line)), directive.get_location())
    return line.astext()


def typed_off(text: str) -> list[str]:
    """What was typed off the drawing of a chart into its words or the labels of its axes; a fraction always was."""
    return typed_numbers.read_off(text) or _FRACTION.findall(text)


def setup(app: Sphinx) -> None:
    app.add_role("spec", SpecRole())
    app.connect("doctree-read", check_sentences)
