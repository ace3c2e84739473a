"""The real build: with which options each program is compiled and linked, and whether it is of today's sources.

Ninja tells the commands of a configured build folder; beside each program stand the hashes of what it was built from.
"""

import hashlib
import re
import shlex
import subprocess
from collections.abc import Iterable
from pathlib import Path

from lockstep.errors import LockstepError
from lockstep.programs import sources
from lockstep.programs.declarations import Program

NOT_BUILT = "none, nothing is built"
_COMPILER = re.compile(r"(?:.*/)?(?:nvcc|[\w-]*g\+\+(?:-\d+)?|c\+\+|clang\+\+(?:-\d+)?|mpicxx)$")
_PIECE = re.compile(r"programs/(?P<folder>.+)/CMakeFiles/(?P<name>[^/]+)\.dir/(?P<unit>.+)\.o$")
_DEVICE_LINK = re.compile(r"(?:.*/)?CMakeFiles/(?P<name>[^/]+)\.dir/cmake_device_link\.o$")
_WITH_VALUE = {"-o", "-MT", "-MF", "-MQ", "-x"}  # options of no meaning for the code, whose value is the next word
_ALONE = {"-c", "-MD", "-MMD", "-dlink", "-forward-unknown-to-host-compiler", "-fdiagnostics-color=always"}
_INCLUDE = re.compile(r"(?:-I|-isystem=?|--?include-path=)(.*)")
_LIBRARY = re.compile(r"/.*/(lib[\w+-]+)\.(?:so|a)[\d.]*$")


# What CMake's version and the toolkit's place decide: where dependencies are noted, and what a library needs in its turn.
_OF_THE_MACHINE = re.compile(r"-Wl,--dependency-file=.*|-l(?:culibos|cuda|dl|pthread|rt)$")


class BuildError(LockstepError):
    """A build folder that cannot be used; the text says what to do."""


def _ninja(build: Path) -> str:
    cache = build / "CMakeCache.txt"
    text = cache.read_text(encoding="utf-8") if cache.exists() else ""
    named = re.search(r"^CMAKE_MAKE_PROGRAM:\w+=(.*ninja.*)$", text, re.M)
    return named[1] if named else "ninja"


def _run(build: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [_ninja(build), "-C", str(build), *arguments]
    try:
        return subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
        )
    except FileNotFoundError:
        raise BuildError("ninja is missing, which tells how programs are built; install it") from None


def commands(build: Path, *targets: str) -> list[list[str]]:
    """The commands that compile and link all, or these targets, word by word, without what runs before and after them."""
    if not (build / "build.ninja").exists():
        raise BuildError(f"{build}: not configured with Ninja; run: make programs")
    run = _run(build, "-t", "commands", *targets)
    if run.returncode != 0 and "unknown target" in run.stdout:
        return []
    if run.returncode != 0:
        raise BuildError(f"{build}: ninja cannot tell its commands: {' '.join(run.stdout.split())[:300]}")
    found = []
    for line in run.stdout.splitlines():
        for part in _split(shlex.split(line)):
            first = next((i for i, word in enumerate(part) if _COMPILER.match(word)), None)
            if first is not None:
                found.append(part[first:])
    return found


def _split(words: list[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "&&":
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def options(words: list[str], inside: Iterable[str]) -> list[str]:
    """The options of a compiler's command that can change the code or the run.

    Out go the files and their dependencies, warnings, the architectures that the build was asked for, and folders `inside`
    the project and the toolkit, or of the system; whatever is unknown stays.
    """
    own = (*inside, "/usr/")
    found = []
    rest = iter(words[1:])
    for word in rest:
        if word in _WITH_VALUE:
            next(rest, None)
        elif word in ("-I", "-isystem", "-L"):
            folder = next(rest, "")
            found += [] if folder.startswith(own) else [word, folder]
        elif match := _INCLUDE.match(word):
            found += [] if match[1].startswith(own) else [word]
        elif match := _LIBRARY.match(word):
            library = f"-l{match[1].removeprefix('lib')}"
            found += [] if _OF_THE_MACHINE.match(library) else [library]
        elif (
            word in _ALONE
            or word.startswith(("--generate-code=", "-ccbin", "-Wl,-rpath,"))
            or _OF_THE_MACHINE.match(word)
        ):
            continue
        elif word.startswith("-L"):
            found += [] if word[2:].startswith(own) else [word]
        elif _only_warns(word) or not word.startswith("-"):
            continue
        else:
            found.append(word)
    return found


def _only_warns(word: str) -> bool:
    parts = word.removeprefix("-Xcompiler=").split(",")
    return all(re.match(r"-W(?![lap],)", part) for part in parts) and not re.match(r"-W[lap],", word)


def line(program: Program, build: Path) -> str:
    """The options with which a program is built; raises BuildError where the build folder does not know it."""
    if program.must_not_compile:
        return NOT_BUILT
    found = lines(build, program.root, f"programs/{program.path}").get(program.path)
    if found is None:
        raise BuildError(f"{build}: does not build {program.path}; run: make programs")
    return found


def lines(build: Path, root: Path, *targets: str) -> dict[str, str]:
    """The options of each built program by its path, as one line: of its units, of its device code's link, of its link."""
    known = commands(build, *targets)
    inside = {f"{root}/", f"{build}/"}
    for words in known:
        compiler = Path(words[0])
        if compiler.name == "nvcc":
            inside |= {f"{folder}/" for folder in (compiler.parent.parent, compiler.resolve().parent.parent)}
    units: dict[str, dict[str, list[str]]] = {}
    device: dict[str, list[str]] = {}
    linked: dict[str, list[str]] = {}
    for words in known:
        if "-o" not in words[:-1]:
            continue
        out = words[words.index("-o") + 1]
        if match := _DEVICE_LINK.match(out):
            device[match["name"]] = options(words, inside)
        elif match := _PIECE.match(out):
            path = f"{match['folder']}/{match['name']}"
            units.setdefault(path, {})[match["unit"]] = options(words, inside)
        elif out.startswith("programs/"):
            linked[out.removeprefix("programs/")] = options(words, inside)
    return {
        path: _line(found, device.get(path.rpartition("/")[2]), linked[path])
        for path, found in units.items()
        if path in linked
    }


def _line(units: dict[str, list[str]], device: list[str] | None, linked: list[str]) -> str:
    if len({tuple(found) for found in units.values()}) == 1:
        parts = [["compile", *next(iter(units.values()))]]
    else:
        parts = [["compile", unit, *found] for unit, found in sorted(units.items())]
    parts += [["device link", *device]] if device is not None else []
    return "; ".join(shlex.join(part).replace("'device link'", "device link") for part in [*parts, ["link", *linked]])


def comparable(line: str) -> str:
    """A line of options in one order, which does not change the code."""
    parts = [part.split() for part in line.split(";")]
    return "; ".join(" ".join([*words[:1], *sorted(words[1:])]) for words in parts)


def difference(recorded: str, now: str) -> str:
    """Where two lines of options differ, in words; empty if they are the same build."""
    recorded, now = comparable(recorded), comparable(now)
    if recorded == now:
        return ""
    before, after = recorded.replace(";", "").split(), now.replace(";", "").split()
    gone = [word for word in before if word not in after]
    new = [word for word in after if word not in before]
    if not gone and not new:
        return f"recorded with: {recorded}; the build has: {now}"
    parts = [f"recorded with {' '.join(gone)}"] if gone else []
    parts += [f"the build has {' '.join(new)}"] if new else []
    return ", ".join(parts)


def executable(program: Program, build: Path) -> Path:
    """Where a program is built."""
    return build / "programs" / program.folder / program.name


def outdated(program: Program, build: Path) -> list[str]:
    """The files that are not what a built program was made of, by content; dates play no part."""
    files = [program.source, *(program.directory / name for name in program.sources)]
    files += [h for file in files for h in sources.included_headers(file, program.root / sources.INCLUDE)]
    return _other_than_built(executable(program, build), files, program.root / "programs")


def timeline(build: Path) -> Path:
    """The library that records timelines."""
    return build / "programs/timeline/libtimeline.so"


def timeline_outdated(build: Path, root: Path) -> list[str]:
    """The files that are not what the library that records timelines was made of."""
    return _other_than_built(timeline(build), [root / "programs/timeline/timeline.cpp"], root / "programs")


def _other_than_built(built_file: Path, files: list[Path], programs: Path) -> list[str]:
    stamp = built_file.with_name(f"{built_file.name}.sources")
    if not stamp.exists():
        return [files[0].name]
    built = dict(line.split(" ", 1)[::-1] for line in stamp.read_text(encoding="utf-8").splitlines())
    return [
        file.name
        for file in dict.fromkeys(files)
        if built.get(str(file.relative_to(programs))) != hashlib.sha256(file.read_bytes()).hexdigest()
    ]


def make(programs: list[Program], build: Path) -> None:
    """Builds programs from what their sources hold now, whatever the dates of the files say."""
    targets = _run(build, "-t", "targets", "all").stdout.splitlines()
    known = {target.rpartition(": ")[0] for target in targets}
    wanted = {f"programs/{program.path}": program for program in programs if f"programs/{program.path}" in known}
    library = str(timeline(build).relative_to(build))
    _build(build, [*wanted, *known.intersection([library])])
    late = [target for target, program in wanted.items() if outdated(program, build)]
    if library in known and programs and timeline_outdated(build, programs[0].root):
        late.append(library)
    for target in late:
        folder, name = (build / target).parent, Path(target).stem.removeprefix("lib")
        for piece in (folder / f"CMakeFiles/{name}.dir").rglob("*.o"):
            piece.unlink()
    _build(build, late)


def _build(build: Path, targets: list[str]) -> None:
    if targets and (run := _run(build, "-k", "0", *targets)).returncode != 0:
        said = [line for line in run.stdout.splitlines() if re.search(r"\berror\b|^FAILED: |undefined reference", line)]
        raise BuildError("the build failed:\n" + ("\n".join(said[:200]) or run.stdout[-3000:]))
