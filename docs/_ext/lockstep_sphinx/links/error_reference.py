"""Links to the error reference: wherever the name of an error stands, its page is one step away.

A page of the error reference has the name of its error, as in `reference/errors/cudaErrorAssert.rst`.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode
from sphinx_design.dropdown import dropdown_title

from lockstep_sphinx import domain

FOLDER = "reference/errors/"
_ERROR = re.compile(r"\bcudaError[A-Z]\w*")


def page(env: BuildEnvironment, name: str) -> str | None:
    """The page of an error, if the error reference has one."""
    return FOLDER + name if FOLDER + name in env.found_docs else None


def pages(env: BuildEnvironment) -> list[str]:
    """All pages of the error reference."""
    return sorted(docname for docname in env.found_docs if docname.startswith(FOLDER))


def address(builder: StandaloneHTMLBuilder, name: str) -> str | None:
    """The address of an error's page, seen from the page that is being written; none from that page itself."""
    here, target = builder.current_docname, page(builder.env, name)
    return builder.get_relative_uri(here, target) if target and target != here else None


def linked(builder: StandaloneHTMLBuilder, html: str) -> str:
    """HTML of a terminal, with the first occurrence of each error linked."""
    seen: set[str] = set()

    def link(match: re.Match[str]) -> str:
        name = match[0]
        target = address(builder, name)
        if target is None or name in seen:
            return name
        seen.add(name)
        return f'<a class="error" href="{target}">{name}</a>'

    return _ERROR.sub(link, html)


def _link_literals(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Links the first occurrence of each error in a page's sentences."""
    seen = {docname.removeprefix(FOLDER)}
    for node in list(doctree.findall(nodes.literal)):
        name = node.astext()
        target = page(app.env, name) if _ERROR.fullmatch(name) else None
        if target is None or name in seen or _inside(node, nodes.title, nodes.reference, dropdown_title):
            continue
        seen.add(name)
        node.replace_self(make_refnode(app.builder, docname, target, None, node.deepcopy()))


def _inside(node: nodes.Node, *kinds: type[nodes.Node]) -> bool:
    """Whether a node stands in one of these kinds, such as a heading, a link, or what folds an answer away."""
    while node.parent is not None:
        node = node.parent
        if isinstance(node, kinds):
            return True
    return False


def _renew(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Every page is written again when the error reference gains or loses a page: any may name an error."""
    kept = domain.of(env).data
    if kept["error_pages"] == pages(env):
        return []
    kept["error_pages"] = pages(env)
    return sorted(env.found_docs)


def setup(app: Sphinx) -> None:
    app.connect("env-updated", _renew)
    app.connect("doctree-resolved", _link_literals)
