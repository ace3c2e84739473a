"""Links from a program's name in prose, such as ``barrier_misuses``, to its card, and with it to the run that shows it.

A name is linked at its first use in a paragraph or a row of a table; arguments may follow it, as in
``barrier_misuses --count 9``. Only names with an underscore are, since others are words of the language, too.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from lockstep_sphinx import domain, lookup
from lockstep_sphinx.card import card
from lockstep_sphinx.card.card import program_card
from lockstep_sphinx.links.first_uses import above

_NOT_LINKED = (nodes.reference, nodes.title, nodes.term, addnodes.pending_xref, program_card)


def _named(doctree: nodes.document) -> Iterator[tuple[nodes.literal, str]]:
    """The literals that may name a program, each with that name."""
    seen: set[tuple[int, str]] = set()
    for literal in doctree.findall(nodes.literal):
        name, around = literal.astext().partition(" ")[0], list(above(literal))
        within = next(
            (node for kind in (nodes.row, nodes.paragraph) for node in around if isinstance(node, kind)), doctree
        )
        apart = any(isinstance(node, _NOT_LINKED) or _titles_a_box(node) for node in around)
        if "_" in name and not apart and (id(within), name) not in seen:
            seen.add((id(within), name))
            yield literal, name


def _titles_a_box(node: nodes.Node) -> bool:
    """Whether a node is the title of a dropdown: it is a button itself and may hold no link."""
    return isinstance(node, nodes.Element) and any("summary" in name for name in node["classes"])


def _note(app: Sphinx, doctree: nodes.document) -> None:
    """Remembers which programs a page names."""
    known = lookup.project_of(app.config).by_name
    if names := sorted({name for _, name in _named(doctree) if name in known}):
        domain.of(app.env).data["named"][app.env.docname] = names


def renew(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages that name a program whose card stands elsewhere now are written again."""
    known, data = lookup.project_of(app.config).by_name, domain.of(env).data
    now = {
        page: {name: card.page(env, known[name]) for name in names if name in known}
        for page, names in data["named"].items()
    }
    before, data["homes"] = data["homes"], now
    return [page for page, homes in now.items() if before.get(page) != homes]


def _link(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    known = lookup.project_of(app.config).by_name
    if app.builder.format != "html":
        return
    for literal, name in list(_named(doctree)):
        if name in known and (address := card.address(app.builder, docname, known[name])):
            link = nodes.reference("", "", refuri=address, internal=True)
            literal.replace_self(link)
            link += literal


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", _note)
    app.connect("env-updated", renew)
    app.connect("doctree-resolved", _link)
