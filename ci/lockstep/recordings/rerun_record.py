"""the committed record of the last re-run, `docs/rerun.json`: who reads it needs neither a GPU nor Sphinx."""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lockstep import files
from lockstep.errors import LockstepError
from lockstep.programs.declarations import Program
from lockstep.recordings import keys
from lockstep.recordings.transcripts import TranscriptError

NAME = "docs/rerun.json"
Record = dict[str, Any]


class RecordError(LockstepError):
    """A record that cannot be read; the text says what to do."""


def path(root: Path) -> Path:
    return root / NAME


def load(root: Path) -> Record | None:
    """The record; None where no re-run left one."""
    file = path(root)
    if not file.exists():
        return None
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(record, dict) or not isinstance(record["key"], str):
            raise KeyError("key")
    except (json.JSONDecodeError, KeyError) as error:
        raise RecordError(f"{NAME}: cannot be read ({error}); `python3 ci gpu-check merge` writes it") from None
    return record


def write(root: Path, record: Record) -> None:
    files.write(path(root), json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def whole_key(runs: Iterable[Program]) -> str:
    """One key over the keys and outputs of all transcripts."""
    parts = []
    for run in runs:
        try:
            known = keys.load(run).provenance
        except TranscriptError:
            known = {}
        parts.append(f"{run.label} {known.get('key', '')} {known.get('output', '')}")
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:16]


def remark(root: Path, runs: Iterable[Program]) -> str:
    """What to say of a record that is older than the transcripts; empty if it fits them, or there is none."""
    record = load(root)
    if record and record["key"] != whole_key(runs):
        return (
            f"{NAME}: transcripts were recorded since the re-run of {record.get('date')}; "
            "on a GPU machine run `make gpu-check`"
        )
    return ""


def seconds(root: Path) -> dict[str, dict[str, float]]:
    """How long each program took in the last re-run: its recording, alone or not, and all else beside others."""
    known = (load(root) or {}).get("seconds", {})
    return known if isinstance(known, dict) else {}
