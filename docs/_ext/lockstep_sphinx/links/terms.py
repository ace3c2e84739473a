"""Definitions of terms where the terms are used.

`:term:` links to the glossary. This module writes the definitions of a page's terms at the end of the page, hidden, and
has each link name its definition; site.js shows it at the link under the pointer, the focus, or a first touch. Without
JavaScript the links lead to the glossary as always.
"""

import re
from dataclasses import dataclass

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from lockstep_sphinx import outdated, templates

_LINK = re.compile(
    r'<a class="reference internal" href="([^"#]*)#(term-[^"]+)"(?=>\s*<span class="xref std std-term">)'
)
ATTRIBUTE = "lockstep_definitions"


@dataclass(frozen=True)
class Definition:
    """What the glossary says of a term; `page` and `title` are of the page that teaches it, or empty."""

    text: str
    page: str = ""
    title: str = ""


def _depend_on_the_glossary(app: Sphinx, doctree: nodes.document) -> None:
    used = [node for node in doctree.findall(addnodes.pending_xref) if node.get("reftype") == "term"]
    pages = {where for where, _ in _terms(app.env).values()}
    if used and pages:
        outdated.depend(app.env, [app.env.doc2path(page) for page in sorted(pages)])


def _terms(env: BuildEnvironment) -> dict[str, tuple[str, str]]:
    """Page and anchor of each term."""
    found: dict[str, tuple[str, str]] = env.get_domain("std").data.get("terms", {})  # names in lower case
    return found


def definitions(env: BuildEnvironment) -> dict[tuple[str, str], Definition]:
    """What the glossaries say, by page and anchor."""
    found: dict[tuple[str, str], Definition] = {}
    for page in sorted({where for where, _ in _terms(env).values()}):
        for item in env.get_doctree(page).findall(nodes.definition_list_item):
            text = next(iter(item.findall(nodes.definition)), None)
            ids = [name for term in item.findall(nodes.term) for name in term["ids"]]
            if text is None or not any(name.startswith("term-") for name in ids):
                continue
            made = _definition(env, page, text)
            found.update({(page, name): made for name in ids})
    return found


def _definition(env: BuildEnvironment, page: str, definition: nodes.Element) -> Definition:
    """A definition as plain text; a closing "See PAGE." becomes a link, and other links become titles of pages."""
    said = " ".join(definition.astext().split())
    links = [node for node in definition.findall(addnodes.pending_xref) if node.get("reftype") == "doc"]
    pages = [_page(page, str(node["reftarget"])) for node in links]
    titles = [env.titles[name].astext() if name in env.titles else "" for name in pages]
    last = re.search(r"\s*\bSee \S[^.]*\.?$", said) if links else None
    if last:
        said = said[: last.start()]
    for node, title in zip(links, titles, strict=True):
        said = said.replace(str(node["reftarget"]), title)
    return Definition(said, pages[-1], titles[-1]) if last else Definition(said)


def _page(here: str, target: str) -> str:
    """The page that a link on the page `here` names."""
    return target[1:] if target.startswith("/") else f"{here.rpartition('/')[0]}/{target}"


def put_letters(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Puts above a glossary a row of letters, each a link to the first term that begins with it."""
    for glossary in list(doctree.findall(addnodes.glossary)):
        first: dict[str, str] = {}
        for term in glossary.findall(nodes.term):
            letter = term.astext().strip("_ ")[:1].upper()
            if letter.isalpha() and term["ids"]:
                first.setdefault(letter, term["ids"][0])
        row = nodes.paragraph(classes=["lockstep-letters"])
        for letter in sorted(first):
            row += [nodes.reference("", letter, refid=first[letter], internal=True), nodes.Text(" ")]
        if len(first) > 1:
            glossary.parent.insert(glossary.parent.index(glossary), row)


def _remember(app: Sphinx, env: BuildEnvironment) -> None:
    setattr(env, ATTRIBUTE, definitions(env))


def _define(app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: object) -> None:
    body = context.get("body")
    known: dict[tuple[str, str], Definition] = getattr(app.env, ATTRIBUTE, {})
    if not isinstance(body, str) or not known or app.builder.format != "html":
        return
    addresses = {app.builder.get_relative_uri(pagename, page): page for page, _ in known}
    used: dict[str, Definition] = {}

    def name(match: re.Match[str]) -> str:
        made = known.get((addresses.get(match[1], ""), match[2]))
        if made is None:
            return match[0]
        used[match[2]] = made
        return f'{match[0]} aria-describedby="defined-{match[2]}"'

    linked = _LINK.sub(name, body)
    if used:
        terms = [_row(app, pagename, anchor, made) for anchor, made in used.items()]
        context["body"] = f"{linked}\n{templates.render('links/definitions.html', terms=terms)}\n"


def _row(app: Sphinx, pagename: str, anchor: str, made: Definition) -> dict[str, str]:
    """What the page holds of a definition; a link to the page that teaches the term stands on other pages alone."""
    elsewhere = made.title and made.page != pagename
    address = app.builder.get_relative_uri(pagename, made.page) if elsewhere else ""
    return {"anchor": anchor, "text": made.text, "title": made.title if elsewhere else "", "address": address}


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", _depend_on_the_glossary)
    app.connect("env-check-consistency", _remember)
    app.connect("doctree-resolved", put_letters)
    app.connect("html-page-context", _define)
