"""`.. diagram::` - a figure drawn by figures/<name>.py beside the page, and drawn again for phones if it is wide."""

import traceback
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from markupsafe import Markup
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from lockstep.errors import LockstepError
from lockstep_sphinx import html_nodes, outdated, templates
from lockstep_sphinx.directive import SiteDirective
from lockstep_sphinx.drawings.canvas import Canvas, CanvasError
from lockstep_sphinx.numbers import spec
from lockstep_sphinx.project import Recordings

MAX_BYTES = 25_000
WIDEST = 420  # shrunk to a phone's width, its words can still be read
MAX_NARROW = 360


class drawing(nodes.General, nodes.Element):
    """Carries a figure's SVG; its children are its caption."""


class FigureError(Exception):
    """A figure that cannot be drawn; the text says where and why."""


def draw(path: Path, text: str, recordings: Recordings) -> tuple[Canvas, Canvas | None]:
    """Runs a figure's `draw` on a fresh canvas, and its `draw_narrow` on another, if it has one."""
    scope: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    canvas, narrow = Canvas(recordings=recordings), None
    try:
        exec(compile(text, str(path), "exec"), scope)  # the project's own figures, as code beside the page
        scope["draw"](canvas)
        if "draw_narrow" in scope:
            narrow = Canvas(MAX_NARROW, recordings)
            scope["draw_narrow"](narrow)
    except KeyError as error:
        if error.args != ("draw",):
            raise FigureError(f"{path.name}: KeyError: {error}") from None
        raise FigureError(f"{path.name} defines no draw(c)") from None
    except Exception as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
        what = str(error) if isinstance(error, CanvasError | LockstepError) else f"{type(error).__name__}: {error}"
        raise FigureError(f"{path.name}:{lines[-1] if lines else 1}: {what}") from None
    if canvas.width > WIDEST and narrow is None:
        raise FigureError(
            f"{path.name} is wider than {WIDEST}; add a draw_narrow(c) of at most {MAX_NARROW} for phones"
        )
    return canvas, narrow


class Diagram(SiteDirective):
    """Draws a figure."""

    required_arguments = 1
    has_content = True
    option_spec = {"alt": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        folder, _, name = self.arguments[0].rpartition("/")  # /labs/tree is the figure of another page
        beside = (
            Path(self.env.srcdir, folder.lstrip("/")) if folder else Path(self.env.doc2path(self.env.docname)).parent
        )
        path = beside / "figures" / f"{name}.py"
        if not path.exists():
            return self.warn("no figure figures/%s.py beside the page", name)
        outdated.depend(self.env, [path])
        alt = spec.described(self, self.options.get("alt", ""), chart=False)
        if not alt:
            return self.warn("the diagram %s has no :alt:; say in words what it shows", name)
        text = path.read_text(encoding="utf-8")
        if not self._data_is_there(text):
            return [nodes.paragraph("", f"{path.name}: its data is not recorded yet", classes=["lockstep-stale"])]
        recordings = Recordings(self.project)
        try:
            canvas, narrow = draw(path, text, recordings)
            marker = f"head-{name}-{self.env.new_serialno('diagram')}"
            drawings = {"svg": canvas.svg(marker, alt)}
            if narrow:
                drawings["narrow"] = narrow.svg(f"{marker}-narrow", alt)
        except (FigureError, CanvasError) as error:
            return self.warn("%s", error)
        finally:
            outdated.depend(self.env, recordings.used)
        size = max(map(len, drawings.values()))
        if size > MAX_BYTES:
            return self.warn("the diagram %s takes %s kB; draw it with fewer shapes", name, size // 1000)
        return [drawing("", *self.parse_content_to_nodes(), kind="diagram", **drawings)]

    def _data_is_there(self, text: str) -> bool:
        """Whether the recorded files that a figure names are fit to be shown; warns where they are not."""
        complete = True
        for program in self.project.programs.values():
            named = [program.directory / name for name in program.data if name in text]
            if not named:
                continue
            self.depends(program, named)
            self.warn_if_stale(program)
            complete = complete and all(file.exists() for file in named)
        return complete


def visit(translator: HTML5Translator, node: nodes.Element) -> None:
    """Wide figures are there twice, and the style shows one."""
    html = templates.render(
        "drawings/figure.html",
        kind=node["kind"],
        drawing=Markup(node["svg"]),
        narrow=Markup(node.get("narrow", "")),
        caption=html_nodes.inner(translator, node.children),
        after=Markup(node.get("after", "")),
    )
    translator.body.append(html)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("diagram", Diagram)
    html_nodes.add_node(app, drawing, visit)
