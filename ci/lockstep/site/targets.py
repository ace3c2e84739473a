"""What `make html`, `make serve`, `make takeaway` and `make pages` do once their tools are set up.

    python3 ci site make [--modules no]      the pages, then the programs that run in the browser, then the pages that show them
    python3 ci site serve                    serves the site at http://127.0.0.1:8000, and builds it again on each change; PORT=n
    python3 ci takeaway make [--modules no] [FOLDER]   makes all that can be taken away of a site, and has the site offer it
    python3 ci site publish ADDRESS          the site for publication at an address that ends in a slash, in build/pages

Each build of pages is a process of its own: Sphinx keeps what it has read.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from lockstep.files import ROOT
from lockstep.site import build
from lockstep.takeaway import epub, offline, pdf

SITE = "build/html"
PUBLISHED = "build/pages"
MODULES = "install what the line above names, then run make html"


def lockstep(*words: str, **variables: str) -> int:
    """Runs another command of these tools with these variables; returns its exit status."""
    command = [sys.executable, str(ROOT / "ci"), *words]
    return subprocess.run(command, cwd=ROOT, env=os.environ | variables, check=False).returncode


def _parser(name: str) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(prog=name, description=(__doc__ or "").split("\n")[0])


def _modules(parser: argparse.ArgumentParser) -> None:
    help_ = "no leaves out what runs programs in the browser; no page promises it then"
    parser.add_argument("--modules", choices=("yes", "no"), default="yes", help=help_)


def html(argv: list[str]) -> int:
    """Builds the site for a reader, with what was made of it to take away, and says when it can be read, and where."""
    parser = _parser("site make")
    _modules(parser)
    wanted = parser.parse_args(argv).modules
    address = (ROOT / SITE / "index.html").as_uri()
    where = f"Open  {address}  or run  make serve"
    offers = os.environ.get("LOCKSTEP_TAKEAWAY", "yes")
    print("Building the pages ...", flush=True)
    if status := lockstep("site", "pages", LOCKSTEP_MODULES=wanted, LOCKSTEP_TAKEAWAY=offers):
        return status
    if wanted == "no":
        print(f"The site is ready, without the programs that run in the browser.  {where}")
        return 0
    print(f"The pages can be read now, at  {address}  The programs that run in the browser follow.", flush=True)
    if subprocess.run([ROOT / "ci/setup.sh", "modules"], check=False).returncode:
        print(f"The site is ready, but for the programs that run in the browser: {MODULES}.  {where}")
        return 0
    compiled = lockstep("emulate", "web")
    if status := lockstep("site", "pages", LOCKSTEP_TAKEAWAY=offers):
        return status
    print(f"The site is ready.  {where}")
    return compiled


def prepare(argv: list[str]) -> int:
    """Brings up to date what pages are made of besides themselves, with the recordings of the last commit."""
    from lockstep.site import history

    _parser("site prepare").parse_args(argv)
    if not build.prepare(ROOT):
        return 1
    history.keep_recordings(ROOT, "HEAD")
    return 0


def serve(argv: list[str]) -> int:
    """Serves the site; a reader's own recordings are shown beside those of the commit."""
    _parser("site serve").parse_args(argv)
    if prepare([]):
        return 1
    python = shutil.which(sys.executable) or sys.executable
    watched = [word for path in ("programs", "docs", "conf.py") for word in ("--watch", path)]
    ignored = [word for pattern in ("*.part", "*/__pycache__/*") for word in ("--ignore", pattern)]
    os.chdir(ROOT)
    os.execve(
        python,
        [
            python, "-m", "sphinx_autobuild", "--port", os.environ.get("PORT", "8000"), "--conf-dir", ".",
            "--doctree-dir", "build/serve.doctrees", *watched, *ignored, "--pre-build", ".venv/bin/python ci site prepare",
            "--post-build", ".venv/bin/python ci site search-index build/serve", "--jobs", "auto", "docs", "build/serve",
        ],
        os.environ | {"LOCKSTEP_COMPARE_WITH": "build/committed"},
    )  # fmt: skip


def take(argv: list[str]) -> int:
    """Makes the zip, the book and the PDFs of a site, and builds it once more, so that it offers them."""
    parser = _parser("takeaway make")
    _modules(parser)
    parser.add_argument("folder", nargs="?", default=SITE)
    options = parser.parse_args(argv)
    for make in (offline.main, epub.main, pdf.main):
        if status := make([options.folder]):
            return status
    return lockstep("site", "pages", options.folder, LOCKSTEP_MODULES=options.modules, LOCKSTEP_TAKEAWAY="yes")


def publish(argv: list[str]) -> int:
    """Builds the site for an address, with all that it offers."""
    parser = _parser("site publish")
    parser.add_argument("address", help="such as https://example.org/lockstep/")
    address = parser.parse_args(argv).address
    if not re.fullmatch(r"https?://[^/\s]+/(?:\S*/)?", address):
        parser.error(f"an address begins with https:// and ends in a slash, unlike {address!r}")
    os.environ["LOCKSTEP_URL"] = address
    commands = (
        ("emulate", "web"),
        ("site", "pages", "--strict", PUBLISHED),
        ("site", "frames", PUBLISHED),
        ("takeaway", "make", PUBLISHED),
    )
    for command in commands:
        if status := lockstep(*command):
            return status
    Path(ROOT, PUBLISHED, ".nojekyll").touch()
    return 0
