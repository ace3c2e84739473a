"""Has Doxygen read what a file of settings names, if the content of any of it changed since the last time.

python3 ci site doxygen [SETTINGS]      (default: docs/Doxyfile, which makes build/doxygen/xml for the site)
"""

import argparse
import re
import shutil
import subprocess
from pathlib import Path

from lockstep import files
from lockstep.content import content, digest
from lockstep.errors import LockstepError
from lockstep.files import ROOT

SETTINGS = "docs/Doxyfile"


def setting(text: str, name: str) -> str:
    """What a file of settings says under a name; raises LockstepError if it says nothing."""
    if not (match := re.search(rf"^{name} *= *(.*\S)", text, re.M)):
        raise LockstepError(f"{SETTINGS}: sets no {name}; name a folder")
    return match[1]


def read(root: Path, settings: str = SETTINGS) -> int:
    """Has Doxygen read; returns its exit status, 0 if there was nothing to do."""
    text = (root / settings).read_text(encoding="utf-8")
    folder = root / setting(text, "OUTPUT_DIRECTORY")
    try:
        version = subprocess.run(["doxygen", "--version"], capture_output=True, encoding="utf-8", check=False).stdout
    except FileNotFoundError:
        raise LockstepError("doxygen is missing; make html installs it, or names its package") from None
    inputs = setting(text, "INPUT").split()
    key = digest([version, content(root, [*(f"docs/{p.name}" for p in (root / "docs").glob("Doxyfile*")), *inputs])])
    stamp = folder / "key"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
        return 0
    shutil.rmtree(folder, ignore_errors=True)  # nothing of a header that is gone, or of an interrupted run
    folder.mkdir(parents=True)
    status = subprocess.run(["doxygen", settings], cwd=root, stdin=subprocess.DEVNULL, check=False).returncode
    if status == 0:
        files.write(stamp, key)
    return status


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site doxygen", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("settings", nargs="?", default=SETTINGS)
    return read(ROOT, parser.parse_args(argv).settings)
