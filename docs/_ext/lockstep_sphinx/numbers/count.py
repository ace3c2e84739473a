"""`:count:` - how many programs, exercises, recorded runs or pages there are, and programs that need no GPU."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from lockstep.programs import declarations
from lockstep_sphinx import lookup, outdated

logger = logging.getLogger(__name__)


class CountRole(SphinxRole):
    """A count of what the site holds."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        project = lookup.project_of(self.config)
        programs = list(project.programs.values())
        outdated.depend(self.env, [project.root / declarations.WRITTEN])
        counts = {
            "programs": len(programs),
            "exercises": sum(program.exercise for program in programs),
            "transcripts": sum(run.console.exists() for run in [*programs, *declarations.small_runs(programs)]),
            "pages": len(self.env.found_docs),
            "emulated": sum(map(declarations.emulated, programs)),
            "in_browser": sum(declarations.emulated(program) and not program.no_browser for program in programs),
        }
        if self.text not in counts:
            message = "no count of %s; there are %s"
            logger.warning(message, self.text, ", ".join(counts), location=self.get_location(), type="lockstep")
            return [nodes.inline("", self.text)], []
        return [nodes.inline("", f"{counts[self.text]:,}")], []


def setup(app: Sphinx) -> None:
    app.add_role("count", CountRole())
