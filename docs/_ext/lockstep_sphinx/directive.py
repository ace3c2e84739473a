"""What all directives about a program share."""

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from lockstep.programs.declarations import Program
from lockstep_sphinx import domain, lookup, outdated
from lockstep_sphinx.project import Project

logger = logging.getLogger(__name__)


class ProgramDirective(SphinxDirective):
    """A directive whose argument is a program's path."""

    required_arguments = 1
    final_argument_whitespace = False

    @property
    def project(self) -> Project:
        return lookup.project_of(self.config)

    def warn(self, message: str, *arguments: object) -> list[nodes.Node]:
        """Warns at this directive's place; shows nothing."""
        logger.warning(message, *arguments, location=self.get_location(), type="lockstep")
        return []

    def program(self, kind: str) -> Program | None:
        """The program named, noted as shown on this page; warns if there is none."""
        path = self.arguments[0]
        found = self.project.find(path)
        if found is None:
            near = [known for known in self.project.programs if known.rsplit("/", 1)[-1] == path.rsplit("/", 1)[-1]]
            hint = f"did you mean {near[0]}?" if near else "declare it with lockstep_program() in its folder"
            self.warn("no program %s; %s", path, hint)
            return None
        domain.of(self.env).note(self.env.docname, kind, path)
        outdated.depend(self.env, self.project.files_of(found))
        return found
