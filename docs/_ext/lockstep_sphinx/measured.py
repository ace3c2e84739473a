"""`:measured:` - a number in a sentence, as a program printed it or as the page's claims file computes it.

A page's claims are evaluated when the page is read; one that does not hold is a warning.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from lockstep.programs import declarations
from lockstep.recordings import claims, numbers
from lockstep_sphinx import lookup, outdated
from lockstep_sphinx.project import Recordings

logger = logging.getLogger(__name__)


def claims_file(env: BuildEnvironment) -> Path:
    """Where the claims of the page being read stand."""
    return Path(env.doc2path(env.docname)).with_suffix(".claims")


class MeasuredRole(SphinxRole):
    """A recorded number."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        recordings = Recordings(lookup.project_of(self.config))
        try:
            text = self._text(recordings)
        except (claims.ClaimError, declarations.DeclarationError) as error:
            if self.config.lockstep_allow_stale:
                return [nodes.inline("", "not recorded", classes=["lockstep-stale"])], []
            logger.warning("%s", error, location=self.get_location(), type="lockstep")
            return [nodes.inline("", self.text)], []
        finally:
            outdated.depend(self.env, recordings.used)
        return [nodes.inline("", text, classes=["measured"])], []

    def _text(self, recordings: Recordings) -> str:
        path = claims_file(self.env)
        if not claims.PRINTED.fullmatch(self.text):
            outdated.depend(self.env, [path])
        return numbers.bare(claims.load(path, recordings.root, recordings).rendered(self.text))


def check_claims(app: Sphinx, doctree: nodes.document) -> None:
    """Warns of each claim of the page that does not hold."""
    path = claims_file(app.env)
    if not path.exists():
        return
    recordings = Recordings(lookup.project_of(app.config))
    try:
        found = claims.load(path, recordings.root, recordings).check()
    except claims.ClaimError as error:
        found = [str(error)]
    outdated.depend(app.env, [path, *recordings.used])
    if not app.config.lockstep_allow_stale:
        for problem in found:
            what = problem.partition(": ")[2] or problem
            logger.warning("%s", what, location=f"{path}:{_line_of(what, path)}", type="lockstep")


def _line_of(problem: str, path: Path) -> int:
    """The line of the claims file that a problem is about."""
    name = re.match(r'(?:does not hold: )?"?(.+?)"?: ', problem)
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, 1) if name and name[1] in line), 1)


def setup(app: Sphinx) -> None:
    app.add_role("measured", MeasuredRole())
    app.connect("doctree-read", check_claims)
