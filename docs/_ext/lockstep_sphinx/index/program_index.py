"""Lists of all programs, each made when all pages are read.

    .. program-index:: parts                    the parts and their chapters, each linked to the page that lists its programs
    .. program-index:: chapter features         the programs of a part, by chapter and page; without a part, all of them
    .. program-index:: capability               what not every GPU can run, or not every architecture can be compiled for
    .. program-index:: names                    the names of CUDA, each linked to the page that lists the programs which use it
    .. program-index:: api driver               what each name of a group is for, and the programs that use it; without a
                                                group, of all names

One page with everything would grow with the site. The pages that the overviews lead to are found by what they list.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from lockstep.programs import architectures
from lockstep.programs.declarations import Program
from lockstep.recordings.transcripts import TranscriptError
from lockstep_sphinx import addresses, domain, lookup, outdated, project, templates
from lockstep_sphinx.addresses import Link
from lockstep_sphinx.card import card
from lockstep_sphinx.directive import SiteDirective
from lockstep_sphinx.frame import frame
from lockstep_sphinx.links import api, entries, lines

logger = logging.getLogger(__name__)

KINDS = ("parts", "chapter", "capability", "names", "api")
OF_NAMES = ("names", "api")
OVERVIEWS = ("names",)  # the search leads to the lists themselves
MAX_SHOWN = 8  # programs of a name, before they are folded away
MAX_LISTED = 40  # and before only their number is told: what nearly every program uses


Values = dict[str, Any]


class program_index(nodes.General, nodes.Element):
    """A list that is complete only when all pages are read."""


class ProgramIndex(SiteDirective):
    """One of the lists, whole or of one part or group."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        kind, of = self.arguments[0], "".join(self.arguments[1:])
        if kind not in KINDS:
            return self.warn("no program index by %s; there are %s", kind, ", ".join(KINDS))
        programs = self.project.programs.values()
        known = {"chapter": {_part(program) for program in programs}, entries.KIND: set(entries.GROUPS)}.get(
            kind, set()
        )
        if of and of not in known:
            names = ", ".join(sorted(known)) or "no parts of that list"
            return self.warn("nothing to list by %s is called %s; there are %s", kind, of, names)
        domain.of(self.env).data["indexes"].setdefault(self.env.docname, []).append((kind, of))
        if kind in OF_NAMES:
            outdated.depend(self.env, lines.files(Path(self.env.srcdir)))
        node = program_index()
        node["kind"], node["of"] = kind, of
        return [node]


class Index:
    """What the templates of the lists show, seen from one page; a list's method has its kind's name."""

    def __init__(self, app: Sphinx) -> None:
        self.app = app
        self.builder = addresses.html_builder(app)
        self.domain = domain.of(app.env)
        self.project = lookup.project_of(app.config)
        self.programs = _in_order(self.project.programs[path] for path in frame.frames_of(app).trails.programs)

    def page(self, docname: str) -> str:
        """The address of a page."""
        return addresses.address(self.builder, self.builder.get_target_uri(docname))

    def listing(self, kind: str, of: str) -> str:
        """The address of the page that lists this."""
        if docname := entries.page_with(self.app.env, kind, of):
            return self.page(docname)
        message = 'no page lists these programs; add one with ".. program-index:: %s %s"'
        logger.warning(message, kind, of, location=self.builder.current_docname, type="lockstep")
        return ""

    @cached_property
    def cards(self) -> dict[str, str]:
        """A program, and the page with its card."""
        shown = sorted(self.domain.data["shown"].items(), reverse=True)
        return {path: docname for docname, found in shown for kind, path in found if kind == "card"}

    def link(self, program: Program) -> Link:
        """A link to the program where it is explained, else to its source."""
        if program.path in self.cards:
            return Link(self.page(self.cards[program.path]) + f"#{card.anchor(program.name)}", program.name)
        return Link(addresses.source_address(self.builder, program.path), program.name)

    def title(self, folder: str) -> Link:
        """The title of the page that a folder of programs belongs to, with its address if there is such a page."""
        docname = self._page_of(folder)
        return Link(self.page(docname) if docname else "", self._name(folder))

    def parts(self, of: str) -> Values:
        """Each part, with its chapters and how many programs they have."""
        parts = []
        for part, programs in groupby(self.programs, _part):
            found = list(programs)
            chapters = [
                {"anchor": _anchor(chapter), "name": self._name(chapter), "count": sum(1 for _ in below)}
                for chapter, below in groupby(found, _chapter)
            ]
            parts.append(
                {
                    "address": self.listing("chapter", part),
                    "name": part.capitalize(),
                    "count": count(len(found), "program"),
                    "chapters": chapters,
                }
            )
        return {"parts": parts}

    def chapter(self, of: str) -> Values:
        """The programs of a part, by chapter and page."""
        chapters = [
            {
                "anchor": _anchor(chapter),
                "name": self._name(chapter),
                "title": self.title(chapter),
                "pages": [
                    {
                        "title": self.title(folder) if folder != chapter else None,
                        "programs": [{"link": self.link(program), "summary": _summary(program)} for program in shown],
                    }
                    for folder, shown in groupby(programs, lambda program: program.folder)
                ],
            }
            for chapter, programs in groupby(self._of_part(of), _chapter)
        ]
        return {"chapters": chapters}

    def _of_part(self, part: str) -> Iterator[Program]:
        return (program for program in self.programs if not part or _part(program) == part)

    def _name(self, folder: str) -> str:
        """The title of the page that a folder of programs belongs to."""
        docname = self._page_of(folder)
        return self.app.env.titles[docname].astext() if docname else folder

    def _page_of(self, folder: str) -> str | None:
        """The page that a folder of programs belongs to."""
        return next((name for name in (folder, f"{folder}/index") if name in self.app.env.titles), None)

    def names(self, of: str) -> Values:
        """All names, each with the page that lists its programs."""
        pages = {group: self.listing("api", group) for group in {entries.group(name) for name in self._names}}
        return _by_letter(self._names, lambda name: {"listing": pages[entries.group(name)]})

    def api(self, of: str) -> Values:
        """The names of a group, each with what it is for and the programs that use it."""
        names = (name for name in self._names if not of or entries.group(name) == of)
        found = _by_letter(
            names,
            lambda name: {
                "address": api.address(name),
                "line": self._lines.get(name, ""),
                "programs": list(map(self.link, self._users.get(name, ()))),
            },
        )
        return {**found, "most_shown": MAX_SHOWN, "most_listed": MAX_LISTED}

    @cached_property
    def _lines(self) -> dict[str, str]:
        """What each name is for, as far as it is told."""
        return lines.told(Path(self.app.srcdir))

    @cached_property
    def _names(self) -> set[str]:
        """All names: those that programs use, and those that are told of."""
        return {*self._users, *self._lines}

    @cached_property
    def _users(self) -> dict[str, list[Program]]:
        """The programs that use each name."""
        users: dict[str, list[Program]] = {}
        for program in self.programs:
            for name in frame.frames_of(self.app).names[program.path]:
                users.setdefault(name, []).append(program)
        return users

    def capability(self, of: str) -> Values:
        """The programs that need more than any GPU, and what all others have in common."""
        everywhere = architectures.ALL_MAJOR
        groups: dict[tuple[str, str, str], list[Link]] = {}
        others = []
        for program in sorted(self.programs, key=lambda p: (p.min_cc or 0, p.min_gpus, p.path)):
            compiled = [name.removeprefix("sm_") for name in architectures.compiled_for(program)]
            needs = [architectures.capability(program.min_cc or architectures.OLDEST)]
            needs += [f"{program.min_gpus} GPUs"] if program.min_gpus > 1 else []
            recorded = self._recorded(program)
            if len(compiled) == len(everywhere) and len(needs) == 1 and not program.unrecorded:
                others.append(recorded.partition(",")[0].removeprefix("last recorded on "))
                continue
            told = f"compiles for {', '.join(compiled)}" if compiled else "must not compile"
            groups.setdefault((", ".join(needs), told, recorded), []).append(self.link(program))
        return {
            "groups": [
                dict(zip(("needs", "compiled", "recorded"), key, strict=True), programs=groups[key]) for key in groups
            ],
            "others": len(others),
            "count": len(self.programs),
            "oldest": architectures.capability(architectures.OLDEST),
            "everywhere": everywhere,
            "recorded": ", ".join(f"{gpu} ({number})" for gpu, number in Counter(others).most_common()),
        }

    def _recorded(self, program: Program) -> str:
        if program.unrecorded:
            return f"not recorded: {program.unrecorded}"
        try:
            known = self.project.transcript(program).provenance
        except TranscriptError:
            known = {}
        if "gpu" not in known:
            return "not recorded yet"
        return f"last recorded on {known['gpu'].partition(' (')[0]}, {known.get('date', '')}"


def _in_order(programs: Iterable[Program]) -> list[Program]:
    """The programs of each part, chapter and page together, each where the first of them was."""
    found = list(programs)
    first: dict[str, int] = {}
    for at, program in enumerate(found):
        for folder in _folders(program):
            first.setdefault(folder, at)
    return sorted(found, key=lambda program: [first[folder] for folder in _folders(program)])


def _folders(program: Program) -> list[str]:
    return ["/".join(names) for names in accumulate([name] for name in program.folder.split("/"))]


def _part(program: Program) -> str:
    return program.folder.split("/")[0]


def _chapter(program: Program) -> str:
    """The folder of the chapter that a program belongs to, or of its page where that stands alone in its part."""
    return "/".join(program.folder.split("/")[:2])


def _anchor(chapter: str) -> str:
    return str(nodes.make_id(f"programs-{chapter.rpartition('/')[2]}"))


def count(number: int, one: str, several: str = "") -> str:
    """A number of things, in words that agree."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def _summary(program: Program) -> str:
    return project.summary(program.source.read_text(encoding="utf-8"))


def _by_letter(names: Iterable[str], details: Callable[[str], Values]) -> Values:
    """Names in alphabetical order, in a section for each letter, with what is to be told of each."""
    letters = [
        {
            "anchor": f"names-{letter}",
            "name": letter,
            "names": [{"text": name, "anchor": entries.anchor(name), **details(name)} for name in found],
        }
        for (_, letter), found in groupby(sorted(names, key=_place), lambda name: _place(name)[0])
    ]
    return {"letters": letters}


def _place(name: str) -> tuple[tuple[str, str], str]:
    """Where a name stands in the list: its group, with the group's letter, and its place in there.

    Most names begin with "cuda", so that these have groups by the letter that follows; a namespace does not count.
    """
    bare = name.rpartition("::")[2].lstrip("_#")
    if bare.startswith("cuda") and bare[4:5].isalpha():
        return (f"cuda{bare[4].lower()}", f"cuda{bare[4].upper()}"), bare.lower()
    return (bare[0].lower(), bare[0].upper()), bare.lower()


def fill(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Replaces each index by its list."""
    lists = list(doctree.findall(program_index))
    if not lists:
        return
    index = Index(app)
    index.builder.current_docname = docname
    for node in lists:
        kind = node["kind"]
        values = getattr(index, kind)(node["of"])
        html = templates.render("index/index.html", kind=kind, quiet=kind in OVERVIEWS, **values)
        node.replace_self(nodes.raw("", html, format="html"))


def renew(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages that hold an index are written again when anything that it shows has changed."""
    known = domain.of(env)
    if not known.data["indexes"]:
        return []
    parts = []
    for program in lookup.project_of(app.config).programs.values():
        stamps = [outdated.digest(file) for file in (*project.own_sources(program), program.console)]
        parts.append((repr(program), stamps, known.pages(program.path, "card")))
    titles = sorted((name, title.astext()) for name, title in env.titles.items())
    order = sorted(env.toctree_includes.items()), sorted(known.data["shown"].items())
    fingerprint = hashlib.sha256(repr((parts, titles, order)).encode()).hexdigest()
    if fingerprint == known.data.get("index_fingerprint"):
        return []
    known.data["index_fingerprint"] = fingerprint
    return list(known.data["indexes"])


def _filter(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Loads what filters names, on the pages that list them."""
    if any(kind in OF_NAMES for kind, _ in domain.of(app.env).data["indexes"].get(pagename, ())):
        app.add_js_file("index/names.js", loading_method="defer")


def setup(app: Sphinx) -> None:
    app.add_directive("program-index", ProgramIndex)
    app.add_node(program_index)
    app.connect("env-updated", renew)
    app.connect("doctree-resolved", fill)
    app.connect("html-page-context", _filter)
