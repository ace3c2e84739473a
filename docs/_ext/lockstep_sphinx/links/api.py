"""Links from names of CUDA to NVIDIA's documentation: the role `cuda`, and names in listings."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from urllib.parse import quote

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from lockstep import data
from lockstep.files import ROOT
from lockstep_sphinx.links import error_reference

logger = logging.getLogger(__name__)

_NAME = re.compile(r'<span class="(\w+)">(\w+)</span>')
_COLOURLESS = re.compile(r'<span class="(?:w|n|p)">([^<]*)</span>')
_PROSE = ("c", "c1", "cm", "s", "se", "cpf")  # comments, strings and file names are not names


@cache
def table() -> dict[str, str]:
    """Name to address of the page that documents it; `python3 ci setup api-links` writes the file."""
    file = Path(__file__).with_name("api_links.json")
    try:
        pages = data.read(file, dict[str, list[data.Text]], ROOT, "python3 ci setup api-links writes it")
    except data.DataError as error:
        raise ExtensionError(str(error)) from None
    return {name: page for page, names in pages.items() for name in names}


def address(name: str) -> str | None:
    """Where a name is documented; the fragment takes the browser to the name on its page."""
    page = table().get(name)
    return f"{page}#:~:text={quote(name)}" if page else None


def linked(html: str, nearer: Callable[[str], str | None] = lambda name: None) -> str:
    """Highlighted code with the first occurrence of each documented name linked.

    :param nearer: finds a name's page on the site itself, if there is one

    Spans that no style colors are dropped on the way: they are half of a page's nodes.
    """
    seen: set[str] = set()

    def link(match: re.Match[str]) -> str:
        kind, name = match.groups()
        if name in seen or kind in _PROSE or not (target := nearer(name) or address(name)):
            return match[0]
        seen.add(name)
        return f'<a class="{kind} api" href="{target}">{name}</a>'

    return _COLOURLESS.sub(r"\1", _NAME.sub(link, html))


class CudaRole(SphinxRole):
    """A name of CUDA in a sentence, linked to its documentation."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        name = self.text.removesuffix("()")
        target = address(name)
        literal = nodes.literal(self.text, self.text)
        if error_reference.page(self.env, name):  # linked there when the page is written
            return [literal], []
        if not target:
            message = "no documentation known for %s; check its spelling, or write it in double backticks"
            logger.warning(message, name, location=self.get_location(), type="lockstep")
            return [literal], []
        return [nodes.reference("", "", literal, refuri=target, internal=False)], []


def setup(app: Sphinx) -> None:
    app.add_role("cuda", CudaRole())
