"""`.. guide-map::` - where this site covers each section of the CUDA Programming Guide; and on each page, which it covers.

Without an argument the directive lists all sections. With the name of a group of docs/reference/guide_map/sections.toml it
lists the sections of that group, with the facts of each. `:then:` names the group that follows on another page: a list of
its sections links there, and their anchors are on this page as well, for links from when they stood on it.
"""

import hashlib
import pickle
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from lockstep import guide_map
from lockstep.files import write_whole
from lockstep.guide_map import Fact, Group, GuideMap, Section
from lockstep_sphinx import addresses, domain, lookup, outdated, templates
from lockstep_sphinx.addresses import Link
from lockstep_sphinx.card import card
from lockstep_sphinx.directive import SiteDirective

logger = logging.getLogger(__name__)

PAGES = "reference/guide"  # the folder of the map's pages, of which each shows one group

_maps: dict[str, GuideMap] = {}


def map_of(pages: Path) -> GuideMap:
    """The map that stands below a folder of pages, in the build that runs."""
    return _maps[str(pages)]


class section_list(nodes.General, nodes.Element):
    """Rows that are complete only when all pages are read."""


class section_links(nodes.General, nodes.Element):
    """Links to sections whose rows stand on another page of the map."""


class GuideMapDirective(SiteDirective):
    """Lists the sections of the guide: all, or those of a group with their facts."""

    optional_arguments = 1
    option_spec = {"then": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        domain.of(self.env).data["guide_pages"][self.env.docname] = True
        found = map_of(Path(self.env.srcdir))
        if not self.arguments:
            return [self._part(group.title, group.sections, group) for group in found.groups]
        groups = {group.name: group for group in found.groups}
        names = [self.arguments[0], *filter(None, [self.options.get("then")])]
        if unknown := [name for name in names if name not in groups]:
            return self.warn("the guide's map has no group %s; there are %s", unknown[0], ", ".join(groups))
        following = [self._following(groups[name]) for name in names[1:]]
        return [*self._chapters(groups[names[0]]), *following]

    def _chapters(self, group: Group) -> list[nodes.Node]:
        """The sections of a group, each with its subsections under a heading; a plain list where none has any."""
        tops = [section for section in group.sections if section.number.count(".") == 1]
        if not any(guide_map.above(section.number) for section in group.sections):
            return [_rows(group.sections, None)]
        parts: list[nodes.Node] = []
        for top in tops:
            below = [section for section in group.sections if section.number.startswith(f"{top.number}.")]
            parts.append(self._part(f"{top.number} {top.title}", [top, *below], None, top.anchor))
        return parts

    def _following(self, group: Group) -> nodes.section:
        """Where the sections of a group are, under its title."""
        links = section_links("", numbers=[section.number for section in group.sections])
        return nodes.section("", nodes.title(group.title, group.title), links, ids=[nodes.make_id(group.name)])

    def _part(self, title: str, sections: list[Section], group: Group | None, anchor: str = "") -> nodes.section:
        part = nodes.section(
            "", nodes.title(title, title), _rows(sections, group), ids=[anchor or nodes.make_id(title)]
        )
        self.state.document.note_explicit_target(part)
        return part


def _rows(sections: list[Section], overview: Group | None) -> section_list:
    node = section_list()
    node["numbers"] = [section.number for section in sections]
    node["overview"] = overview is not None
    return node


class Rows:
    """The lists, as HTML, seen from one page."""

    def __init__(self, app: Sphinx, docname: str) -> None:
        self.app = app
        self.env = app.env
        self.docname = docname
        self.builder = addresses.html_builder(app)
        self.map = map_of(Path(app.srcdir))
        self.programs = {program.name: program for program in lookup.project_of(app.config).programs.values()}

    def html(self, numbers: list[str], overview: bool) -> str:
        known = self.map.sections
        rows = [self._row(known[number], overview) for number in numbers if number in known]
        return templates.render("guide_map/sections.html", rows=rows)

    def links(self, numbers: list[str]) -> str:
        """A line for each section of a chapter, with those below it, which lead to the page that has their rows."""
        groups: list[list[dict[str, str]]] = []
        for section in (self.map.sections[number] for number in numbers if number in self.map.sections):
            address = self.address(f"{PAGES}/{section.group}", section.anchor)
            top = not guide_map.above(guide_map.above(section.number))
            text = f"{section.number} {section.title}" if top else section.number
            if top or not groups:
                groups.append([])
            groups[-1].append({"anchor": section.anchor, "address": address, "text": text})
        return templates.render("guide_map/elsewhere.html", groups=groups)

    def _row(self, section: Section, overview: bool) -> dict[str, Any]:
        """What the list holds of a section: in the overview how many facts it has, else the facts."""
        deep = bool(guide_map.above(guide_map.above(section.number)))
        heading = not overview and guide_map.above(section.number) and not deep  # has its anchor already
        return {
            "section": section,
            "anchor": "" if overview or heading else section.anchor,
            "deep": deep,
            "at": [self.link(target) for target in section.at],
            "begun": [self.link(target) for target in section.begun],
            "count": self._count(section) if overview else None,
            "said": _said(section),
            "facts": [] if overview else [self._fact(section, fact) for fact in section.facts],
        }

    def _count(self, section: Section) -> Link | None:
        count = len(section.mapped)
        said = f"{count} fact{'s' * (count != 1)}"
        return Link(self.address(f"{PAGES}/{section.group}", section.anchor), said) if count else None

    def _fact(self, section: Section, fact: Fact) -> dict[str, Any]:
        """A fact, where it is stated, and the program that shows it."""
        return {
            "deeper": fact.section if fact.section != section.number else "",
            "text": fact.text if fact.text.endswith((".", "?", "!")) else f"{fact.text}.",
            "at": [self.link(fact.at, brief=True)] if fact.at else [],
            "program": self._program(fact.program),
        }

    def _program(self, name: str) -> Link | None:
        """A link to a program's card, else to its source."""
        program = self.programs.get(name)
        if program is None:
            return None
        pages = domain.of(self.env).pages(program.path, "card")
        if pages:
            return Link(self.address(pages[0], card.anchor(program.name)), program.name)
        return Link(addresses.source_address(self.builder, program.path), program.name)

    def address(self, docname: str, anchor: str = "") -> str:
        if docname == self.docname:
            return f"#{anchor}"
        href = addresses.address(self.builder, self.builder.get_target_uri(docname))
        return f"{href}#{anchor}" if anchor else href

    def link(self, target: str, brief: bool = False) -> Link:
        """A link to a page, or to a heading on it, by their titles, or in brief by that of the heading.

        Where there is no such page it has no address; the checks say so.
        """
        docname, _, anchor = target.partition("#")
        if docname not in self.env.titles:
            return Link("", target)
        title = self.env.titles[docname].astext()
        heading = headings(self.env, docname).get(anchor, "") if anchor else ""
        text = heading if brief and heading else f"{title}: {heading}" if heading else title
        return Link(self.address(docname, anchor), text)


def _said(section: Section) -> str:
    """How many facts of a section the site states, and how many not yet."""
    count = len(section.mapped)
    said = f"{count} fact{'s' * (count != 1)} here" if count else "no fact here yet"
    left = len(section.facts) - count
    return f"{said}, {left} not covered yet" if left else said


def headings(env: BuildEnvironment, docname: str) -> dict[str, str]:
    """The headings of a page by their anchors."""
    return {
        entry["anchorname"].removeprefix("#"): entry.astext()
        for entry in env.tocs[docname].findall(nodes.reference)
        if "anchorname" in entry
    }


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Replaces each list by its rows."""
    for node in list(doctree.findall(section_list)):
        addresses.html_builder(app).current_docname = docname
        html = Rows(app, docname).html(node["numbers"], node["overview"])
        node.replace_self(nodes.raw("", html, format="html"))
    for links in list(doctree.findall(section_links)):
        addresses.html_builder(app).current_docname = docname
        links.replace_self(nodes.raw("", Rows(app, docname).links(links["numbers"]), format="html"))


# ---------------------------------------------------------------------------------------------------------------------
# What a page says of itself


def covers(app: Sphinx, docname: str) -> str:
    """The sections that a page covers, as HTML; empty if there are none."""
    found = map_of(Path(app.srcdir)).covering().get(docname, [])
    if not found or app.builder.format != "html":
        return ""
    sources = [
        (source, [_covered(app, docname, section, first) for section, first in found if section.source == source])
        for source in dict.fromkeys(section.source for section, _ in found)
    ]
    return templates.render("guide_map/covers.html", sources=sources)


def _covered(app: Sphinx, docname: str, section: Section, first: bool) -> dict[str, Any]:
    """A section that a page covers, with where the map lists it, and the numbers below it that the page covers, too."""
    page = f"{PAGES}/{section.group}"
    listed = page in app.env.found_docs
    below = dict.fromkeys(fact.section for fact in section.mapped if guide_map.page_of(fact.at) == docname)
    return {
        "first": first,
        "number": section.number,
        "title": section.title,
        "address": section.address,
        "map": f"{app.builder.get_relative_uri(docname, page)}#{section.anchor}" if listed else "",
        "below": [number for number in below if number != section.number],
    }


def _say(app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: object) -> None:
    body = context.get("body")
    if isinstance(body, str) and pagename in app.env.found_docs:
        context["body"] = body + covers(app, pagename)


# ---------------------------------------------------------------------------------------------------------------------
# Builds


def _load(app: Sphinx) -> None:
    docs = Path(app.srcdir)
    files = [Path(guide_map.__file__), *guide_map.files(docs)]
    key = "".join(f"{file} {outdated.digest(file)}\n" for file in files)
    kept = Path(app.doctreedir) / "lockstep" / "guide_map.pickle"
    made_of, made = pickle.loads(kept.read_bytes()) if kept.exists() else ("", b"")
    found = pickle.loads(made) if made_of == key else guide_map.load(docs)
    if made_of != key:
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(kept, pickle.dumps((key, pickle.dumps(found))))
    _maps[str(docs)] = found
    for problem in found.problems:
        where, _, what = problem.partition(": ")
        logger.warning("%s", what, location=str(docs.parent / where), type="lockstep")


def depend(app: Sphinx, doctree: nodes.document) -> None:
    """The pages of the map are read again when the list of sections changes, since it holds their headings."""
    if app.env.docname in domain.of(app.env).data["guide_pages"]:
        outdated.depend(app.env, [Path(app.srcdir) / guide_map.FOLDER / guide_map.SECTIONS])


def renew(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages to write again: those of the map if anything that they name has changed, others if what they cover has."""
    known = domain.of(env).data
    found = map_of(Path(app.srcdir))
    pages = found.covering()
    named = [(page, sorted(headings(env, page).items())) for page in sorted(pages) if page in env.titles]
    titles = [env.titles[page].astext() for page, _ in named]
    cards = [known["shown"].get(page) for page, _ in named]
    everything = hashlib.sha256(repr((found.groups, named, titles, cards)).encode()).hexdigest()
    changed = list(known["guide_pages"]) if everything != known["guide_fingerprint"] else []
    known["guide_fingerprint"] = everything
    said = {page: hashlib.sha256(repr(rows).encode()).hexdigest() for page, rows in pages.items()}
    before = known["guide_said"]
    known["guide_said"] = said
    return changed + [page for page in env.found_docs if said.get(page) != before.get(page)]


def setup(app: Sphinx) -> None:
    app.add_directive("guide-map", GuideMapDirective)
    app.add_node(section_list)
    app.add_node(section_links)
    app.connect("builder-inited", _load)
    app.connect("doctree-read", depend)
    app.connect("env-updated", renew)
    app.connect("doctree-resolved", fill)
    app.connect("html-page-context", _say)
