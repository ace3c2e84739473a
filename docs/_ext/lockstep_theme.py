"""Fixes faults in what other extensions put on a page, and leaves out what the site does not use."""

import re
from pathlib import Path
from typing import Any, cast

from docutils import nodes
from jinja2 import FileSystemBytecodeCache
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.jinja2glue import BuiltinTemplateLoader
from sphinx.util.typing import ExtensionMetadata

from lockstep_sphinx import templates

_SIGNATURE = re.compile(r'<dt class="sig .*?</dt>', re.S)
_WORD = re.compile(r'<span class="pre">([^<]*)</span>')
_TIGHT = re.compile(r"<(t[dh]|h[1-6])\b.*?</\1>", re.S)  # cells and headings
_NAME = re.compile(r"(?<=>)[\w:]{14,}(?=[<(:])")


def drop_section_titles(app: Sphinx, doctree: nodes.document) -> None:
    """Breathe's "Public Functions" headings say nothing here, and repeat their id on a page."""
    for title in list(doctree.findall(nodes.rubric)):
        if "breathe-sectiondef-title" in title["classes"]:
            title.parent.remove(title)


def keep_ids_unique(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Furo puts a box around each table and gives it the table's id once more."""
    for box in doctree.findall(nodes.container):
        if "table-wrapper" in box["classes"]:
            box["ids"] = []


def shorten_signatures(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Sphinx puts each word of a signature into an element that no style knows: a quarter of a reference of C++."""
    if "body" in context:
        context["body"] = _SIGNATURE.sub(lambda match: _WORD.sub(r"\1", match[0]), context["body"])


def let_names_break(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Long names in tables and headings break between their words, where a phone has no room for them."""
    if "body" in context:
        context["body"] = _TIGHT.sub(
            lambda tight: _NAME.sub(lambda name: templates.breakable(name[0]), tight[0]), context["body"]
        )


def leave_out_tree(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Furo would list the whole site beside each page; lockstep_sphinx.navigation lists what is near."""
    context.pop("toctree", None)


def keep_compiled_templates(app: Sphinx) -> None:
    """The theme's templates take a tenth of a second to compile, which an edit of one page need not wait for."""
    if isinstance(app.builder, StandaloneHTMLBuilder):
        folder = Path(app.doctreedir) / "templates"
        folder.mkdir(parents=True, exist_ok=True)
        environment = cast(BuiltinTemplateLoader, app.builder.templates).environment
        environment.bytecode_cache = FileSystemBytecodeCache(str(folder))


def leave_out_search(app: Sphinx) -> None:
    """The site has a search of its own, so Sphinx need not make its index."""
    if isinstance(app.builder, StandaloneHTMLBuilder):
        app.builder.search = False


def setup(app: Sphinx) -> ExtensionMetadata:
    app.connect("builder-inited", keep_compiled_templates)
    app.connect("builder-inited", leave_out_search)
    app.connect("doctree-read", drop_section_titles)
    app.connect("doctree-resolved", keep_ids_unique)
    app.connect("html-page-context", shorten_signatures)
    app.connect("html-page-context", let_names_break)
    app.connect("html-page-context", leave_out_tree)  # before Furo, which is loaded later, and after notfound
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
