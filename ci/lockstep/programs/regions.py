"""Region excerpts: the lines of a source that a page shows.

A region stands between the lines `// [name]` and `// [/name]`; in Python, `#` is in the place of `//`. What is shown of a source, whole or a region of it, is
defined here once: pages are made by it, and checked by it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from lockstep.exercises import parts
from lockstep.programs.sources import SourceError

_MARKER = re.compile(r"^\s*(?://|#)\s*\[(/?)([^\]]*)\]\s*$")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Region:
    """A named excerpt: first and last line (from 1), markers left out."""

    name: str
    first: int
    last: int


def find(text: str, path: str | Path = "source") -> dict[str, Region]:
    """The regions marked `// [name]` ... `// [/name]`, by name, in order."""
    found: dict[str, Region] = {}
    name, opened = None, 0
    label = Path(path).name
    for number, line in enumerate(text.splitlines(), 1):
        marker = _MARKER.match(line)
        if not marker:
            continue
        closes, this = marker[1], marker[2]
        if not _NAME.fullmatch(this):
            raise SourceError(f"{label}:{number}: [{this}] is no region name; use lower-case-with-dashes")
        if closes:
            if name != this:
                raise SourceError(f'{label}:{number}: [/{this}] closes nothing; add "// [{this}]" before it')
            found[this] = Region(this, opened + 1, number - 1)
            name = None
        elif name is not None:
            raise SourceError(f'{label}:{opened}: [{name}] is never closed; add "// [/{name}]"')
        elif this in found:
            raise SourceError(f"{label}:{number}: [{this}] is opened twice; give it another name")
        else:
            name, opened = this, number
    if name is not None:
        raise SourceError(f'{label}:{opened}: [{name}] is never closed; add "// [/{name}]"')
    return found


def is_marker(line: str) -> bool:
    """Whether a line opens or closes a region."""
    return bool(_MARKER.match(line))


def shown(text: str, region: str = "", path: str | Path = "source") -> list[int]:
    """The numbers of the lines to show: the region's, or all without markers; of an exercise, those of the solution.

    :raises SourceError: where the markers are broken, or there is no such region
    """
    lines, known = text.splitlines(), find(text, path)
    if region and region not in known:
        raise SourceError(f"{Path(path).name} has no region [{region}]; it has {', '.join(known) or 'none'}")
    chosen = range(known[region].first, known[region].last + 1) if region else range(1, len(lines) + 1)
    markers = {number for found in known.values() for number in (found.first - 1, found.last + 1)}
    return [number for number in chosen if number not in markers and not parts.hidden(lines[number - 1])]


def excerpt(text: str, region: str = "", path: str | Path = "source") -> list[str]:
    """The lines to show."""
    lines = text.splitlines()
    return [lines[number - 1] for number in shown(text, region, path)]
