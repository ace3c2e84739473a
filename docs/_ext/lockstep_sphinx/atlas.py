"""Links to the error atlas: wherever an error's name stands, its page is one step away.

A page of the atlas has the name of its error (`reference/errors/cudaErrorAssert`), or says with
`:atlas-words:` in its first lines what a tool prints when it found that.
"""

import re

from docutils import nodes
from sphinx.util.nodes import make_refnode

FOLDER = "reference/errors/"
_ERROR = re.compile(r"\bcudaError[A-Z]\w*")


def page(builder, name: str) -> str | None:
    """The atlas page of an error, if there is one and it is not the page that is being written."""
    docname = FOLDER + name
    known = docname in builder.env.found_docs
    return docname if known and docname != builder.current_docname else None


def linked(builder, html: str) -> str:
    """HTML of a terminal with the first occurrence of each error that has a page linked."""
    seen: set[str] = set()

    def link(match: re.Match) -> str:
        name = match[0]
        target = page(builder, name)
        if target is None or name in seen:
            return name
        seen.add(name)
        return f'<a class="error" href="{builder.get_relative_uri(builder.current_docname, target)}">{name}</a>'

    return _ERROR.sub(link, html)


def _link_literals(app, doctree, docname):
    """Links the names of errors in sentences: the first of each on a page."""
    if docname.startswith(FOLDER + "cuda"):
        seen = {docname.removeprefix(FOLDER)}
    else:
        seen = set()
    for node in list(doctree.findall(nodes.literal)):
        name = node.astext()
        target = FOLDER + name
        if not _ERROR.fullmatch(name) or name in seen or target not in app.env.found_docs:
            continue
        if any(isinstance(parent, nodes.title | nodes.TextElement) and _is_link(parent) for parent in _parents(node)):
            continue
        seen.add(name)
        node.replace_self(make_refnode(app.builder, docname, target, None, node.deepcopy()))


def _is_link(node) -> bool:
    return isinstance(node, nodes.title | nodes.reference)


def _parents(node):
    while node.parent is not None:
        node = node.parent
        yield node


def setup(app):
    app.connect("doctree-resolved", _link_literals)
