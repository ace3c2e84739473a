"""Where a page leaves room for the reader's place: read pages and solved exercises. reader.js fills it, or nothing does.

`.. place-settings::` is where a reader exports, imports and forgets what the browser keeps.
"""

from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lockstep.programs.declarations import Program
from lockstep_sphinx import lookup

PARTS = ("foundations", "programming", "advanced", "features", "labs", "ladders")
"""The parts whose pages are read; the pages of the others are looked things up in."""

_SETTINGS = """<div class="place-settings" data-exercises="{exercises}">
<p role="status">Nothing is kept: this browser runs no scripts here, or lets this site store nothing.</p>
</div>
"""


def exercises_below(programs: dict[str, Program], prefix: str) -> list[str]:
    """The names of the exercises of the pages whose names begin so."""
    return [program.name for program in programs.values() if program.exercise and program.folder.startswith(prefix)]


def _leave_room(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """A part's or chapter's page shows how much of it is read; each page ends with a box to mark it."""
    part, _, rest = page.partition("/")
    if app.builder.name not in ("html", "dirhtml") or part not in PARTS or not rest or "body" not in context:
        return  # a book has no scripts
    body = context["body"]
    if page.endswith("/index"):
        names = exercises_below(lookup.project_of(app.config).programs, page.removesuffix("index"))
        count = f'<div class="place-count" data-exercises="{escape(" ".join(names))}"></div>'
        body = body.replace("</h1>", f"</h1>\n{count}", 1)
    context["body"] = f'{body}<div class="place" hidden></div>\n'


class PlaceSettings(SphinxDirective):
    """Buttons to export, import and forget; without scripts, a line that says that nothing is kept."""

    def run(self) -> list[nodes.Node]:
        names = exercises_below(lookup.project_of(self.config).programs, "")
        return [nodes.raw("", _SETTINGS.format(exercises=escape(" ".join(names))), format="html")]


def setup(app: Sphinx) -> None:
    app.add_directive("place-settings", PlaceSettings)
    app.connect("html-page-context", _leave_room)
