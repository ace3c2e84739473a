"""Builds the pages and their search index: what `make html` and the checks do, in one process.

    python3 ci site pages [--strict] [FOLDER]      (default: build/html)

--strict begins in an empty folder and takes every warning for an error, as the checks do.
"""

import argparse
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lockstep.files import ROOT
from lockstep.programs import cmake_lists
from lockstep.site import doxygen, history, search_index

STRICT = ("--fresh-env", "--write-all", "--fail-on-warning", "--nitpicky")


def prepare(root: Path) -> bool:
    """Brings up to date what the pages are made of; whether that succeeded."""
    with ThreadPoolExecutor() as pool:
        headers = pool.submit(doxygen.read, root)
        history.note(root)
        cmake_lists.update(root)
    return headers.result() == 0


def build(root: Path, out: Path, *, strict: bool) -> int:
    """Builds the pages of a project; returns an exit status."""
    doctrees = out.with_name(f"{out.name}.doctrees")
    if strict:  # a page or program taken back leaves nothing to find fault with
        for folder in (out, doctrees):
            shutil.rmtree(folder, ignore_errors=True)
    with ThreadPoolExecutor() as pool:
        prepared = pool.submit(prepare, root)
        from sphinx.cmd.build import main as sphinx_build  # takes a while
    if not prepared.result():
        return 1
    words = ["--builder", "html", "--jobs", "auto", "--quiet", *(STRICT if strict else ())]
    status = sphinx_build(
        [*words, "--conf-dir", str(root), "--doctree-dir", str(doctrees), str(root / "docs"), str(out)]
    )
    if status == 0:
        search_index.write(out)
    return status


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site pages", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--strict", action="store_true", help="begin in an empty folder, and let warnings fail")
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build/html")
    options = parser.parse_args(argv)
    return build(ROOT, options.folder.resolve(), strict=options.strict)
