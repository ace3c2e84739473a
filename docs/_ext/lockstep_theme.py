"""Fixes two faults in what other extensions put on a page."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata


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


def setup(app: Sphinx) -> ExtensionMetadata:
    app.connect("doctree-read", drop_section_titles)
    app.connect("doctree-resolved", keep_ids_unique)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
