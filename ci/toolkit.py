#!/usr/bin/env python3
"""Brings the CUDA toolkit from PyPI into .cuda, where no toolkit 13 is installed.

    toolkit.py [GROUP ...]      cuda, cuda-libraries, nccl; none means all

Exit status: 0 all is there, 1 it could not be installed, 2 bad arguments.
"""

import argparse
import sys
from pathlib import Path

from lockstep import toolkit
from lockstep.driver_stub import StubError


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(toolkit.GROUPS))
    options = parser.parse_args()
    if unknown := [name for name in options.groups if name not in toolkit.GROUPS]:
        parser.error(f"unknown group {unknown[0]}; the groups are {', '.join(toolkit.GROUPS)}")
    root = Path(__file__).resolve().parent.parent
    try:
        toolkit.prepare(root, options.groups or list(toolkit.GROUPS), toolkit.default_environment())
    except (toolkit.ToolkitError, StubError, OSError) as error:
        print(f"toolkit: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
