"""Addresses of what the site holds, seen from the page that is being written."""

from typing import NamedTuple, cast

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.osutil import relative_uri

from lockstep.programs.declarations import Program


class Link(NamedTuple):
    """An address and the text that leads there."""

    address: str
    text: str


def page_of_source(program_path: str) -> str:
    """The page name of a program's whole source."""
    return f"programs/{program_path}"


def html_builder(app: Sphinx) -> StandaloneHTMLBuilder:
    """The build's builder, where it makes HTML; what draws pages knows further things of it."""
    return cast(StandaloneHTMLBuilder, app.builder)


def address(builder: StandaloneHTMLBuilder, target: str) -> str:
    """The address of a file of the site, seen from the page that is being written."""
    return relative_uri(builder.get_target_uri(builder.current_docname), target)


def source_address(builder: StandaloneHTMLBuilder, program_path: str) -> str:
    return address(builder, builder.get_target_uri(page_of_source(program_path)))


def whole_output(program: Program) -> str:
    """The file that a reader gets of the whole output of a program's filtered commands."""
    return f"{program.name}.output.txt"


def download_address(builder: StandaloneHTMLBuilder, program: Program, file: str) -> str:
    return address(builder, f"_downloads/programs/{program.folder}/{file}")
