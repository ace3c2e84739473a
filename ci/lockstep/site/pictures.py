"""The pictures that the project keeps: those that `python3 ci site screenshots --readme` took, and no others."""

import hashlib
import json
from pathlib import Path

from lockstep import data, files

FOLDER = Path("docs/_static")
DIGESTS = Path("ci/lockstep/site/pictures.json")
CURE = f"restore it, or run: python3 ci site screenshots --readme, look at {FOLDER}/*.png, and commit both"


def _digests(root: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in sorted((root / FOLDER).glob("*.png"))
    }


def note(root: Path) -> None:
    """Writes down which pictures were taken."""
    files.write(root / DIGESTS, json.dumps(_digests(root), indent=1) + "\n")


def problems(root: Path) -> list[str]:
    """One line for each picture that is not the one that was taken."""
    taken = data.document(root / DIGESTS, dict[str, str], root, CURE)
    now = _digests(root)
    return [
        f"{taken.at(name)}: {FOLDER / name} is not the picture that was taken; {CURE}"
        for name in sorted(now.keys() | taken.value.keys())
        if now.get(name) != taken.value.get(name)
    ]
