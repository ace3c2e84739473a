"""`.. takeaway::` - the files that a reader can take away, with their sizes and days, where the site offers them.

    .. takeaway::

       This copy of the site does not offer them.

`make takeaway` makes the files of a built site, in `build/takeaway`. A site that is built with `LOCKSTEP_TAKEAWAY=yes`, as
`make html` does, offers those that are there, from its folder `_takeaway`. Any other site shows what stands below the
directive. The footer of a site with an address leads to the list.
"""

import shutil
from datetime import UTC, datetime
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from lockstep import site_parts
from lockstep_sphinx import domain

BUILD = "build/takeaway"  # below the project's root
FOLDER = "_takeaway"  # in the site
ANCHOR = "takeaway"  # of the list
FILES = {
    "lockstep.zip": "The whole site, to read from a folder (zip)",
    "lockstep.epub": "A book for e-readers (EPUB)",
} | {site_parts.pdf(part): f"{part.capitalize()} (PDF)" for part in site_parts.ALL}


def _folder(config: Config) -> Path:
    return Path(config.lockstep_root) / BUILD


def offered(config: Config) -> list[tuple[str, str, str]]:
    """Name, size and day of each file that the site offers; empty if it offers none."""
    if not config.lockstep_takeaway:
        return []
    there = [(name, (_folder(config) / name).stat()) for name in FILES if (_folder(config) / name).exists()]
    return [(name, size(of.st_size), f"{datetime.fromtimestamp(of.st_mtime, UTC):%Y-%m-%d}") for name, of in there]


def page(env: BuildEnvironment) -> str:
    """The page that lists the files, where the site offers some; else empty."""
    lists = sorted(domain.of(env).data["offered"].items())
    return next((docname for docname, found in lists if found), "")


def size(count: int) -> str:
    """A size as a reader wants it."""
    return f"{count / 1e6:.1f} MB" if count < 9.95e6 else f"{count / 1e6:.0f} MB"


class Takeaway(SphinxDirective):
    """The list of files, or what is said where there are none."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        found = offered(self.config)
        domain.of(self.env).data["offered"][self.env.docname] = found
        if not found:
            return self.parse_content_to_nodes()
        root = "../" * self.env.docname.count("/")
        items = []
        for name, bytes_, day in found:
            link = nodes.reference("", FILES[name], refuri=f"{root}{FOLDER}/{name}", internal=True)
            items.append(nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(f", {bytes_}, made on {day}"))))
        return [nodes.bullet_list("", *items, ids=[ANCHOR])]


def _outdated(app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """The pages that list other files than there are."""
    found = offered(app.config)
    return [docname for docname, before in domain.of(env).data["offered"].items() if before != found]


def _write(app: Sphinx, exception: Exception | None) -> None:
    """Puts the files into the site, or takes away those of an earlier build."""
    if exception or app.builder.format != "html":
        return
    out, found = Path(app.outdir) / FOLDER, [name for name, *_ in offered(app.config)]
    if not found:
        shutil.rmtree(out, ignore_errors=True)
    for left in out.glob("*"):
        if left.name not in found:
            left.unlink()
    for name in found:
        out.mkdir(exist_ok=True)
        made, copied = _folder(app.config) / name, out / name
        if not copied.exists() or copied.stat().st_mtime_ns != made.stat().st_mtime_ns:
            shutil.copy2(made, copied)


def setup(app: Sphinx) -> None:
    app.add_config_value("lockstep_takeaway", False, "", bool)
    app.add_directive("takeaway", Takeaway)
    app.connect("env-get-outdated", _outdated)
    app.connect("build-finished", _write)
