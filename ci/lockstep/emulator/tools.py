"""Runs the tools that the emulator's programs are built with: clang and LLVM of one version."""

import subprocess
from pathlib import Path

from lockstep.errors import LockstepError

VERSION = "22"  # of clang: the flags that keep a processor as the device's target are not official
LLVM = Path(f"/usr/lib/llvm-{VERSION}")
STEP = 600  # seconds that one command may take


class BuildError(LockstepError):
    """A tool failed; the text is what it printed."""


class Unsupported(LockstepError):
    """The program needs something that the emulator lacks; the text names it."""


def run(*command: str | Path, errors: bool = False) -> str:
    """Runs a tool and returns what it printed, on its error output if asked so; raises BuildError if it fails."""
    done = subprocess.run([str(c) for c in command], capture_output=True, encoding="utf-8", timeout=STEP, check=False)
    if done.returncode:
        raise BuildError(f"{Path(str(command[0])).name} failed:\n{done.stderr.strip()[:4000]}")
    return done.stderr if errors else done.stdout
