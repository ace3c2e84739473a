"""Where a page leaves room for the reader's place: read pages, solved exercises and right predictions. reader.js fills it, or nothing does.

`.. place-settings::` is where a reader exports, imports and forgets what the browser keeps.
"""

from typing import Any

from docutils import nodes
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from lockstep import site_parts
from lockstep.programs.declarations import Program
from lockstep_sphinx import domain, lookup, templates

_SETS = "place-settings"  # of the metadata of the page that has the directive
_PAGES = 'data-pages=""'  # what stands in the place of pages and predictions, which are known when all are read


def exercises_below(programs: dict[str, Program], prefix: str) -> list[str]:
    """The names of the exercises of the pages whose names begin so."""
    return [program.name for program in programs.values() if program.exercise and program.folder.startswith(prefix)]


def pages_below(env: BuildEnvironment, page: str) -> list[str]:
    """The pages that a page counts, seen from its folder: a part's or chapter's first page, or the one with the settings."""
    if env.metadata.get(page, {}).get(_SETS):
        return sorted(name for name in env.found_docs if name.partition("/")[0] in site_parts.READ and "/" in name)
    if page.partition("/")[0] not in site_parts.READ or not page.endswith("/index"):
        return []
    prefix = page.removesuffix("index")
    return sorted(name.removeprefix(prefix) for name in env.found_docs if name.startswith(prefix))


def predictions_below(env: BuildEnvironment, page: str) -> list[str]:
    """The predictions that the page with the settings counts, each named below its page."""
    if not env.metadata.get(page, {}).get(_SETS):
        return []
    found = domain.of(env).data["predictions"]
    return sorted(f"{of}/{name}" for of, names in found.items() for name in names)


def _leave_room(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """A part's or chapter's page shows how much of it is read; each page ends with a box to mark it."""
    part, _, rest = page.partition("/")
    if app.builder.name not in ("html", "dirhtml") or "body" not in context:
        return  # a book has no scripts
    body = context["body"]
    pages = pages_below(app.env, page)
    if app.env.metadata.get(page, {}).get(_SETS):
        predictions = " ".join(predictions_below(app.env, page))
        made = templates.render("place/pages.html", pages=pages) + f' data-predictions="{predictions}"'
        context["body"] = body.replace(_PAGES, made, 1)
    if part not in site_parts.READ or not rest:
        return
    if page.endswith("/index"):
        names = exercises_below(lookup.project_of(app.config).programs, page.removesuffix("index"))
        count = templates.render("place/count.html", exercises=names, pages=pages)
        body = body.replace("</h1>", f"</h1>\n{count}", 1)
    context["body"] = body + templates.render("place/mark.html")


class PlaceSettings(SphinxDirective):
    """Buttons to export, import and forget; without scripts, a line that says that nothing is kept."""

    def run(self) -> list[nodes.Node]:
        names = exercises_below(lookup.project_of(self.config).programs, "")
        self.env.metadata[self.env.docname][_SETS] = "yes"
        html = templates.render("place/settings.html", exercises=names, pages=Markup(_PAGES))
        return [nodes.raw("", html, format="html")]


def setup(app: Sphinx) -> None:
    app.add_directive("place-settings", PlaceSettings)
    app.connect("html-page-context", _leave_room)
