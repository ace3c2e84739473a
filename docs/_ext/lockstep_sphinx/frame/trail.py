"""Where a page stands: the pages above it, and those before and after it; a program's page stands below its chapter."""

from functools import cache

from sphinx.environment import BuildEnvironment

from lockstep.programs.declarations import Program
from lockstep_sphinx import domain
from lockstep_sphinx.project import Project


class Trails:
    """The order of all pages of a build."""

    def __init__(self, env: BuildEnvironment, project: Project) -> None:
        self.above = cache(self._above)
        self._relations = env.collect_relations()
        self._root = env.config.root_doc
        self._found = env.found_docs
        self._shown: dict[str, list[str]] = {}  # a page, and the programs that it shows, in order
        self._cards: dict[str, str] = {}  # a program, and the page that has its card
        for docname, shown in sorted(domain.of(env).data["shown"].items()):
            self._shown[docname] = list(dict.fromkeys(path for _, path in shown))
            self._cards.update({path: docname for kind, path in shown if kind == "card"})
        self._chapters = {program.path: self._chapter(program) for program in project.programs.values()}
        self._below: dict[str, list[str]] = {}
        for path, chapter in self._chapters.items():
            self._below.setdefault(chapter, []).append(path)
        for chapter, below in self._below.items():
            shown = self._shown.get(chapter, [])
            below.sort(key=lambda path: shown.index(path) if path in shown else len(shown))
        self.programs = [path for docname in self._order() for path in self._below.get(docname, [])]
        """All programs in the order in which a reader of all pages meets them."""
        self._places = {path: at for at, path in enumerate(self.programs)}

    def _chapter(self, program: Program) -> str:
        if program.path in self._cards:
            return self._cards[program.path]
        showing = (docname for docname, paths in self._shown.items() if program.path in paths)
        named = (name for name in (program.folder, f"{program.folder}/index") if name in self._found)
        return next(showing, next(named, self._root))

    def _order(self) -> list[str]:
        """All pages as they are turned, and after them those that no list of pages names."""
        order: dict[str, None] = {}
        page: str | None = self._root
        while page and page not in order:
            order[page] = None
            page = self._relations.get(page, [None, None, None])[2]
        return [*order, *sorted({*self._found, *self._below} - order.keys())]

    def _above(self, docname: str) -> list[str]:
        """The pages above a page, the front page first."""
        found: list[str] = []
        parent = self._relations.get(docname, [None])[0]
        while parent and parent not in found:
            found.append(parent)
            parent = self._relations.get(parent, [None])[0]
        if self._root not in (*found, docname):
            found.append(self._root)
        return found[::-1]

    def around(self, docname: str) -> tuple[str | None, str | None]:
        """The pages before and after a page."""
        _, before, after = self._relations.get(docname, [None, None, None])
        return before, after

    def chapter(self, path: str) -> str:
        """The page that shows a program: where its card is, else the first that shows anything of it."""
        return self._chapters[path]

    def above_program(self, path: str) -> list[str]:
        """The pages above a program's page, its chapter last."""
        chapter = self._chapters[path]
        return [*self.above(chapter), chapter]

    def around_program(self, path: str) -> tuple[str | None, str | None]:
        """The programs before and after one: those of its chapter, as it shows them, and then those of the next."""
        at = self._places[path]
        return (self.programs[at - 1] if at else None), next(iter(self.programs[at + 1 : at + 2]), None)

    def shown(self, docname: str) -> list[str]:
        """The programs that a page shows, in order."""
        return self._shown.get(docname, [])
