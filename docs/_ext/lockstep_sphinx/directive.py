"""What all directives that show programs, or what programs recorded, share."""

from collections.abc import Iterable
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from lockstep.programs.declarations import Program
from lockstep_sphinx import domain, lookup, outdated
from lockstep_sphinx.project import Project

logger = logging.getLogger(__name__)


class SiteDirective(SphinxDirective):
    """A directive that warns at its place and says which programs its page depends on."""

    @property
    def project(self) -> Project:
        return lookup.project_of(self.config)

    def warn(self, message: str, *arguments: object) -> list[nodes.Node]:
        """Warns at this directive's place; shows nothing."""
        logger.warning(message, *arguments, location=self.get_location(), type="lockstep")
        return []

    def shows(self, kind: str, program: Program, *files: Path) -> None:
        """Notes that this page shows something of a program, and has to be read again when it or one of `files` changes."""
        domain.of(self.env).note(self.env.docname, kind, program.path)
        self.depends(program, files)

    def depends(self, program: Program, files: Iterable[Path] = ()) -> None:
        """Has this page read again when a program or one of `files` changes."""
        outdated.depend(self.env, [*self.project.files_of(program), *files])

    def warn_if_stale(self, program: Program) -> list[str]:
        """What is wrong with a program's recording; warns of it, unless this is a draft."""
        found = lookup.problems(self.config, program)
        if not self.config.lockstep_allow_stale:
            for problem in found:
                self.warn("%s", problem)
        return found


class ProgramDirective(SiteDirective):
    """A directive whose argument is a program's path."""

    required_arguments = 1
    final_argument_whitespace = False

    def program(self, kind: str) -> Program | None:
        """The program named, noted as shown on this page; warns if there is none."""
        path = self.arguments[0]
        found = self.project.find(path)
        if found is None:
            near = [known for known in self.project.programs if known.rsplit("/", 1)[-1] == path.rsplit("/", 1)[-1]]
            hint = f"did you mean {near[0]}?" if near else "declare it with lockstep_program() in its folder"
            self.warn("no program %s; %s", path, hint)
            return None
        self.shows(kind, found)
        return found
