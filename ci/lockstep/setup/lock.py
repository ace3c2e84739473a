"""Locks the packages that the lists ci/requirements*.in allow, each with its hashes.

python3 ci setup lock [--keep]      the newest of them; with --keep those that are locked now, where they are still allowed
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from lockstep import files
from lockstep.errors import LockstepError
from lockstep.files import ROOT

OPTIONS = ("--generate-hashes", "--strip-extras", "--no-header", "--no-emit-index-url", "--no-emit-find-links")


def run(*command: str | Path) -> None:
    """Runs a tool; raises LockstepError if it fails."""
    if subprocess.run(command, check=False).returncode:
        raise LockstepError(f"{Path(command[0]).name} failed, as it says above; no list was changed by it")


def lock(root: Path, listed: Path, tools: Path, *, keep: bool) -> None:
    """Writes the lock of a list."""
    work = root / "build" / f"{listed.stem}.txt"
    target = listed.with_suffix(".txt")
    work.unlink(missing_ok=True)
    if target.exists():
        shutil.copy(target, work)
    how = "--no-upgrade" if keep else "--upgrade"
    run(tools / "pip-compile", "--quiet", how, *OPTIONS, "--output-file", work, listed)
    head = f"# Made by `make lock` from {listed.name}; do not edit.\n"
    files.write(target, head + work.read_text(encoding="utf-8"))


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="setup lock", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--keep", action="store_true", help="upgrade nothing that is still allowed")
    options = parser.parse_args(argv)
    environment = ROOT / "build/lock"
    run(sys.executable, "-m", "venv", "--clear", environment)
    run(environment / "bin/pip", "install", "--quiet", "pip-tools")
    for listed in sorted((ROOT / "ci").glob("requirements*.in")):
        lock(ROOT, listed, environment / "bin", keep=options.keep)
    return 0
