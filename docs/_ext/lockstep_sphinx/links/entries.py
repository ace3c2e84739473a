"""Where the site's own list has a name of CUDA: code leads there first, and the list leads on to NVIDIA's page.

`.. program-index:: api GROUP` lists the names of a group, each with the programs that use it.
"""

import re
from collections.abc import Callable

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment

from lockstep_sphinx import domain
from lockstep_sphinx.frame import frame
from lockstep_sphinx.links import api, error_reference

KIND = "api"
GROUPS = {  # of the names of CUDA, by the name and the page that documents it
    "runtime_codes": re.compile(r"(cudaError|cudaSuccess|cudaDevAttr)"),
    "runtime_types": re.compile(r".*/group__CUDART__TYPES\."),
    "runtime_functions": re.compile(r".*/group__CUDART"),
    "driver": re.compile(r".*/group__CUDA__"),
    "language": re.compile(""),  # all others: built-ins, and further libraries
}


def group(name: str) -> str:
    """The group of a name of CUDA."""
    return next(group for group, pattern in GROUPS.items() if pattern.match(f"{name} {api.table()[name]}"))


def anchor(name: str) -> str:
    """The id of a name's entry."""
    return str(nodes.make_id(f"api-{name}"))


def page_with(env: BuildEnvironment, kind: str, of: str) -> str | None:
    """The page that holds a list."""
    listed = sorted(domain.of(env).data["indexes"].items())
    return next((docname for docname, lists in listed if (kind, of) in lists), None)


def pages(env: BuildEnvironment) -> dict[str, str]:
    """The page that lists the names of each group, where there is one."""
    found = {of: page_with(env, KIND, of) or page_with(env, KIND, "") for of in GROUPS}
    return {of: page for of, page in found.items() if page}


def nearest(builder: StandaloneHTMLBuilder, program: str) -> Callable[[str], str | None]:
    """Finds the page of this site on a name in a program's code, seen from the page that is being written."""
    here, lists = builder.current_docname, pages(builder.env)
    used = set(frame.frames_of(builder).names[program])

    def address(name: str) -> str | None:
        if name not in used or not (page := lists.get(group(name))):
            return None
        return f"{builder.get_relative_uri(here, page)}#{anchor(name)}"

    return lambda name: error_reference.address(builder, name) or address(name)


def _renew(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Every page is written again when names are listed elsewhere: any may show code."""
    kept = domain.of(env).data
    if kept["entries"] == pages(env):
        return []
    kept["entries"] = pages(env)
    return sorted(env.found_docs)


def setup(app: Sphinx) -> None:
    app.connect("env-updated", _renew)
