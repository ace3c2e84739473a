"""Lockstep's Sphinx extension: programs, their recorded runs, and what was measured, on pages.

Each directive and role has a module of its own. `project` reads programs and recordings without Sphinx; `lookup` finds
it in a build, `domain` keeps which page shows what, `outdated` has pages read again, `addresses` says where things are.
"""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from lockstep_sphinx import (
    api,
    card,
    chart,
    diagram,
    domain,
    emulator,
    error_reference,
    exercise,
    explore,
    ladder,
    listing,
    lookup,
    measured,
    outdated,
    program_index,
    rerun,
    source_pages,
    spec,
    terms,
    timeline,
    transcript,
)

__version__ = "1.0"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Registers everything."""
    for module in (
        domain,
        lookup,
        outdated,
        card,
        emulator,
        listing,
        transcript,
        measured,
        spec,
        terms,
        api,
        diagram,
        chart,
        timeline,
        ladder,
        exercise,
        explore,
        error_reference,
        program_index,
        rerun,
        source_pages,
    ):
        module.setup(app)
    app.connect("builder-inited", _add_static_path)
    app.add_css_file("lockstep.css")
    return {"version": __version__, "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}


def _add_static_path(app: Sphinx) -> None:
    app.config.html_static_path.append(str(Path(__file__).parent / "static"))
