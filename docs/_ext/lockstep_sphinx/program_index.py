"""`.. program-index::` - all programs, by chapter, by API or by compute capability."""

import hashlib
from html import escape
from itertools import groupby

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from lockstep.programs import architectures
from lockstep.programs.declarations import Program
from lockstep.recordings.transcripts import TranscriptError
from lockstep_sphinx import addresses, api, card, domain, frame, lookup, outdated, project

logger = logging.getLogger(__name__)

KINDS = {"chapter": "By chapter", "api": "By API used", "capability": "By compute capability"}
MAX_SHOWN = 8  # programs of a name, before they are folded away
MAX_LISTED = 40  # and before only their number is told: what nearly every program uses


class program_index(nodes.General, nodes.Element):
    """A list that is complete only when all pages are read."""


class ProgramIndex(SphinxDirective):
    """Lists every program of the site: in one way, or in all ways, each in a section of its own."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        if self.arguments:
            return self._list(self.arguments[0])
        sections: list[nodes.Node] = []
        for kind, title in KINDS.items():
            section = nodes.section("", nodes.title(title, title), *self._list(kind), ids=[nodes.make_id(title)])
            self.state.document.note_explicit_target(section)
            sections.append(section)
        return sections

    def _list(self, kind: str) -> list[nodes.Node]:
        if kind not in KINDS:
            message = "no program index by %s; there are %s"
            logger.warning(message, kind, ", ".join(KINDS), location=self.get_location(), type="lockstep")
            return []
        domain.of(self.env).data["indexes"].setdefault(self.env.docname, []).append(kind)
        node = program_index()
        node["kind"] = kind
        return [node]


class Index:
    """The lists, as HTML, seen from one page."""

    def __init__(self, app: Sphinx) -> None:
        self.app = app
        self.builder = addresses.html_builder(app)
        self.domain = domain.of(app.env)
        self.project = lookup.project_of(app.config)
        self.programs = list(self.project.programs.values())

    def link(self, program: Program) -> str:
        """A link to the program where it is explained, else to its source."""
        pages = self.domain.pages(program.path, "card")
        builder = self.builder
        if pages:
            href = addresses.address(builder, builder.get_target_uri(pages[0])) + f"#{card.anchor(program.name)}"
        else:
            href = addresses.source_address(builder, program.path)
        return f'<a href="{escape(href)}">{escape(program.name)}</a>'

    def title(self, folder: str) -> str:
        """The title of the page that a folder of programs belongs to, linked."""
        env = self.app.env
        for docname in (folder, f"{folder}/index"):
            if docname in env.titles:
                href = addresses.address(self.builder, self.builder.get_target_uri(docname))
                return f'<a href="{escape(href)}">{escape(env.titles[docname].astext())}</a>'
        return escape(folder)

    def summary(self, program: Program) -> str:
        return card.code(project.summary(program.source.read_text(encoding="utf-8")))

    def chapter(self) -> str:
        folders: dict[str, list[Program]] = {}
        for program in self.programs:
            folders.setdefault(program.folder, []).append(program)
        parts = []
        for folder, programs in folders.items():
            rows = "\n".join(
                f"<dt>{self.link(p)}</dt><dd>{card.code(project.summary(p.source.read_text(encoding='utf-8')))}</dd>"
                for p in programs
            )
            parts.append(
                f'<p class="lockstep-folder">{self.title(folder)}</p>\n<dl class="lockstep-programs">{rows}</dl>'
            )
        return "\n".join(parts)

    def api(self) -> str:
        users: dict[str, list[Program]] = {}
        for program in self.programs:
            for name in frame.frames_of(self.app).names[program.path]:
                users.setdefault(name, []).append(program)
        letters, parts = [], []
        for (_, letter), names in groupby(sorted(users, key=_place), lambda name: _place(name)[0]):
            rows = "\n".join(
                f'<dt id="{escape(nodes.make_id(f"api-{name}"))}"><a href="{api.address(name)}"><code>{escape(name)}</code></a></dt>'
                f"<dd>{self._users(users[name])}</dd>"
                for name in names
            )
            anchor = f"names-{letter}"
            letters.append(f'<li><a href="#{anchor}">{letter}</a></li>')
            parts.append(
                f'<section id="{anchor}"><h2 data-search-ignore>{letter}</h2>\n<dl class="lockstep-programs">{rows}</dl></section>'
            )
        jump = (
            f'<nav class="lockstep-letters" aria-label="Letters" data-search-ignore><ul>{"".join(letters)}</ul></nav>'
        )
        return f"{jump}\n" + "\n".join(parts)

    def _users(self, programs: list[Program]) -> str:
        """Links to the programs that use a name; folded where there are many, the first few where all do."""
        if len(programs) > MAX_LISTED:
            return f"{len(programs)} programs, such as {', '.join(map(self.link, programs[:MAX_SHOWN]))}"
        links = ", ".join(map(self.link, programs))
        return (
            links
            if len(programs) <= MAX_SHOWN
            else f"<details><summary>{len(programs)} programs</summary>{links}</details>"
        )

    def capability(self) -> str:
        rows = []
        for program in sorted(self.programs, key=lambda p: (p.min_cc or 0, p.min_gpus, p.path)):
            cells = [
                self.link(program),
                architectures.capability(program.min_cc or architectures.OLDEST),
                escape(
                    ", ".join(a.removeprefix("sm_") for a in architectures.compiled_for(program))
                    or "none: must not compile"
                ),
                escape(self._recorded(program)),
            ]
            rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        head = "".join(
            f'<th scope="col">{t}</th>' for t in ("Program", "Runs from", "Compiles for", "Last recorded on")
        )
        return (
            '<div class="lockstep-table" tabindex="0"><table class="lockstep-data docutils">'
            f"<thead><tr>{head}</tr></thead>\n<tbody>{''.join(rows)}</tbody></table></div>"
        )

    def _recorded(self, program: Program) -> str:
        if program.unrecorded:
            return f"not recorded: {program.unrecorded}"
        try:
            known = self.project.transcript(program).provenance
        except TranscriptError:
            known = {}
        return f"{known['gpu'].partition(' (')[0]}, {known.get('date', '')}" if "gpu" in known else "not recorded yet"


def _place(name: str) -> tuple[tuple[str, str], str]:
    """Where a name stands in the list: its group, with the group's letter, and its place in there.

    Most names begin with "cuda", so that these have groups by the letter that follows.
    """
    bare = name.lstrip("_")
    if bare.startswith("cuda") and bare[4:5].isalpha():
        return (f"cuda{bare[4].lower()}", f"cuda{bare[4].upper()}"), bare.lower()
    return (bare[0].lower(), bare[0].upper()), bare.lower()


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Replaces each index by its list."""
    for node in list(doctree.findall(program_index)):
        addresses.html_builder(app).current_docname = docname
        html = getattr(Index(app), node["kind"])()
        node.replace_self(nodes.raw("", f'<div class="lockstep-index">\n{html}\n</div>', format="html"))


def renew(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages that hold an index are written again when anything that it shows has changed."""
    known = domain.of(env)
    if not known.data["indexes"]:
        return []
    parts = []
    for program in lookup.project_of(app.config).programs.values():
        stamps = [outdated.digest(file) for file in (program.source, program.console)]
        parts.append((repr(program), stamps, known.pages(program.path, "card")))
    titles = sorted((name, title.astext()) for name, title in env.titles.items())
    fingerprint = hashlib.sha256(repr((parts, titles)).encode()).hexdigest()
    if fingerprint == known.data.get("index_fingerprint"):
        return []
    known.data["index_fingerprint"] = fingerprint
    return list(known.data["indexes"])


def _filter(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Loads what filters the names, on the page that lists them."""
    if "api" in domain.of(app.env).data["indexes"].get(pagename, ()):
        app.add_js_file("names.js", loading_method="defer")


def setup(app: Sphinx) -> None:
    app.add_directive("program-index", ProgramIndex)
    app.add_node(program_index)
    app.connect("env-updated", renew)
    app.connect("doctree-resolved", fill)
    app.connect("html-page-context", _filter)
