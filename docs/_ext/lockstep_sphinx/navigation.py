"""The list of pages beside a page: all parts, the chapters of the page's own part, and the pages of its own chapter.

A theme lists the whole site beside each page, so that time and bytes grow with the square of the pages. What is left out
here is one link away, on the first page of its part or chapter. No branch is folded, so the list needs no buttons, and a
keyboard reaches all of it.
"""

from collections.abc import Callable, Iterator, Mapping
from html import escape

from sphinx import addnodes
from sphinx.environment import BuildEnvironment

Where = Callable[[str], str]  # from a page's name to its address, as the page beside the list has to write it


class Navigation:
    """The lists of all pages of a build."""

    def __init__(self, env: BuildEnvironment, exercises: Mapping[str, list[str]] | None = None) -> None:
        """:param exercises: the names of the exercises of each page that has some, which reader.js counts"""
        self._exercises = exercises or {}
        self._titles = {docname: title.astext() for docname, title in env.titles.items()}
        self._groups = list(_groups(env, env.config.root_doc))
        self._below = {
            docname: [page for _, pages in _groups(env, docname) for page in pages]
            for docname in env.toctree_includes
            if docname != env.config.root_doc
        }

    def listed(self, open_pages: set[str]) -> list[tuple[str, ...]]:
        """The names, titles and exercises of the pages that stand in the list when these are open."""
        found: list[tuple[str, ...]] = []

        def add(pages: list[str]) -> None:
            for page in pages:
                found.append((page, self._titles[page], *self._exercises.get(page, [])))
                if page in open_pages:
                    add(self._below.get(page, []))

        for caption, pages in self._groups:
            found.append(("", caption))
            add(pages)
        return found

    def html(self, where: Where, here: str, open_pages: set[str]) -> str:
        """The list beside the page `here`, if the list holds it, with the pages below these open."""
        drawn = []
        for caption, pages in self._groups:
            if caption:
                drawn.append(f'<p class="caption" role="heading" aria-level="2"><span>{escape(caption)}</span></p>')
            drawn.append(self._branch(pages, where, here, open_pages, top=True))
        return "\n".join(drawn)

    def _branch(self, pages: list[str], where: Where, here: str, open_pages: set[str], *, top: bool = False) -> str:
        items = []
        for page in pages:
            below = self._below.get(page, []) if page in open_pages else []
            names = ["toctree-l1"] * top + ["current"] * (page in open_pages) + ["current-page"] * (page == here)
            kind = f' class="{" ".join(names)}"' if names else ""
            mark = ' aria-current="page"' if page == here else ""
            exercises = " ".join(self._exercises.get(page, []))
            mark += f' data-exercises="{escape(exercises)}"' if exercises else ""
            link = f'<a class="reference internal" href="{escape(where(page))}"{mark}>{escape(self._titles[page])}</a>'
            items.append(f"<li{kind}>{link}{self._branch(below, where, here, open_pages)}</li>")
        return f"<ul>{''.join(items)}</ul>" if items else ""


def _groups(env: BuildEnvironment, docname: str) -> Iterator[tuple[str, list[str]]]:
    """The pages directly below a page, as its lists name them, each list with its caption."""
    for node in env.tocs[docname].findall(addnodes.toctree):
        yield node.get("caption") or "", [page for _, page in node["entries"] if page in env.titles]
