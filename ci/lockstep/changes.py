"""What has changed since the last complete run of the checks.

`make check ALL=1` checks everything for all programs and pages. What passes of builds, downloads and pages it notes in
ci/complete_run.json, which a maintainer commits. Each other run checks completely what has changed since; what is left to the
complete run it counts. Where no complete run of a step is known, what has changed is not known either: then programs are built
in short, no download is compiled, and a browser opens all pages.
A program, a download or a page has changed if its key differs: a digest of everything that it is made of.
"""

import json
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path

from lockstep import files
from lockstep.content import content, digest
from lockstep.errors import LockstepError
from lockstep.programs import sources
from lockstep.programs.declarations import Program

LEDGER = Path("ci/complete_run.json")
NOTED = ("compile", "downloads", "browser")  # the steps that look at all programs or pages
PROJECT = (
    "programs", "docs", "ci", "CMakeLists.txt", "CMakePresets.json", "Makefile", "conf.py", "pyproject.toml",
    ".clang-format", ".gitattributes", ".github", "README.md", "CONTRIBUTING.md",
)  # fmt: skip


class LedgerError(LockstepError):
    """A ledger that cannot be read; the text says what to do."""


@dataclass(frozen=True)
class CompleteRun:
    """What was last checked completely, and passed."""

    date: str
    toolkit: str
    key: str  # of the whole project
    programs: dict[str, str]
    downloads: dict[str, str]
    pages: dict[str, str]

    def __str__(self) -> str:
        unknown = [name for name in ("programs", "downloads", "pages") if not getattr(self, name)]
        but = f", of no {' and '.join(unknown)}" if unknown else ""
        return f"{self.date}, {self.toolkit}, key {self.key}{but}"


NOTHING = CompleteRun("", "", "", {}, {}, {})

# -- keys ------------------------------------------------------------------------------------------------------------------


@cache
def toolkit() -> str:
    """The version of the CUDA compiler, as it says itself."""
    said = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout
    return next(line for line in said.splitlines() if "release" in line).rpartition(", ")[2]


def program_key(program: Program, shared: str) -> str:
    """The key of a program's build; `shared` is what reaches all of them."""
    reaching = [program.source, *(program.directory / name for name in program.sources)]
    reaching += dict.fromkeys(h for f in reaching for h in sources.included_headers(f, program.root / sources.INCLUDE))
    declared = asdict(replace(program, root=Path(), line=0))
    return digest([shared, repr(sorted(declared.items())), *(file.read_bytes() for file in reaching)])


def program_keys(programs: Iterable[Program], root: Path) -> dict[str, str]:
    """The keys of all programs' builds."""
    lists = [str(p.relative_to(root)) for p in sorted((root / "programs").glob("*.cmake"))]
    shared = f"{toolkit()} {content(root, ['CMakeLists.txt', 'CMakePresets.json', *lists])}"
    return {program.path: program_key(program, shared) for program in programs}


def download_keys(builds: dict[str, str], root: Path) -> dict[str, str]:
    """The keys of downloads: of the programs, and of what makes downloads of them."""
    makes = content(root, ["ci/lockstep/programs", "ci/lockstep/exercises/parts.py", "ci/lockstep/checks/downloads.py"])
    return {path: digest([makes, key]) for path, key in builds.items()}


def page_keys(site: Path, root: Path, names: Iterable[str]) -> dict[str, str]:
    """The keys of pages of a built site: what a browser is given, and what looks at it."""
    shared = content(root, ["docs/_static", "ci/lockstep/site", "ci/requirements.txt"])
    return {name: digest([shared, (site / name).read_bytes()]) for name in names}


def whole(root: Path) -> str:
    """The key of the project."""
    return digest([toolkit(), content(root, PROJECT)])


# -- the ledger --------------------------------------------------------------------------------------------------------------


def last_run(root: Path) -> CompleteRun | None:
    """The last complete run that passed, or None if none is known."""
    file = root / LEDGER
    if not file.exists():
        return None
    try:
        return CompleteRun(**json.loads(file.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise LedgerError(f"{LEDGER}: cannot be read: {error}; remove it, and run: make check ALL=1") from None


def note(
    root: Path,
    programs: Iterable[Program],
    site: Path,
    pages: Iterable[str],
    today: date,
    passed: Iterable[str] = NOTED,
) -> CompleteRun:
    """Writes down that everything was checked completely by the steps that `passed`; what others had noted stays."""
    before, done = last_run(root) or NOTHING, set(passed)
    builds = program_keys(programs, root)
    run = CompleteRun(
        today.isoformat(),
        toolkit(),
        whole(root),
        builds if "compile" in done else before.programs,
        download_keys(builds, root) if "downloads" in done else before.downloads,
        page_keys(site, root, pages) if "browser" in done else before.pages,
    )
    files.write(root / LEDGER, json.dumps(asdict(run), indent=1, sort_keys=True) + "\n")
    return run


def differing(now: dict[str, str], before: dict[str, str]) -> list[str]:
    """The names whose key is not what it was."""
    return [name for name, key in now.items() if before.get(name) != key]


def opened_pages(site: Path, root: Path, names: list[str]) -> list[str]:
    """Of a site's pages those to open in a browser: the front page, and those that are not as they were when they passed."""
    before = last_run(root) or NOTHING
    changed = differing(page_keys(site, root, names), before.pages)
    return [name for name in names if name == "index.html" or name in changed]


# -- the plan of a run ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What a run of the checks looks at completely."""

    everything: bool  # and what passed before is checked again
    reason: str
    programs: tuple[str, ...]  # built for every major architecture
    downloads: tuple[str, ...]  # compiled
    count: int  # of all programs

    def report(self, pages_left: int = 0) -> str:
        """One line: what was checked completely, and what was left to the complete run."""
        if self.everything:
            return f"checked completely: all {self.count} programs and all pages; {self.reason}"
        return (
            f"{len(self.programs)} of {self.count} programs have changed: these were built for every major architecture; "
            f"left to `make check ALL=1`: {self.count - len(self.programs)} complete builds, "
            f"{self.count - len(self.downloads)} downloads, {pages_left} pages in the browser; {self.reason}"
        )


def plan(root: Path, load: Callable[[], dict[str, Program]], *, everything: bool, quick: bool) -> Plan:
    """What to check: `everything`, or what has changed since the last complete run, or with `quick` nothing completely."""
    declared = load()
    programs, before = list(declared.values()), last_run(root)
    last = f"last complete run: {before}" if before else f"no complete run is known: {LEDGER} is missing"
    if everything:
        return Plan(True, "ALL=1", tuple(declared), tuple(declared), len(declared))
    if quick:
        return Plan(False, f"QUICK=1 takes nothing for changed; {last}", (), (), len(declared))
    known = before or NOTHING
    builds = program_keys(programs, root) if known.programs or known.downloads else {}
    return Plan(
        False, last,
        tuple(differing(builds, known.programs) if known.programs else ()),
        tuple(differing(download_keys(builds, root), known.downloads) if known.downloads else ()),
        len(declared),
    )  # fmt: skip
