"""The kinds of file that the project holds: each names its place and what owns a file there; all else is a stray.

A file that nothing reads looks as if it counted: a transcript of a program that is gone, a figure that no page shows, a
module that nothing imports. `KINDS` is the list of what may stand where; the first kind whose place fits decides.
"""

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path, PurePosixPath

from lockstep.errors import LockstepError
from lockstep.programs import declarations, sources
from lockstep.programs.declarations import Program
from lockstep.recordings import filters

CODE = (
    ".py",
    ".sh",
    ".cmake",
    ".html",
    ".js",
    ".css",
    ".yml",
    ".md",
    "CMakeLists.txt",
    "CMakePresets.json",
    "Makefile",
)


@dataclass(frozen=True, eq=False)
class Checkout:
    """The project's files, and what they say of one another."""

    root: Path
    programs: dict[str, Program]

    @cached_property
    def files(self) -> list[str]:
        """All files but those that git ignores."""
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        try:
            listed = subprocess.run(command, cwd=self.root, capture_output=True, encoding="utf-8", check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            said = (getattr(error, "stderr", None) or str(error)).strip().splitlines()[0]
            raise LockstepError(f"git cannot list the files of {self.root}: {said}") from None
        return [name for name in sorted(set(listed.stdout.split("\0"))) if name and (self.root / name).is_file()]

    @cache  # noqa: B019 - there is one checkout a run
    def text(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8", errors="replace")

    @cached_property
    def folders(self) -> dict[str, list[str]]:
        """The files of each folder."""
        found: dict[str, list[str]] = {}
        for name in self.files:
            found.setdefault(str(PurePosixPath(name).parent), []).append(name)
        return found

    @cached_property
    def naming(self) -> list[str]:
        """The files that can own another one by naming it."""
        return [name for name in self.files if name.endswith(CODE) and not fits("docs/**/figures/*", name)]

    @cached_property
    def declared(self) -> set[str]:
        """What the programs' declarations name, and what their sources include from beside them."""
        runs = [*self.programs.values(), *declarations.small_runs(list(self.programs.values()))]
        found: set[Path] = set()
        for run in runs:
            found |= {run.source, run.console, *(run.directory / name for name in (*run.sources, *run.recorded_files))}
            found |= {filters.whole_file(run.console)}
            found.update(sources.beside(run.source) if run.source.exists() else ())
        return {path.relative_to(self.root).as_posix() for path in found}

    @cached_property
    def included(self) -> set[str]:
        """What sources and headers include, as they write it."""
        texts = (self.text(name) for name in self.files if re.search(r"\.(cu|cuh|cpp|h|hpp)$|/include/", name))
        return {match for text in texts for match in re.findall(r'^\s*#\s*include\s*[<"]([^">]+)', text, re.M)}


@cache
def _pattern(place: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/|\*)", place)
    return re.compile("".join({"**/": "(?:.*/)?", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts))


def fits(place: str, name: str) -> bool:
    """Whether a name is of a place: `*` stands for part of a name, `**/` for any folders."""
    return bool(_pattern(place).fullmatch(name))


# -- owners: whether something uses a file -------------------------------------------------------------------------------

Owner = Callable[[Checkout, str], bool]


def always(project: Checkout, name: str) -> bool:
    """What uses it takes all that stands there."""
    return True


def declared(project: Checkout, name: str) -> bool:
    """A program's declaration."""
    return name in project.declared


def listed(project: Checkout, name: str) -> bool:
    """A CMake list that adds its folder, below which it stands."""
    folder = PurePosixPath(name).parent
    lists = {f"{above}/CMakeLists.txt": folder.relative_to(above) for above in folder.parents}
    return any(
        re.search(rf"\badd_subdirectory\({re.escape(str(below))}\b", project.text(above.removeprefix("./")))
        for above, below in lists.items()
        if above.removeprefix("./") in project.files
    ) or any(str(folder) == f"programs/{program.folder}" for program in project.programs.values())


def included(project: Checkout, name: str) -> bool:
    """A source or header that includes it by its path in a folder of headers, or by its name beside it."""
    parts = PurePosixPath(name).parts
    return any("/".join(parts[i:]) in project.included for i in range(1, len(parts)))


def counts(user: str, name: str) -> bool:
    """Whether a file counts as a user of another one: a test alone is no reason for a tool to be there."""
    return name.startswith("ci/tests/") or not user.startswith("ci/tests/")


def named(project: Checkout, name: str) -> bool:
    """Another file of code, or a document, that names it."""
    path = PurePosixPath(name)
    says = re.compile(rf'(?<![\w-])(?:{re.escape(path.name)}(?![\w-])|{re.escape(path.stem)}")')
    return any(
        path.stem in project.text(other) and says.search(project.text(other))
        for other in project.naming
        if other != name and counts(other, name)
    )


def reached(project: Checkout, name: str) -> bool:
    """A source that includes it, or a tool that names it to the compiler."""
    return included(project, name) or named(project, name)


def imported(project: Checkout, name: str) -> bool:
    """Another module that imports it, or a table that names it."""
    *folders, stem = PurePosixPath(re.sub(r"^(ci|docs/_ext)/", "", name)).with_suffix("").parts
    if stem == "__init__":
        return True
    package, whole = re.escape(".".join(folders)), re.escape(".".join([*folders, stem]))
    says = re.compile(rf'\bfrom {package} import (?:\([^)]*|[^\n(]*)\b{stem}\b|\b(?:from|import) {whole}\b|"{whole}"')
    return any(
        stem in project.text(other) and says.search(project.text(other))
        for other in project.naming
        if other.endswith(".py") and other != name and counts(other, name)
    )


def page_beside(project: Checkout, name: str) -> bool:
    """The page of the same name."""
    return str(PurePosixPath(name).with_suffix(".rst")) in project.files


def calculator_beside(project: Checkout, name: str) -> bool:
    """The page of the same name, with a calculator."""
    return page_beside(project, name) and ".. explore::" in project.text(str(PurePosixPath(name).with_suffix(".rst")))


def shown(project: Checkout, name: str) -> bool:
    """A page beside its folder that shows the figure, or another figure that draws it."""
    path = PurePosixPath(name)
    shows = re.compile(rf"\.\. diagram:: +{re.escape(path.stem)}\s")
    return any(
        shows.search(project.text(page)) for page in project.folders[str(path.parent.parent)] if page.endswith(".rst")
    ) or any(path.stem in project.text(other) for other in project.folders[str(path.parent)] if other != name)


def locked(project: Checkout, name: str) -> bool:
    """The list that it locks, or the lock of that list; and what installs it."""
    path = PurePosixPath(name)
    other = path.with_suffix({".in": ".txt", ".txt": ".in"}[path.suffix])
    says = re.compile(rf'{re.escape(path.stem)}[ ;.]|"{re.escape(path.stem.removeprefix("requirements-"))}"')
    installers = (file for file in project.naming if file == "ci/setup.sh" or file.startswith("ci/lockstep/setup/"))
    return str(other) in project.files and any(says.search(project.text(file)) for file in installers)


@dataclass(frozen=True)
class Kind:
    """Files of one purpose: where they stand, what owns each, and what to do with one that has no owner."""

    places: tuple[str, ...]
    owner: Owner
    cure: str


KINDS = (
    # how the formatter sets a folder
    Kind(("**/.clang-format",), always, ""),
    # programs
    Kind(("programs/*.cmake",), named, "no CMake list or tool names it; remove it"),
    Kind(("programs/CMakeLists.txt",), always, ""),
    Kind(
        ("programs/**/CMakeLists.txt",),
        listed,
        "CMake finds no program in its folder; declare one, or remove the folder",
    ),
    Kind(
        ("programs/emulator/include/emulator/*", "programs/emulator/r*/*.hpp"),
        reached,
        "nothing includes it; remove it",
    ),
    Kind(
        ("programs/emulator/include/**/*",), always, ""
    ),  # they stand in for other headers, which the toolkit includes
    Kind(("programs/emulator/r*/*.cpp",), always, ""),  # the emulator's compiler takes all
    Kind(("programs/include/**/*", "programs/*/lockstep/*.hpp"), included, "nothing includes it; remove it"),
    Kind(("programs/emulator/*", "programs/timeline/*.cpp"), named, "nothing names it; remove it"),
    Kind(("programs/**/*.cu",), declared, "no lockstep_program() declares it; declare it beside it, or remove it"),
    Kind(("programs/**/*.small.console",), declared, "no program beside it is declared SMALL and run so; remove it"),
    Kind(
        ("programs/**/*.console",), declared, "the transcript of no declared program; remove it, or declare its program"
    ),
    Kind(("programs/**/*.whole.gz",), declared, "the output of no declared program; remove it"),
    Kind(("programs/**/*.csv",), declared, "no program names it under DATA; name it there, or remove it"),
    Kind(
        ("programs/**/*.png",),
        declared,
        "no program names its pixmap (.ppm or .pgm) under PICTURES; name it there, or remove it",
    ),
    Kind(
        ("programs/**/*.cpp", "programs/**/*.cuh", "programs/**/*.hpp", "programs/**/*.h", "programs/**/*.py"),
        declared,
        "no program names it under SOURCES, and none includes it; remove it",
    ),
    # pages
    Kind(("docs/**/*.rst",), always, ""),  # Sphinx says which page no toctree names
    Kind(("docs/**/*.claims",), page_beside, "there is no page beside it; rename or remove it"),
    Kind(("docs/**/*.explore",), calculator_beside, "no page beside it shows a calculator; remove it"),
    Kind(("docs/**/figures/*.py",), shown, "no page beside it shows it with .. diagram::; remove it"),
    Kind(("docs/reference/apis/*.toml",), page_beside, "there is no page beside it; rename or remove it"),
    Kind(("docs/reference/guide_map/*.toml",), always, ""),  # the guide's map reads all
    Kind(("docs/_ext/**/*.py",), imported, "nothing imports it; remove it"),
    Kind(
        (
            "docs/_ext/**/*.html",
            "docs/_ext/**/*.js",
            "docs/_ext/**/*.css",
            "docs/_ext/**/*.json",
            "docs/_static/**/*",
            "docs/_templates/**/*.html",
            "docs/*.json",
            "docs/*.toml",
            "docs/reference/compute_capabilities.toml",
            "docs/Doxyfile*",
        ),
        named,
        "nothing names it; remove it",
    ),
    # tools and their tests
    Kind(("ci/**/__main__.py", "ci/tests/**/test_*.py", "ci/tests/**/conftest.py"), always, ""),  # pytest collects them
    Kind(("ci/**/*.py",), imported, "nothing imports it; remove it"),
    Kind(
        ("ci/requirements*",),
        locked,
        "a list and its lock belong together, and ci/setup.sh or ci/lockstep/setup installs them; remove it",
    ),
    Kind(("ci/tests/site/questions/*.toml",), always, ""),  # the test of the search asks all
    Kind(("ci/tests/emulator/golden/*/*.ll",), always, ""),  # the test of the rewriter takes all
    Kind(("ci/tests/**/CMakeLists.txt",), listed, "no CMake list adds its folder; remove it"),
    Kind(("ci/tests/emulator/*.hpp", "ci/tests/headers/*.hpp"), included, "nothing includes it; remove it"),
    Kind(
        (
            "ci/*.sh",
            "ci/*.json",
            "ci/lockstep/*/*.html",
            "ci/lockstep/*/*.css",
            "ci/lockstep/*/*.js",
            "ci/lockstep/*/*.json",
            "ci/tests/**/*.cu",
            "ci/tests/**/*.cpp",
            "ci/tests/**/*.toml",
        ),
        named,
        "nothing names it; remove it",
    ),
    # what the project's folder holds for people, git, CMake, Python and the workflows
    Kind(("README.md", "CONTRIBUTING.md", "LICENSE", "docs/LICENSE"), always, ""),
    Kind(("Makefile", "CMakeLists.txt", "CMakePresets.json", "conf.py", "pyproject.toml"), always, ""),
    Kind((".git*", ".ci/run", ".github/workflows/*.yml"), always, ""),
)


def strays(project: Checkout) -> list[str]:
    """The files that are of no kind, or that nothing owns."""
    found = []
    for name in project.files:
        kind = next((kind for kind in KINDS if any(fits(place, name) for place in kind.places)), None)
        if kind is None:
            found.append(
                f"{name}: a file of no known kind; remove it, or give it a kind in ci/lockstep/checks/kinds.py"
            )
        elif not kind.owner(project, name):
            found.append(f"{name}: {kind.cure}")
    return found
