"""`.. course-path::` - the steps of a path of the course: pages to read and exercises to solve, with the time they take.

`docs/course.toml` holds the paths. A step is a page, or a chapter with all its pages, named by its first page:

    [pages]
    "labs/reductions" = { can = "combine many values", needs = ["labs/shared_memory"] }

    [paths.weekends]
    days = 4
    knows = ["foundations/index"]        # what readers of this path bring along
    steps = ["labs/shared_memory", "labs/reductions"]

What a page needs must stand before it in each path that has it. The time of a step is computed from the words of its pages,
their exercises and predictions.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from lockstep import data, site_parts
from lockstep.checks import language
from lockstep_sphinx import domain, html_nodes, lookup, outdated, templates
from lockstep_sphinx.addresses import Link
from lockstep_sphinx.directive import SiteDirective

logger = logging.getLogger(__name__)

WORDS_A_MINUTE = 100  # with the programs and outputs between them
MINUTES = {"solved": 20, "predicted": 2}  # for an exercise, for a prediction


@dataclass(frozen=True)
class Page:
    """What a reader of a page can do afterwards, and the pages that it builds on."""

    can: data.Text
    needs: tuple[data.Text, ...] = ()


@dataclass(frozen=True)
class Route:
    """The pages of a path in order; what its readers know already, and on how many days they work."""

    days: Annotated[int, data.Rule("a whole number of at least 1", lambda days: days >= 1)]
    steps: tuple[data.Text, ...]
    knows: tuple[data.Text, ...] = ()


@dataclass(frozen=True)
class Course:
    """What course.toml holds."""

    pages: dict[str, Page] = field(default_factory=dict)
    paths: dict[str, Route] = field(default_factory=dict)


def course_file(env: BuildEnvironment) -> Path:
    return Path(env.srcdir) / "course.toml"


def load(env: BuildEnvironment) -> data.Document[Course]:
    """:raises data.DataError: where the file is not as it must be"""
    return data.document(course_file(env), Course, Path(env.srcdir).parent)


def covers(page: str, found: set[str]) -> list[str]:
    """The pages of a step: a chapter's, where its first page is named."""
    if not page.endswith("/index"):
        return [page]
    return sorted(name for name in found if name.startswith(page.removesuffix("index")))


def problems(course: Course, found: set[str]) -> list[tuple[data.Place, str]]:
    """What is wrong with the paths, and where it stands in the file."""
    said: list[tuple[data.Place, str]] = []
    for name, page in course.pages.items():
        for one in (name, *page.needs):
            if one not in found or one.partition("/")[0] not in site_parts.READ:
                said.append((("pages", name), f"{one} is no page of the parts that are read"))
    for title, route in course.paths.items():
        before = {page for known in route.knows for page in covers(known, found)}
        for i, name in enumerate(route.steps):
            at = ("paths", title, "steps", i)
            if name not in course.pages:
                said.append((at, f"{name} is a step of {title}; say under [pages] what one can do after it"))
                continue
            if name in route.steps[:i]:
                said.append((at, f"{name} is a step of {title} twice"))
            for need in course.pages[name].needs:
                if need not in before:
                    later = any(need in covers(step, found) for step in route.steps[i + 1 :])
                    where = "a later step" if later else "no step"
                    said.append(
                        (at, f"{name} needs {need}, which is in {where} of {title}; put it before, or in knows")
                    )
            before.update(covers(name, found))
    return said


class course_path(nodes.General, nodes.Element):
    """Carries the name of a path; its steps are known when all pages are read."""


class CoursePath(SiteDirective):
    """Shows the steps of a path."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        outdated.depend(self.env, [course_file(self.env)])
        name = self.arguments[0]
        try:
            course = load(self.env).value
        except data.DataError as error:
            return self.warn("%s", error)
        if name not in course.paths:
            return self.warn("course.toml has no path %s; it has %s", name, ", ".join(course.paths))
        domain.of(self.env).data["paths"].setdefault(self.env.docname, {})[name] = ""
        return [course_path("", path=name, route=course.paths[name], pages=course.pages)]


@dataclass(frozen=True)
class Part:
    """One thing that a reader does for a step: reads a page, solves an exercise, makes a prediction."""

    kind: str
    name: str
    minutes: int


def parts(env: BuildEnvironment, page: str) -> list[Part]:
    """What a step consists of."""
    known, programs = domain.of(env), lookup.project_of(env.config).programs
    found = []
    for name in covers(page, env.found_docs):
        words = language.words(Path(env.doc2path(name)).read_text(encoding="utf-8"))
        found.append(Part("read", name, max(1, round(words / WORDS_A_MINUTE))))
        cards = [path for kind, path in known.data["shown"].get(name, ()) if kind == "card"]
        done = [("solved", path.rpartition("/")[2]) for path in cards if path in programs and programs[path].exercise]
        done += [("predicted", f"{name}/{one}") for one in known.data["predictions"].get(name, ())]
        found += [Part(kind, one, MINUTES[kind]) for kind, one in done]
    return found


def clock(minutes: float) -> str:
    """A time, to five minutes: 2 h 40 min."""
    hours, rest = divmod(max(5, 5 * round(minutes / 5)), 60)
    return " ".join([*([f"{hours} h"] if hours else []), *([f"{rest} min"] if rest else [])])


def amount(parts: list[Part]) -> str:
    """What a step asks for, in words."""
    words = {"read": "page", "solved": "exercise", "predicted": "prediction"}
    counts = [(sum(part.kind == kind for part in parts), word) for kind, word in words.items()]
    return ", ".join(f"{n} {word}{'s' * (n != 1)}" for n, word in counts if n)


def _check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warns of paths whose steps do not follow from one another."""
    if not domain.of(env).data["paths"]:
        return
    try:
        document = load(env)
    except data.DataError:
        return  # the directive says so
    for place, problem in problems(document.value, env.found_docs):
        logger.warning("%s", problem, location=document.at(*place), type="lockstep")


def _prepare(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The pages whose paths have changed with the pages that they name."""
    changed = []
    shown = domain.of(env).data["paths"]
    try:
        paths = load(env).value.paths if shown else {}
    except data.DataError:
        return []  # the directive says so
    for docname in shown:
        for name, before in shown[docname].items():
            steps = paths[name].steps if name in paths else ()
            now = repr([(env.titles[page].astext(), parts(env, page)) for page in steps if page in env.titles])
            if now != before:
                shown[docname][name] = now
                changed.append(docname)
    return changed


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    builder = translator.builder
    env, here = builder.env, builder.current_docname

    def link(page: str) -> Link:
        return Link(builder.get_relative_uri(here, page), env.titles[page].astext())

    route, pages = node["route"], node["pages"]
    steps = []
    for name in (name for name in route.steps if name in env.titles and name in pages):
        found = parts(env, name)
        steps.append((link(name), pages[name].can, found, clock(sum(part.minutes for part in found)), amount(found)))
    total = sum(part.minutes for _, _, found, _, _ in steps for part in found)
    html = templates.render(
        "course/path.html",
        knows=[link(page) for page in route.knows if page in env.titles],
        steps=steps,
        total=clock(total),
        days=route.days,
        a_day=clock(total / route.days),
    )
    translator.body.append(html)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("course-path", CoursePath)
    html_nodes.add_node(app, course_path, visit)
    app.connect("env-check-consistency", _check)
    app.connect("env-updated", _prepare)
