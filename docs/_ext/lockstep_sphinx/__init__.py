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
    code_lines,
    compare,
    count,
    diagram,
    domain,
    emulator,
    error_reference,
    exercise,
    explore,
    first_uses,
    frame,
    guide_map,
    header_reference,
    ladder,
    listing,
    lookup,
    measured,
    outdated,
    place,
    printed,
    program_index,
    publish,
    reading,
    rerun,
    source_pages,
    spec,
    takeaway,
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
        reading,
        card,
        emulator,
        listing,
        transcript,
        measured,
        spec,
        count,
        first_uses,
        terms,
        api,
        diagram,
        chart,
        timeline,
        ladder,
        compare,
        exercise,
        explore,
        place,
        error_reference,
        program_index,
        guide_map,
        header_reference,
        rerun,
        source_pages,
        code_lines,
        printed,
        frame,
        publish,
        takeaway,
    ):
        module.setup(app)
    app.connect("builder-inited", _add_static_path)
    app.add_css_file("lockstep.css")
    return {"version": __version__, "env_version": 3, "parallel_read_safe": True, "parallel_write_safe": True}


def _add_static_path(app: Sphinx) -> None:
    app.config.html_static_path.append(str(Path(__file__).parent / "static"))
