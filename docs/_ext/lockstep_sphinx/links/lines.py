"""What each name of CUDA is for, in one line, from docs/reference/apis/GROUP.toml:

    cudaMalloc = "Allocates device memory and returns its address; may wait for the whole device"

A line begins with a verb, says the catch, and marks other names with `backticks`. The groups are those of `entries`.
"""

from pathlib import Path
from typing import Annotated

from sphinx.util import logging

from lockstep import data
from lockstep_sphinx.links import api, entries

logger = logging.getLogger(__name__)

FOLDER = "reference/apis"
MOST = 110  # characters

Line = Annotated[
    str,
    data.Rule(
        f"at most {MOST} characters that begin with a capital and end without a full stop",
        lambda line: 0 < len(line) <= MOST and line[0].isupper() and line[-1] not in ". ",
    ),
]


def file(docs: Path, group: str) -> Path:
    """The file of a group."""
    return docs / FOLDER / f"{group}.toml"


def files(docs: Path) -> list[Path]:
    """The files of all groups, whether they are there or not."""
    return [file(docs, group) for group in entries.GROUPS]


def of_group(docs: Path, group: str) -> dict[str, str]:
    """The lines of a group, none where it has no file.

    :raises data.DataError: where a file does not hold what it must
    """
    path = file(docs, group)
    if not path.exists():
        return {}
    held = data.document(path, dict[str, Line], docs.parent)
    if findings := [f"{held.at(name)}: {words}" for name in held.value if (words := _misplaced(name, group))]:
        raise data.DataError(findings)
    return held.value


def _misplaced(name: str, group: str) -> str:
    if name not in api.table():
        return f"no page of NVIDIA's is known for {name}; add it to ci/lockstep/api_links.py, or correct the name"
    right = entries.group(name)
    return f"{name} belongs in {right}.toml; move it there" if right != group else ""


def told(docs: Path) -> dict[str, str]:
    """All lines; a warning for each that is not as it must be."""
    found: dict[str, str] = {}
    for group in entries.GROUPS:
        try:
            found |= of_group(docs, group)
        except data.DataError as error:
            for finding in error.findings:
                logger.warning(finding, type="lockstep")
    return found
