"""The scripts and styles of the features, which stand beside the code that needs them.

A feature's files stand in `_static/FEATURE` of the site; what every page needs, lockstep.css, in `_static`.
"""

import shutil
from pathlib import Path

from sphinx.application import Sphinx

FOLDER = Path(__file__).parent
SUFFIXES = (".css", ".js")
OWN_WAY = ("search",)  # its scripts become one file with the index


def collect(app: Sphinx) -> None:
    """Puts them into the site before pages are written, which name their digests."""
    if app.builder.format != "html":
        return
    for path in sorted(FOLDER.glob("*/*")):
        if path.suffix in SUFFIXES and path.parent.name not in OWN_WAY:
            target = Path(app.outdir) / "_static" / path.parent.name / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    shutil.copyfile(FOLDER / "lockstep.css", Path(app.outdir) / "_static" / "lockstep.css")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", collect)
    app.add_css_file("lockstep.css")
