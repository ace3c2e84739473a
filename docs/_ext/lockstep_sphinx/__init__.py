"""Lockstep's Sphinx extension: programs, their recorded runs, and what was measured, on pages.

Each folder is a feature: the directives and roles, the templates of the HTML that they make, the scripts and styles. What
they share stands here: `project` reads programs and recordings without Sphinx; `lookup` finds it in a build, `domain`
keeps which page shows what, `outdated` has pages read again, `addresses` says where things are, `templates` makes HTML.
"""

from typing import Any

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from lockstep_sphinx import assets, capability_table, domain, header_reference, lookup, outdated, reading
from lockstep_sphinx.card import card
from lockstep_sphinx.charts import chart, ladder, rungs, timeline
from lockstep_sphinx.compare import compare
from lockstep_sphinx.course import path, predict
from lockstep_sphinx.drawings import diagram
from lockstep_sphinx.emulator import emulator
from lockstep_sphinx.exercise import exercise
from lockstep_sphinx.explore import explore
from lockstep_sphinx.frame import frame, printed
from lockstep_sphinx.guide_map import guide_map
from lockstep_sphinx.index import program_index
from lockstep_sphinx.links import api, entries, error_reference, first_uses, programs, terms
from lockstep_sphinx.listing import code_lines, lexer, listing
from lockstep_sphinx.numbers import count, measured, rerun, spec
from lockstep_sphinx.picture import picture
from lockstep_sphinx.place import place
from lockstep_sphinx.publish import publish, takeaway
from lockstep_sphinx.source_pages import source_pages
from lockstep_sphinx.transcript import transcript

__version__ = "1.0"

MODULES: tuple[Any, ...] = (
    assets, domain, lookup, outdated, reading, card, emulator, lexer, listing, transcript, measured, spec, count, first_uses,
    terms, programs, api, diagram, picture, chart, timeline, ladder, rungs, compare, exercise, predict, path, explore, place, error_reference, entries, program_index,
    guide_map, header_reference, capability_table, rerun, source_pages, code_lines, printed, frame, publish, takeaway,
)  # fmt: skip


def setup(app: Sphinx) -> ExtensionMetadata:
    """Registers everything, in the order in which handlers of one event are called."""
    for module in MODULES:
        module.setup(app)
    return {"version": __version__, "env_version": 3, "parallel_read_safe": True, "parallel_write_safe": True}
