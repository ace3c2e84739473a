"""Finds the project that a build is about, and what it says of a program."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from lockstep.errors import LockstepError
from lockstep.programs import toolkits
from lockstep.programs.declarations import Program
from lockstep.programs.sources import SourceError
from lockstep.recordings.transcripts import TranscriptError
from lockstep_sphinx.project import Project

_projects: dict[str, Project] = {}


def project_of(config: Config) -> Project:
    """The project of the build that runs."""
    return _projects[config.lockstep_root]


def _find_root(app: Sphinx, config: Config) -> None:
    """Settles where the project is: above the pages, or beside conf.py."""
    folders = [Path(config.lockstep_root)] if config.lockstep_root else [Path(app.confdir), Path(app.srcdir).parent]
    root = next((folder for folder in folders if (folder / "programs" / "CMakeLists.txt").exists()), None)
    if root is None:
        raise ExtensionError(f"no programs/CMakeLists.txt in {folders[0]}; set lockstep_root in conf.py")
    config.lockstep_root = str(root.resolve())


def problems(config: Config, program: Program) -> list[str]:
    """What is wrong with a program's recorded output."""
    try:
        return project_of(config).problems(program)
    except (TranscriptError, SourceError) as error:
        return [str(error)]


def _load(app: Sphinx) -> None:
    """Reads all declarations afresh, and the table of toolkits, once for each build."""
    project = Project(Path(app.config.lockstep_root))
    _projects[app.config.lockstep_root] = project
    try:
        _ = project.programs, toolkits.load()
    except LockstepError as error:
        raise ExtensionError(str(error)) from None


def setup(app: Sphinx) -> None:
    app.add_config_value("lockstep_root", "", "env", str)
    app.add_config_value("lockstep_allow_stale", False, "env", bool)
    app.connect("config-inited", _find_root)
    app.connect("builder-inited", _load)
