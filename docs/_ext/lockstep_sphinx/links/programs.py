"""Links from a program's name in prose, such as ``barrier_misuses``, to its card, and with it to the run that shows it.

A name is linked at its first use in a paragraph or a row of a table; arguments may follow it, as in
``barrier_misuses --count 9``. Only names with an underscore are, since others are words of the language, too.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from lockstep.programs.declarations import Program
from lockstep_sphinx import domain, lookup
from lockstep_sphinx.card import card
from lockstep_sphinx.card.card import program_card

_NOT_LINKED = (nodes.reference, nodes.title, nodes.term, addnodes.pending_xref, program_card)


def _named(doctree: nodes.document) -> Iterator[tuple[nodes.literal, str]]:
    """The literals that may name a program, each with that name."""
    seen: set[tuple[int, str]] = set()
    for literal in doctree.findall(nodes.literal):
        name, above = literal.astext().partition(" ")[0], list(_above(literal))
        within = next(
            (node for kind in (nodes.row, nodes.paragraph) for node in above if isinstance(node, kind)), doctree
        )
        apart = any(isinstance(node, _NOT_LINKED) or _titles_a_box(node) for node in above)
        if "_" in name and not apart and (id(within), name) not in seen:
            seen.add((id(within), name))
            yield literal, name


def _titles_a_box(node: nodes.Node) -> bool:
    """Whether a node is the title of a dropdown: it is a button itself and may hold no link."""
    return isinstance(node, nodes.Element) and any("summary" in name for name in node["classes"])


def _above(node: nodes.Node) -> Iterator[nodes.Node]:
    while (node := node.parent) is not None:
        yield node


def _known(app: Sphinx) -> dict[str, Program]:
    return {program.name: program for program in lookup.project_of(app.config).programs.values()}


def _note(app: Sphinx, doctree: nodes.document) -> None:
    """Remembers which programs a page names."""
    known = _known(app)
    if names := sorted({name for _, name in _named(doctree) if name in known}):
        domain.of(app.env).data["named"][app.env.docname] = names


def _home(env: BuildEnvironment, program: Program) -> str:
    """The page with a program's card; nothing if there is none."""
    return next(iter(domain.of(env).pages(program.path, "card")), "")


def renew(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages that name a program whose card stands elsewhere now are written again."""
    known, data = _known(app), domain.of(env).data
    now = {
        page: {name: _home(env, known[name]) for name in names if name in known}
        for page, names in data["named"].items()
    }
    before, data["homes"] = data["homes"], now
    return [page for page, homes in now.items() if before.get(page) != homes]


def _link(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    known = _known(app)
    if app.builder.format != "html":
        return
    for literal, name in list(_named(doctree)):
        home = _home(app.env, known[name]) if name in known else ""
        if home:
            page = "" if home == docname else app.builder.get_relative_uri(docname, home)
            link = nodes.reference("", "", refuri=f"{page}#{card.anchor(name)}", internal=True)
            literal.replace_self(link)
            link += literal


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", _note)
    app.connect("env-updated", renew)
    app.connect("doctree-resolved", _link)
