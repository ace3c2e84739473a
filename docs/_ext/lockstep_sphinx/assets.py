"""The scripts and styles of the features, which stand beside the code that needs them.

A feature's files stand in `_static/FEATURE` of the site; what every page needs, lockstep.css, in `_static`.
"""

import shutil
from pathlib import Path

from sphinx.application import Sphinx

FOLDER = Path(__file__).parent
STYLE = "lockstep.css"
SUFFIXES = (".css", ".js")
OWN_WAY = ("search",)  # its scripts become one file with the index


def put(static: Path) -> None:
    """Puts them into a folder `_static`."""
    static.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(FOLDER / STYLE, static / STYLE)
    for path in sorted(FOLDER.glob("*/*")):
        if path.suffix in SUFFIXES and path.parent.name not in OWN_WAY:
            (static / path.parent.name).mkdir(exist_ok=True)
            shutil.copyfile(path, static / path.parent.name / path.name)


def _collect(app: Sphinx) -> None:
    """Before pages are written, which name the digests of scripts and styles."""
    if app.builder.format == "html":
        put(Path(app.outdir) / "_static")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", _collect)
    app.add_css_file(STYLE)
