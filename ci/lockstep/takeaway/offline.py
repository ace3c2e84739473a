"""Makes one zip of a built site, which works from the folder that it is unpacked into: no server, no network.

    python3 ci takeaway offline [FOLDER]      (default: build/html; the zip is build/takeaway/lockstep.zip)

A browser refuses a page from disk what is no script: the programs that run in the browser become script files, and one
more holds what runs them (offline.js). The search is made of script files everywhere.
"""

import argparse
import base64
import gzip
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

from lockstep.files import ROOT, whole
from lockstep.takeaway import pages

RUNTIME = "_static/emulator"
MODULES = "_emulator"
HANDS_OUT = Path(__file__).with_name("offline.js")
TOP = "lockstep"  # the folder in the zip
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same site makes the same zip
LEFT_OUT = (".buildinfo", "objects.inv", "404.html", ".nojekyll")  # what only a server or another project uses


def as_script(name: str, content: bytes) -> str:
    """A script that brings a file."""
    text = base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()
    return f"lockstepOffline.keep({json.dumps(name)}, {json.dumps(text)});\n"


def hands_out(runtime: Path) -> str:
    """The script that runs the programs of a copy on disk: with the texts of what a server would give."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(runtime.iterdir())}
    return f"const FILES = {json.dumps(texts, ensure_ascii=False)};\n{HANDS_OUT.read_text(encoding='utf-8')}"


def contents(site: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file of the copy."""
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if path.is_dir() or name in LEFT_OUT or name.startswith(("_sources/", f"{RUNTIME}/")):
            continue
        if name.startswith(f"{MODULES}/"):
            yield f"{name}.js", as_script(path.name, path.read_bytes()).encode()
        else:
            yield name, path.read_bytes()
    if (site / MODULES).exists():
        yield f"{RUNTIME}/offline.js", hands_out(site / RUNTIME).encode()


def make(site: Path, target: Path) -> int:
    """Writes the zip; returns how many files it holds."""
    pages.require_site(site)
    count = 0
    with whole(target) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in contents(site):
            info = zipfile.ZipInfo(f"{TOP}/{name}", EPOCH)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, content)
            count += 1
    return count


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="takeaway offline", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", nargs="?", default=str(ROOT / "build/html"))
    options = parser.parse_args(argv)
    target = pages.MADE / "lockstep.zip"
    target.parent.mkdir(parents=True, exist_ok=True)
    count = make(Path(options.folder).resolve(), target)
    print(f"{pages.told(target)}, {count} files")
    return 0
