"""What a build keeps of its pages: which page shows which program, through parallel reading and incremental builds."""

from collections.abc import Set as AbstractSet
from typing import Any, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.domains import Domain
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

logger = logging.getLogger(__name__)


class LockstepDomain(Domain):
    """Which page shows what."""

    name = "lockstep"
    label = "Lockstep"
    initial_data = {
        "shown": {},
        "indexes": {},
        "depends": {},
        "emulated": {},
        "offered": {},
        "index_fingerprint": "",
        "guide_pages": {},
        "guide_fingerprint": "",
        "guide_said": {},
        "code": "",
        "error_pages": [],
        "entries": {},
        "names": {},
        "frames": {},
        "named": {},
        "linked": {},
        "homes": {},
        "predictions": {},
        "paths": {},
    }
    data_version = 12
    of_pages = (
        "shown",
        "indexes",
        "depends",
        "emulated",
        "guide_pages",
        "offered",
        "named",
        "linked",
        "predictions",
        "paths",
    )  # what is kept for each page

    _shown: dict[str, list[tuple[str, str]]] | None = None  # by program, made when it is asked for

    def clear_doc(self, docname: str) -> None:
        self._shown = None
        for key in self.of_pages:
            self.data[key].pop(docname, None)

    def merge_domaindata(self, docnames: AbstractSet[str], otherdata: dict[str, Any]) -> None:
        self._shown = None
        for key in self.of_pages:
            self.data[key].update({name: value for name, value in otherdata[key].items() if name in docnames})

    def resolve_any_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        target: str,
        node: addnodes.pending_xref,
        contnode: nodes.Element,
    ) -> list[tuple[str, nodes.reference]]:
        return []

    def note(self, docname: str, kind: str, path: str) -> None:
        """Remembers that a page shows a program: as a card, in a listing or in a transcript."""
        self._shown = None
        self.data["shown"].setdefault(docname, []).append((kind, path))

    def pages(self, path: str, kind: str | None = None) -> list[str]:
        """The pages that show a program (as `kind`, if given), in order."""
        if self._shown is None:
            self._shown = {}
            for docname, shown in self.data["shown"].items():
                for what, found in shown:
                    self._shown.setdefault(found, []).append((what, docname))
        return sorted({docname for what, docname in self._shown.get(path, ()) if kind in (None, what)})

    def check_consistency(self) -> None:
        programs = {path for shown in self.data["shown"].values() for _, path in shown}
        for path in sorted(programs):
            pages = self.pages(path, "card")
            if len(pages) > 1:
                message = "%s has a card on %s; leave one and link to it"
                logger.warning(message, path, " and ".join(pages), location=pages[-1], type="lockstep")


def of(env: BuildEnvironment) -> LockstepDomain:
    """What this build keeps."""
    return cast(LockstepDomain, env.domains[LockstepDomain.name])


def setup(app: Sphinx) -> None:
    app.add_domain(LockstepDomain)
