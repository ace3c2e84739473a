"""Nodes of the pages that only HTML draws."""

from collections.abc import Callable, Iterable

from docutils import nodes
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

Drawer = Callable[[HTML5Translator, nodes.Element], None]


def inner(translator: HTML5Translator, children: Iterable[nodes.Node]) -> Markup:
    """The HTML of nodes, for a template that goes around it."""
    start = len(translator.body)
    for child in children:
        child.walkabout(translator)
    html = "".join(translator.body[start:])
    del translator.body[start:]
    return Markup(html)


def add_node(app: Sphinx, node_class: type[nodes.Element], visit: Drawer, depart: Drawer | None = None) -> None:
    """Registers a node that only HTML draws; all else shows its children."""

    def nothing(translator: object, node: nodes.Element) -> None:
        pass

    plain = (nothing, nothing)
    app.add_node(node_class, html=(visit, depart or nothing), latex=plain, text=plain, man=plain, texinfo=plain)
