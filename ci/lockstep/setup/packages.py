"""Installs locked packages with pip: whole or not at all, and with one line that says what is missing where it cannot.

python3 ci setup packages      makes .venv from ci/requirements.txt, unless it is complete
"""

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

from lockstep.errors import LockstepError
from lockstep.files import ROOT, write

LOCK = "ci/requirements.txt"
QUICK = ("--retries", "1", "--timeout", "10")  # where there is no network, that is said within seconds

_DOWNLOADING = re.compile(r"\s*Downloading (?:\S*/)?([\w.]+)-\d\S* (\(.*\))")
_REASONS = {
    r"No space left": "the disk is full; free some space",
    r"Connection|[Tt]imed ?out|resol|unreachable|from versions: none": (
        "no package index can be reached; check the network, or name an index of your own in PIP_INDEX_URL"
    ),
}
"""What pip says, and what is then to be said."""


class PackagesError(LockstepError):
    """Why packages could not be installed."""


def _failure(what: str, said: str) -> PackagesError:
    """What could not be done and why, from what a tool said of it."""
    why = next((reason for sign, reason in _REASONS.items() if re.search(sign, said)), said.strip()[-1000:])
    return PackagesError(f"{what}: {why}, and run the same command again")


def make(folder: Path) -> Path:
    """Makes a virtual environment; returns its Python."""
    command = [sys.executable, "-m", "venv", "--clear", str(folder)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise _failure(f"{folder.name} could not be made", done.stdout + done.stderr)
    return folder / "bin/python"


def install(python: Path, lock: Path, title: str, *options: str | Path) -> None:
    """Installs the packages of a lock with the pip of a Python, and shows what it downloads.

    :param title: how each line that is shown begins
    :raises PackagesError: where they could not be installed
    """
    command = [
        python, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--require-hashes",
        "--no-warn-script-location", "--progress-bar", "off", *QUICK, *options, "--requirement", lock,
    ]  # fmt: skip
    unbuffered = os.environ | {"PYTHONUNBUFFERED": "1"}
    said = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", env=unbuffered
    ) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            said.append(line)
            if match := _DOWNLOADING.match(line):
                print(f"{title}:   {match[1]} {match[2]}", flush=True)
            elif line.startswith("Installing"):
                print(f"{title}:   unpacking", flush=True)
    if pip.returncode != 0:
        raise _failure(f"the packages of {lock.name} could not be installed", "".join(said))


def environment(root: Path) -> None:
    """Makes .venv; the copy of the lock inside it is written last, and says that it is complete."""
    lock, made = root / LOCK, root / ".venv"
    complete = made / lock.name
    wanted = lock.read_text(encoding="utf-8")
    if complete.exists() and complete.read_text(encoding="utf-8") == wanted:
        return
    print(f"packages: making .venv with Python {platform.python_version()}; this brings 250 MB from PyPI", flush=True)
    try:
        install(make(made), lock, "packages", "--use-pep517")
        write(complete, wanted)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)  # nothing half-made stays
        raise


def main(argv: list[str]) -> int:
    argparse.ArgumentParser(prog="packages", description=(__doc__ or "").split("\n")[0]).parse_args(argv)
    environment(ROOT)
    return 0
