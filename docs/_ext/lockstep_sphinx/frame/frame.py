"""What frames every page: the list of pages beside it, the way to it, related pages, its neighbors, and a footer.

All of it is worked out once a build, when every page is read. A page whose frame has changed is written again, though
nothing in its own files did. Pages of programs hold placeholders, into which `source_pages` puts theirs.
"""

import hashlib
import re
from functools import cache, cached_property, partial
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util import docname_join

from lockstep.programs.declarations import Program
from lockstep.recordings import keys
from lockstep.recordings.transcripts import TranscriptError
from lockstep_sphinx import addresses, domain, lookup, outdated, project, templates
from lockstep_sphinx.addresses import Link
from lockstep_sphinx.frame import description, history, navigation, related, trail
from lockstep_sphinx.links import api
from lockstep_sphinx.place import place
from lockstep_sphinx.publish import takeaway

PARTS = ("navigation", "description", "breadcrumbs", "related", "neighbors", "foot")
FEED = "feed.xml"
UNFRAMED = ("404",)  # it may stand at any address, so it can hold no relative one

_ISSUE = """What was unclear, missing or wrong?



Page: {page}
Version: {version}
"""
_VIEWPORT = re.compile(r"<meta[^>]*name=\"viewport\"[^>]*>\s*")
_frames: dict[str, "Frames"] = {}


def frames_of(app: Sphinx | Builder) -> "Frames":
    """The frames of the build that runs."""
    return _frames[app.config.lockstep_root]


def placeholder(part: str) -> str:
    """What stands for a part of the frame on a page that is drawn once for many programs."""
    return f"@LOCKSTEP-{part.upper()}@"


class Frames:
    """What the pages of a build have in common, and how they follow each other."""

    def __init__(self, app: Sphinx) -> None:
        self.env = app.env
        self.config = app.config
        self.project = lookup.project_of(app.config)
        self.trails = trail.Trails(app.env, self.project)
        self.navigation = navigation.Navigation(app.env, self._exercises())
        self.title = cache(self._title)
        self.listed_with = cache(self._listed)
        self._beside_programs: dict[tuple[str, int], str] = {}
        self.dates = history.dates(self.project.root)
        self.taken = f"{app.builder.get_target_uri(page)}#{takeaway.ANCHOR}" if (page := takeaway.page(app.env)) else ""

    def _exercises(self) -> dict[str, list[str]]:
        """The names of the exercises of each page that has some."""
        found: dict[str, list[str]] = {}
        for path, program in self.project.programs.items():
            if program.exercise:
                found.setdefault(self.trails.chapter(path), []).append(program.name)
        return found

    # What is known of pages and programs

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """The names of CUDA that each program uses; read again where its source has changed."""
        kept: dict[str, tuple[str, list[str]]] = domain.of(self.env).data["names"]
        table, now = api.table(), {}
        listed = outdated.digest(Path(api.__file__).with_name("api_links.json"))
        for path, program in self.project.programs.items():
            key = "".join(map(outdated.digest, project.own_sources(program))) + listed
            known = kept.get(path)
            now[path] = known if known and known[0] == key else (key, self.project.apis(program, table))
        domain.of(self.env).data["names"] = now
        return {path: names for path, (_, names) in now.items()}

    @cached_property
    def related_pages(self) -> dict[str, list[str]]:
        """For each page, others that are about the same: that use the same rare names, and link the same terms and pages."""
        trails = self.trails
        shown = {docname: trails.shown(docname) for docname in sorted(self.env.found_docs)}
        linked = domain.of(self.env).data["linked"]
        about = {
            docname: {name for path in paths for name in self.names[path]}
            | {f"doc {docname}", *linked.get(docname, ())}
            for docname, paths in shown.items()
            if paths  # others are lists, or are looked up
        }

        def apart(page: str, other: str) -> bool:
            near = {*trails.above(page), *trails.around(page)}
            return other not in near and page not in trails.above(other)

        return related.find(about, apart)

    @cached_property
    def related_programs(self) -> dict[str, list[str]]:
        """For each program, those of other chapters that use the same rare names."""
        chapter = self.trails.chapter
        return related.find(self.names, lambda page, other: chapter(page) != chapter(other))

    def source(self, docname: str) -> str:
        """The file of a page, seen from the project's root."""
        return self.env.doc2path(docname).relative_to(self.project.root).as_posix()

    def changed(self, docname: str) -> str:
        """The day on which a page, or a program that it shows, last changed; empty where git does not tell."""
        days = [self.changed_program(self.project.programs[path]) for path in self.trails.shown(docname)]
        own = self.dates.get(self.source(docname))
        return max([own.changed, *days]) if own else ""

    def changed_program(self, program: Program) -> str:
        """The day on which a program or its recording last changed; empty where git does not tell."""
        files = f"{program.name}.cu", program.console.name, *program.recorded_files
        paths = (f"programs/{program.folder}/{name}" for name in files)
        return max((self.dates[path].changed for path in paths if path in self.dates), default="")

    def _title(self, docname: str) -> str:
        if docname == self.config.root_doc:
            return str(self.config.project)
        return self.env.titles[docname].astext() if docname in self.env.titles else docname

    def digest(self, docname: str) -> str:
        """What changes when the frame of a page does."""
        near = [*self.trails.above(docname), *filter(None, self.trails.around(docname))]
        linked = [(page, self.title(page)) for page in [*near, *self.related_pages.get(docname, [])]]
        beside = self.navigation.listed(self._open(docname))
        kept = place.pages_below(self.env, docname), place.predictions_below(self.env, docname)
        told = linked, self.changed(docname), beside, self.taken, kept
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]

    def digest_of_program(self, program: Program) -> str:
        """What changes when the frame of a program's page does."""
        chapter = self.trails.chapter(program.path)
        near = [*self.related_programs[program.path], *filter(None, self.trails.around_program(program.path))]
        chapters = [self.trails.chapter(path) for path in near]
        linked = [(page, self.title(page)) for page in [*chapters, *self.trails.above_program(program.path)]]
        told = near, linked, self.changed_program(program), self.listed_with(chapter)
        return hashlib.sha256(repr(told).encode()).hexdigest()[:16]

    def _listed(self, chapter: str) -> str:
        """What changes when the list beside the programs of a chapter does."""
        listed = self.navigation.listed(self._open(chapter))
        return hashlib.sha256(repr(listed).encode()).hexdigest()[:16]

    def _open(self, docname: str) -> set[str]:
        """The pages whose pages are listed beside a page: itself, and those above it."""
        return {docname, *self.trails.above(docname)}

    # The parts, as HTML

    def beside(self, docname: str, where: navigation.Where) -> str:
        """The list of pages beside a page."""
        return self.navigation.html(where, docname, self._open(docname))

    def _beside_program(self, builder: Builder, here: str, chapter: str) -> str:
        """The list of pages beside a program's page: that of its chapter, and the same for all programs of a folder's depth."""
        key = chapter, here.count("/")
        if key not in self._beside_programs:
            self._beside_programs[key] = self.navigation.html(
                lambda page: builder.get_relative_uri(here, page), here, self._open(chapter)
            )
        return self._beside_programs[key]

    def of_page(self, builder: Builder, docname: str, body: str) -> dict[str, str]:
        """The frame of a page."""

        def link(page: str) -> Link:
            return Link(builder.get_relative_uri(docname, page), self.title(page))

        before, after = self.trails.around(docname)
        above = [link(page) for page in self.trails.above(docname)]
        return {
            "description": description.of(body),
            "breadcrumbs": _breadcrumbs(above, self.title(docname)) if above else "",
            "related": _related(
                "These are about the same:", [(link(page), "") for page in self.related_pages.get(docname, [])]
            ),
            "neighbors": _neighbors(link(before) if before else None, link(after) if after else None),
            "foot": self.foot(self.source(docname), self.changed(docname), self.title(docname)),
        }

    def of_program(self, builder: Builder, program: Program, summary: str) -> dict[str, str]:
        """The frame of a program's page."""
        here = addresses.page_of_source(program.path)

        def link(page: str) -> Link:
            return Link(builder.get_relative_uri(here, page), self.title(page))

        def program_link(path: str) -> Link:
            return Link(builder.get_relative_uri(here, addresses.page_of_source(path)), f"{path.rpartition('/')[2]}.cu")

        def neighbor(path: str | None) -> Link | None:
            """A program with its chapter, where that is another one."""
            if path is None:
                return None
            link, chapter = program_link(path), self.trails.chapter(path)
            if chapter == self.trails.chapter(program.path):
                return link
            return Link(link.address, f"{link.text} ({self.title(chapter)})")

        before, after = self.trails.around_program(program.path)
        near = [
            (program_link(path), self.title(self.trails.chapter(path))) for path in self.related_programs[program.path]
        ]
        return {
            "navigation": self._beside_program(builder, here, self.trails.chapter(program.path)),
            "description": description.shortened(summary),
            "breadcrumbs": _breadcrumbs(
                [link(page) for page in self.trails.above_program(program.path)], f"{program.name}.cu"
            ),
            "related": _related("These use the same CUDA names:", near),
            "neighbors": _neighbors(neighbor(before), neighbor(after)),
            "foot": self.foot(
                program.source.relative_to(self.project.root).as_posix(),
                self.changed_program(program),
                program.source.name,
            ),
        }

    def foot(self, source: str = "", changed: str = "", title: str = "") -> str:
        """What a page's footer tells: versions, the day of the last change, and where to improve it."""
        links = []
        version = f"{self.config.project} {self.config.release}".strip()
        toolkit = _toolkit(self.project.root)
        if source and (repository := self.config.lockstep_repository.rstrip("/")):
            told = version, f"changed on {changed}" if changed else "", f"CUDA Toolkit {toolkit}" if toolkit else ""
            issue = {"title": f"{title}: ", "body": _ISSUE.format(page=source, version=", ".join(filter(None, told)))}
            links += [
                Link(f"{repository}/issues/new?{urlencode(issue, quote_via=quote)}", "Was this page clear?"),
                Link(f"{repository}/edit/main/{quote(source)}", "Edit this page"),
            ]
        if self.config.html_baseurl and self.taken:
            links.append(Link(self.config.html_baseurl + self.taken, "Read offline: zip, book, PDFs"))
        if self.config.html_baseurl:
            links.append(Link(self.config.html_baseurl + FEED, "Feed of new pages and recordings"))
        return templates.render(
            "frame/foot.html",
            project=version,
            toolkit=toolkit,
            changed=changed,
            links=links,
        )


def _toolkit(root: Path) -> str:
    try:
        return keys.pinned_toolkit(root)
    except TranscriptError:
        return ""


def _breadcrumbs(above: list[Link], title: str) -> str:
    """The way to a page."""
    return templates.render("frame/breadcrumbs.html", above=above, title=title)


def _neighbors(before: Link | None, after: Link | None) -> str:
    """Links to the pages before and after."""
    return templates.render("frame/neighbors.html", before=before, after=after)


def _related(why: str, links: list[tuple[Link, str]]) -> str:
    """Links to related pages, each with the chapter that it stands in, if that is told."""
    return templates.render("frame/related.html", why=why, links=links)


# ---------------------------------------------------------------------------------------------------------------------


def _check(app: Sphinx, config: Config) -> None:
    """Refuses addresses that would make broken links."""
    for name, value, slash in (
        ("LOCKSTEP_URL", config.html_baseurl, "/"),
        ("LOCKSTEP_REPOSITORY", config.lockstep_repository, ""),
    ):
        parts = urlsplit(value)
        if value and not (parts.scheme in ("http", "https") and parts.netloc and value.endswith(slash)):
            form = f"https://example.org/lockstep{slash}"
            raise ExtensionError(f"{name} is {value}; give an address such as {form}, or leave it unset")


def _note_links(app: Sphinx, doctree: nodes.document) -> None:
    """Remembers the terms and pages that a page's author linked."""
    here = app.env.docname
    links = [node for node in doctree.findall(addnodes.pending_xref) if node.get("reftype") in ("term", "doc")]
    domain.of(app.env).data["linked"][here] = sorted(
        {_topic(here, node["reftype"], node["reftarget"]) for node in links}
    )


def _topic(here: str, kind: str, target: str) -> str:
    return f"doc {docname_join(here, target)}" if kind == "doc" else f"term {target.lower()}"


def _prepare(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Works the frames out; returns the pages whose frame has changed."""
    frames = _frames[app.config.lockstep_root] = Frames(app)
    before: dict[str, str] = domain.of(env).data["frames"]
    now = {docname: frames.digest(docname) for docname in env.found_docs}
    domain.of(env).data["frames"] = now
    return [docname for docname, digest in now.items() if before.get(docname) != digest]


def _frame(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Hands the frame to the page's template."""
    frames = frames_of(app)
    context["metatags"] = _VIEWPORT.sub("", str(context.get("metatags", "")))  # the theme has one
    if context.get("foot") == placeholder("foot"):
        return
    if pagename in app.env.found_docs:
        parts = frames.of_page(app.builder, pagename, str(context.get("body", "")))
    else:
        parts = {"foot": frames.foot()}
        context["pageurl"] = None  # it has no place in an index
        if pagename not in UNFRAMED:
            home = Link(app.builder.get_relative_uri(pagename, app.config.root_doc), app.config.project)
            parts["breadcrumbs"] = _breadcrumbs([home], pagename.capitalize())
    context.update(parts)
    context["navigation"] = partial(frames.beside, pagename)  # drawn by the template, which knows addresses on any page


def setup(app: Sphinx) -> None:
    app.add_config_value("lockstep_repository", "", "html", str)
    app.connect("config-inited", _check)
    app.connect("doctree-read", _note_links, priority=300)  # before `first_uses` links further terms
    app.connect("env-updated", _prepare)
    app.connect("html-page-context", _frame, priority=400)  # the extension of the 404 page changes addresses later
