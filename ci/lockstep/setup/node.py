"""Finds Node, which runs the pages' JavaScript and the emulator's modules in the checks.

Debian 12 has only Node 18, but the checks install Playwright, which brings a newer one of its own.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from lockstep.errors import LockstepError
from lockstep.files import ROOT

OLDEST = 20
_BROUGHT = ".venv/lib/python3*/site-packages/playwright/driver/node"


class NodeError(LockstepError):
    """Why there is no Node."""


def find(root: Path = ROOT, environment: Mapping[str, str] = os.environ) -> str:
    """The Node to run: that on the path if it is new enough, or Playwright's.

    :raises NodeError: where there is neither
    """
    on_path = shutil.which("node", path=environment.get("PATH", ""))
    for node in [*([on_path] if on_path else []), *map(str, sorted(root.glob(_BROUGHT)))]:
        if version(node) >= OLDEST:
            return node
    raise NodeError(f"Node {OLDEST} or newer is missing; run ci/setup.sh check, which brings one, or install it")


def version(node: str) -> int:
    """The major version of a Node; 0 if it does not run."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, encoding="utf-8", check=False).stdout
    except OSError:
        return 0
    match = re.match(r"v(\d+)\.", said)
    return int(match[1]) if match else 0
