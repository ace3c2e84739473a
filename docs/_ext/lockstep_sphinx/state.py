"""What a build knows: the project, which page shows which program, and how to warn."""

from pathlib import Path

from docutils import nodes
from sphinx.domains import Domain
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

from lockstep.programs import declarations, sources
from lockstep.programs.declarations import Program
from lockstep.recordings.transcripts import TranscriptError
from lockstep_sphinx.project import Project

logger = logging.getLogger(__name__)

DOMAIN = "lockstep"

_projects: dict[str, Project] = {}


class LockstepDomain(Domain):
    """Keeps which page shows what, through parallel reading and incremental builds."""

    name = DOMAIN
    label = "Lockstep"
    initial_data = {"shown": {}, "indexes": {}, "missing": {}, "emulated": {}, "signature": "", "atlas": []}
    data_version = 3
    of_pages = ("shown", "indexes", "missing", "emulated")  # what is kept for each page

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


class ProgramDirective(SphinxDirective):
    """A directive whose argument is a program's path."""

    required_arguments = 1
    final_argument_whitespace = False

    @property
    def project(self) -> Project:
        return project_of(self.config)

    def warn(self, message: str, *arguments) -> list[nodes.Node]:
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
        self.env.domains[DOMAIN].note(self.env.docname, kind, path)
        depend(self.env, self.project.files_of(found))
        return found


def project_of(config) -> Project:
    """The project of the build that runs."""
    return _projects[config.lockstep_root]


def _find_root(app, config):
    """Settles where the project is: above the pages, or beside conf.py."""
    folders = [Path(config.lockstep_root)] if config.lockstep_root else [Path(app.confdir), Path(app.srcdir).parent]
    root = next((folder for folder in folders if (folder / "programs" / "CMakeLists.txt").exists()), None)
    if root is None:
        raise ExtensionError(f"no programs/CMakeLists.txt in {folders[0]}; set lockstep_root in conf.py")
    config.lockstep_root = str(root.resolve())


def depend(env, files) -> None:
    """Has the page read again when one of the files changes, or appears."""
    for file in map(str, files):
        if Path(file).exists():
            env.note_dependency(file)
        else:  # Sphinx would read the page again each time
            env.domains[DOMAIN].data["missing"].setdefault(env.docname, set()).add(file)


def _outdated(app, env, added, changed, removed):
    missing = env.domains[DOMAIN].data["missing"]
    return [docname for docname, files in missing.items() if any(Path(file).exists() for file in files)]


def problems(config, program: Program) -> list[str]:
    """What is wrong with a program's recorded output."""
    try:
        return project_of(config).problems(program)
    except (TranscriptError, sources.SourceError) as error:
        return [str(error)]


def page_of_source(program_path: str) -> str:
    """The page name of a program's whole source."""
    return f"programs/{program_path}"


def address(builder, target: str) -> str:
    """The address of a file of the site, seen from the page that is being written."""
    return relative_uri(builder.get_target_uri(builder.current_docname), target)


def source_address(builder, program_path: str) -> str:
    return address(builder, builder.get_target_uri(page_of_source(program_path)))


def download_address(builder, program: Program, file: str) -> str:
    return address(builder, f"_downloads/programs/{program.folder}/{file}")


def add_node(app, node_class, visit, depart=None) -> None:
    """Registers a node that only HTML draws; all else shows its children."""

    def nothing(translator, node):
        pass

    plain = (nothing, nothing)
    app.add_node(node_class, html=(visit, depart or nothing), latex=plain, text=plain, man=plain, texinfo=plain)


def _load(app):
    """Reads all declarations afresh, once for each build."""
    project = Project(Path(app.config.lockstep_root))
    _projects[app.config.lockstep_root] = project
    try:
        _ = project.programs
    except declarations.DeclarationError as error:
        raise ExtensionError(str(error)) from None


def setup(app):
    app.add_config_value("lockstep_root", "", "env", str)
    app.add_config_value("lockstep_allow_stale", False, "env", bool)
    app.add_domain(LockstepDomain)
    app.connect("config-inited", _find_root)
    app.connect("builder-inited", _load)
    app.connect("env-get-outdated", _outdated)
