"""What has changed since the last complete run of the checks.

`make check ALL=1` checks everything for all programs and pages. What passes of builds, downloads and pages it notes in
ci/complete_run.json, which a maintainer commits. Each other run checks completely what has changed since; what is left to the
complete run it counts. Where no complete run of a step is known, what has changed is not known either: then programs are built
in short, and a browser opens all pages. Complete builds and pages that have changed are noted when all of them pass, and
downloads one by one, each when it passes, so that several runs together come to know all; until then the downloads of changed
programs are compiled, and of the others it is said that they were not checked.
A program, a download or a page has changed if its key differs: a digest of everything that it is made of.
"""

import ast
import json
import re
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from lockstep import files
from lockstep.content import content, digest
from lockstep.errors import LockstepError
from lockstep.programs import downloads, inputs
from lockstep.programs.declarations import Program

LEDGER = Path("ci/complete_run.json")
NOTED = {"compile": "programs", "downloads": "downloads", "browser": "pages"}  # steps, and what they look at all of
PROJECT = (
    "programs", "docs", "ci", "CMakeLists.txt", "CMakePresets.json", "Makefile", "conf.py", "pyproject.toml",
    ".clang-format", ".gitattributes", ".github", "README.md", "CONTRIBUTING.md",
)  # fmt: skip
OPENERS = Path("ci/lockstep/site")  # the tools that open pages in a browser
BROWSER_PACKAGES = ("axe-playwright-python", "playwright")


class LedgerError(LockstepError):
    """A ledger that cannot be read; the text says what to do."""


@dataclass(frozen=True)
class Run:
    """When something was checked completely and passed."""

    date: str
    toolkit: str
    key: str  # of the whole project

    def __str__(self) -> str:
        return f"{self.date}, {self.toolkit}, key {self.key}"


@dataclass(frozen=True)
class Part:
    """What one step has found good, by name with its key, and the last run in which that was everything."""

    run: Run | None = None
    keys: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, run: dict[str, str] | None, keys: dict[str, str]) -> "Part":
        return cls(Run(**run) if run else None, dict(keys))


@dataclass(frozen=True)
class Ledger:
    """What was last checked completely, and passed."""

    run: Run | None = None  # of all steps, none of which failed
    programs: Part = Part()
    downloads: Part = Part()
    pages: Part = Part()

    @classmethod
    def of(cls, run: dict[str, str] | None, **parts: dict[str, Any]) -> "Ledger":
        return cls(Run(**run) if run else None, **{name: Part.of(**part) for name, part in parts.items()})

    def __str__(self) -> str:
        runs = {name: getattr(self, name).run for name in NOTED.values()}
        others = [f"of {name}: {run or 'none'}" for name, run in runs.items() if run != self.run]
        return f"last complete run: {self.run or 'none'}" + (f" ({'; '.join(others)})" if others else "")


# -- keys ------------------------------------------------------------------------------------------------------------------


@cache
def toolkit() -> str:
    """The version of the CUDA compiler, as it says itself."""
    said = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, encoding="utf-8", check=True).stdout
    return next(line for line in said.splitlines() if "release" in line).rpartition(", ")[2]


def program_key(program: Program, shared: str) -> str:
    """The key of a program's build; `shared` is what reaches all of them."""
    declared = asdict(replace(program, root=Path(), line=0))
    return digest([shared, repr(sorted(declared.items())), *(file.read_bytes() for file in inputs.files(program))])


def program_keys(programs: Iterable[Program], root: Path) -> dict[str, str]:
    """The keys of all programs' builds."""
    lists = [str(p.relative_to(root)) for p in sorted((root / "programs").glob("*.cmake"))]
    shared = f"{toolkit()} {content(root, ['CMakeLists.txt', 'CMakePresets.json', *lists])}"
    return {program.path: program_key(program, shared) for program in programs}


def download_keys(programs: Iterable[Program], root: Path) -> dict[str, str]:
    """The keys of downloads that compile: what a reader is given and types, and the program that it is compared with."""
    checks, made_by = content(root, ["ci/lockstep/checks/downloads.py"]), downloads.tools(root)
    found = {}
    for program in programs:
        if not program.must_not_compile:
            texts = [downloads.without_origin(text) for text in downloads.kept(program, made_by).values()]
            commands = [toolkit(), program.newer_toolkit, downloads.build_command(program)]
            compared = [file.read_bytes() for file in inputs.files(program)]
            found[program.path] = digest([checks, *commands, *texts, *compared])
    return found


_ELSEWHERE = re.compile(rb'(?<= href=")https?://[^"]*')


def page_keys(site: Path, root: Path, names: Iterable[str]) -> dict[str, str]:
    """The keys of pages of a built site: what a browser is given, and what looks at it.

    To where links to other sites lead is not seen: a link to an online compiler holds a whole download.
    """
    packages = re.compile(rf"^(?:{'|'.join(BROWSER_PACKAGES)})==\S+", re.M)
    lock = root / "ci/requirements.txt"
    versions = packages.findall(lock.read_text(encoding="utf-8")) if lock.exists() else []
    shared = digest([content(root, ["docs/_static", *openers(root)]), *versions])
    return {name: digest([shared, _ELSEWHERE.sub(b"", (site / name).read_bytes())]) for name in names}


def openers(root: Path) -> list[str]:
    """The tools that decide how a page is looked at: the step's own, and those beside it that it imports."""
    found: list[str] = []
    queue = ["browser"]
    while queue:
        file = OPENERS / f"{queue.pop()}.py"
        if str(file) in found or not (root / file).is_file():
            continue
        found.append(str(file))
        for node in ast.walk(ast.parse((root / file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "lockstep.site":
                queue += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                queue += [(node.module or "").removeprefix("lockstep.site.")]
    return found


def whole(root: Path) -> str:
    """The key of the project."""
    return digest([toolkit(), content(root, PROJECT)])


# -- the ledger --------------------------------------------------------------------------------------------------------------


def last_run(root: Path) -> Ledger | None:
    """What is known to have passed, or None if nothing is."""
    file = root / LEDGER
    if not file.exists():
        return None
    try:
        return Ledger.of(**json.loads(file.read_text(encoding="utf-8")))
    except (ValueError, TypeError, AttributeError) as error:
        raise LedgerError(f"{LEDGER}: cannot be read: {error}; remove it, and run: make check ALL=1") from None


def write(root: Path, ledger: Ledger) -> None:
    files.write(root / LEDGER, json.dumps(asdict(ledger), indent=1, sort_keys=True) + "\n")


def note(
    root: Path,
    programs: Iterable[Program],
    site: Path,
    pages: Iterable[str],
    today: date,
    passed: Iterable[str] = tuple(NOTED),
    *,
    everything: bool = True,
) -> Ledger:
    """Writes down that the steps that `passed` have looked at all of their kind; what others had noted stays.

    :param everything: no step was left out, and none failed
    """
    declared, ledger, done = list(programs), last_run(root) or Ledger(), set(passed)
    run = Run(today.isoformat(), toolkit(), whole(root))
    if "compile" in done:
        ledger = replace(ledger, programs=Part(run, program_keys(declared, root)))
    if "downloads" in done:
        ledger = replace(ledger, downloads=Part(run, download_keys(declared, root)))
    if "browser" in done:
        ledger = replace(ledger, pages=Part(run, page_keys(site, root, pages)))
    if everything:
        ledger = replace(ledger, run=run)
    write(root, ledger)
    return ledger


def note_builds(root: Path, built: Iterable[Program]) -> None:
    """Writes down that programs were built for every major architecture, and passed."""
    ledger = last_run(root) or Ledger()
    _put(root, ledger, "programs", ledger.programs.keys | program_keys(built, root))


def note_pages(root: Path, site: Path, pages: Iterable[str]) -> None:
    """Writes down that a browser opened these pages, and they passed, now or as they are."""
    _put(root, last_run(root) or Ledger(), "pages", page_keys(site, root, pages))


def note_download(root: Path, path: str, key: str) -> None:
    """Writes down that one program's download was checked completely, and passed."""
    ledger = last_run(root) or Ledger()
    _put(root, ledger, "downloads", ledger.downloads.keys | {path: key})


def _put(root: Path, ledger: Ledger, name: str, keys: dict[str, str]) -> None:
    """Writes a ledger with these keys in one of its parts, unless it says so already."""
    part: Part = getattr(ledger, name)
    if keys != part.keys:
        changed: dict[str, Any] = {name: replace(part, keys=keys)}
        write(root, replace(ledger, **changed))


def differing(now: dict[str, str], before: dict[str, str]) -> list[str]:
    """The names whose key is not what it was."""
    return [name for name, key in now.items() if before.get(name) != key]


def opened_pages(site: Path, root: Path, names: list[str]) -> list[str]:
    """Of a site's pages those to open in a browser: the front page, and those that are not as they were when they passed."""
    before = last_run(root) or Ledger()
    changed = differing(page_keys(site, root, names), before.pages.keys)
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
    unknown: int = 0  # downloads that are not compiled, and have not been noted before

    def report(self, pages_left: int = 0) -> str:
        """One line: what was checked completely, and what was left to the complete run."""
        if self.everything:
            return f"checked completely: all {self.count} programs and all pages; {self.reason}"
        unknown = f" (of {self.unknown} it is not known whether they compile)" if self.unknown else ""
        return (
            f"{len(self.programs)} of {self.count} programs have changed: these were built for every major architecture; "
            f"left to `make check ALL=1`: {self.count - len(self.programs)} complete builds, "
            f"{self.count - len(self.downloads)} downloads{unknown}, {pages_left} pages in the browser; {self.reason}"
        )


def plan(root: Path, load: Callable[[], dict[str, Program]], *, everything: bool, quick: bool) -> Plan:
    """What to check: `everything`, or what has changed since the last complete run, or with `quick` nothing completely."""
    declared = load()
    programs, before = list(declared.values()), last_run(root)
    last = str(before) if before else f"no complete run is known: {LEDGER} is missing"
    if everything:
        return Plan(True, "ALL=1", tuple(declared), tuple(declared), len(declared))
    if quick:
        return Plan(False, f"QUICK=1 takes nothing for changed; {last}", (), (), len(declared))
    known = before or Ledger()
    builds = differing(program_keys(programs, root), known.programs.keys) if known.programs.keys else []
    offered = download_keys(programs, root)
    noted = known.downloads.keys
    unknown = [name for name in offered if not (known.downloads.run or name in noted or name in builds)]
    changed = [name for name in differing(offered, noted) if name not in unknown]
    return Plan(False, last, tuple(builds), tuple(changed), len(declared), len(unknown))
