"""What a build keeps of its pages: which page shows which program, through parallel reading and incremental builds."""

from typing import cast

from sphinx.domains import Domain
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
        "index_fingerprint": "",
        "code": "",
        "error_pages": [],
    }
    data_version = 5
    of_pages = ("shown", "indexes", "depends", "emulated")  # what is kept for each page

    def clear_doc(self, docname):
        for key in self.of_pages:
            self.data[key].pop(docname, None)

    def merge_domaindata(self, docnames, otherdata):
        for key in self.of_pages:
            self.data[key].update({name: value for name, value in otherdata[key].items() if name in docnames})

    def resolve_any_xref(self, env, fromdocname, builder, target, node, contnode):
        return []

    def note(self, docname: str, kind: str, path: str) -> None:
        """Remembers that a page shows a program: as a card, in a listing or in a transcript."""
        self.data["shown"].setdefault(docname, []).append((kind, path))

    def pages(self, path: str, kind: str | None = None) -> list[str]:
        """The pages that show a program (as `kind`, if given), in order."""
        return sorted(
            docname
            for docname, shown in self.data["shown"].items()
            if any(found == path and kind in (None, what) for what, found in shown)
        )

    def check_consistency(self):
        shown = {path for shown in self.data["shown"].values() for _, path in shown}
        for path in sorted(shown):
            pages = self.pages(path, "card")
            if len(pages) > 1:
                message = "%s has a card on %s; leave one and link to it"
                logger.warning(message, path, " and ".join(pages), location=pages[-1], type="lockstep")


def of(env) -> LockstepDomain:
    """What this build keeps."""
    return cast(LockstepDomain, env.domains[LockstepDomain.name])


def setup(app):
    app.add_domain(LockstepDomain)
