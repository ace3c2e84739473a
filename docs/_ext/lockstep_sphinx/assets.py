"""The scripts and styles of the features, which stand beside the code that needs them.

In the site the styles `style.css` are one file, `_static/lockstep.css`, since every page loads them; all else stands in
`_static/FEATURE`, and is loaded by the pages that use it.
"""

import shutil
from pathlib import Path

from sphinx.application import Sphinx

FOLDER = Path(__file__).parent
STYLE, STYLE_OF_FEATURE = "lockstep.css", "style.css"
SUFFIXES = (".css", ".js")
OWN_WAY = ("search",)  # its scripts become one file with the index


def style() -> str:
    """The style of every page: the colors, then what each feature adds."""
    files = FOLDER / STYLE, *sorted(FOLDER.glob(f"*/{STYLE_OF_FEATURE}"))
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def put(static: Path) -> None:
    """Puts all of them into a folder `_static`."""
    static.mkdir(parents=True, exist_ok=True)
    (static / STYLE).write_text(style(), encoding="utf-8")
    for path in sorted(FOLDER.glob("*/*")):
        if path.suffix in SUFFIXES and path.name != STYLE_OF_FEATURE and path.parent.name not in OWN_WAY:
            (static / path.parent.name).mkdir(exist_ok=True)
            shutil.copyfile(path, static / path.parent.name / path.name)


def _collect(app: Sphinx) -> None:
    """Before pages are written, which name the digests of scripts and styles."""
    if app.builder.format == "html":
        put(Path(app.outdir) / "_static")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", _collect)
    app.add_css_file(STYLE)
