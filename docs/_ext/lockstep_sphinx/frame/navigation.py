"""The list of pages beside a page: all parts, the chapters of the page's own part, and the pages of its own chapter.

A theme lists the whole site beside each page, so that time and bytes grow with the square of the pages. What is left out
here is one link away, on the first page of its part or chapter. No branch is folded, so the list needs no buttons, and a
keyboard reaches all of it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from sphinx import addnodes
from sphinx.environment import BuildEnvironment

from lockstep_sphinx import templates

Where = Callable[[str], str]  # from a page's name to its address, as the page beside the list has to write it


@dataclass(frozen=True)
class Entry:
    """A page in the list, with those below it that are listed; `kinds` are the classes that style it."""

    address: str
    title: str
    here: bool
    kinds: list[str]
    exercises: list[str]
    below: list["Entry"]


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
        groups = [(caption, self._entries(pages, where, here, open_pages, top=True)) for caption, pages in self._groups]
        return templates.render("frame/navigation.html", groups=groups)

    def _entries(
        self, pages: list[str], where: Where, here: str, open_pages: set[str], *, top: bool = False
    ) -> list[Entry]:
        entries = []
        for page in pages:
            is_open = page in open_pages
            kinds = ["toctree-l1"] * top + ["current"] * is_open + ["current-page"] * (page == here)
            below = self._entries(self._below.get(page, []), where, here, open_pages) if is_open else []
            exercises = self._exercises.get(page, [])
            entries.append(Entry(where(page), self._titles[page], page == here, kinds, exercises, below))
        return entries


def _groups(env: BuildEnvironment, docname: str) -> Iterator[tuple[str, list[str]]]:
    """The pages directly below a page, as its lists name them, each list with its caption."""
    for node in env.tocs[docname].findall(addnodes.toctree):
        yield node.get("caption") or "", [page for _, page in node["entries"] if page in env.titles]
