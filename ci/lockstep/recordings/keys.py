"""Keys of transcripts, and what is wrong with a recorded one. Runs nothing."""

import hashlib
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

from lockstep import files
from lockstep.files import ROOT
from lockstep.programs import declarations, downloads, sources
from lockstep.programs.declarations import Program
from lockstep.recordings import filters, series, shell, transcripts
from lockstep.recordings.filters import FilterError
from lockstep.recordings.session import Command
from lockstep.recordings.transcripts import Transcript, TranscriptError

TIMELINE = Path("programs/timeline/timeline.cpp")
DECLARATION, COMMANDS, DOWNLOAD = "declaration", "commands", "download"
_TOOLKIT_LOCK = Path("ci/requirements-cuda.in")
_LOCKED = re.compile(r"\b(?:cuda-toolkit(?:\[[^]]*\])?|nvidia-cuda-nvcc)==(\d+\.\d+)")


def ingredients(program: Program, transcript: Transcript) -> dict[str, str]:
    """What reaches the run, by name, beside the options of the build.

    That is the program and the project headers as the compiler sees them, without comments and layout; the library that
    records timelines; the declaration; the commands with what may vary. Where the output names lines of a file, the lines
    count, too: those of the source, and those of the download that a command compiles.
    """
    files = [program.source, *(program.directory / extra for extra in program.sources)]
    headers = [h for file in files for h in sources.included_headers(file, program.root / sources.INCLUDE)]
    named = {path.name: path for path in files}
    named |= {str(header.relative_to(program.root / sources.INCLUDE)): header for header in headers}
    commands = [command.text for command in transcript.commands]
    if any("libtimeline" in text for text in commands):
        named[f"timeline/{TIMELINE.name}"] = program.root / TIMELINE
    output = [line for command in transcript.commands for line in command.output]
    found = {name: _visible(name, sources.read(path), output) for name, path in named.items()}
    rules = [f"varies {pattern}" for pattern, _ in transcript.varies]
    rules += [f"device {pattern}" for pattern, _ in transcript.device]
    found[DECLARATION] = program.declared_build
    found[COMMANDS] = "\0".join([*commands, *rules, f"unordered {bool(transcript.unordered)}"])
    if _uses_download(program, commands):
        offered = downloads.files(program)
        lines = [_visible(name, text, output) for name, text in offered.items() if _names_lines(name, output)]
        found |= {DOWNLOAD: "\0".join(lines)} if lines else {}
    return found


def _visible(name: str, text: str, output: list[str]) -> str:
    """A file as the compiler sees it; with the places of its lines where the output names them. A script is as it is."""
    if sources.is_script(name):
        return text
    return sources.strip_comments(text, keep_lines=True) if _names_lines(name, output) else sources.canonical(text)


def _names_lines(name: str, output: list[str]) -> bool:
    position = re.compile(rf"{re.escape(Path(name).name)}(?:[:(]|, line )\d|^line \d+:")  # the last without a name
    return any(position.search(line) for line in output)


def _uses_download(program: Program, commands: list[str]) -> bool:
    names = "|".join(re.escape(name) for name in (program.source.name, *program.sources, downloads.starter(program)))
    return any(re.search(rf"\bnvcc\b|(?<![\w.])(?:{names})(?![\w.])", text) for text in commands)


def key(program: Program, transcript: Transcript) -> str:
    """A hash over everything that reaches the run, the options of the build as recorded among it."""
    parts = [f"format {transcripts.FORMAT}", transcript.provenance.get("build", "")]
    parts += [text for item in ingredients(program, transcript).items() for text in item]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def fingerprints(program: Program, transcript: Transcript) -> str:
    """Name and short hash of all that reaches the run, as one line: it tells what changed."""
    found = ingredients(program, transcript).items()
    return " ".join(f"{name}={hashlib.sha256(text.encode()).hexdigest()[:8]}" for name, text in found)


def sealed(program: Program, transcript: Transcript, born: dict[str, str]) -> Transcript:
    """A transcript with its provenance, key and digest; `born` is where it comes from and with what it was built."""
    known = born | {"sources": fingerprints(program, transcript)}
    found = replace(transcript, provenance=known)
    found = replace(found, provenance=known | {"key": key(program, found)})
    return replace(found, provenance=found.provenance | {"output": found.digest()})


def changed(program: Program, transcript: Transcript) -> str:
    """What changed since the transcript was recorded, in words."""
    before, now = (
        dict(part.rpartition("=")[::2] for part in line.split(" "))
        for line in (transcript.provenance.get("sources", ""), fingerprints(program, transcript))
    )
    names = [name for name in dict.fromkeys([*now, *before]) if name and before.get(name) != now.get(name)]
    words = {
        DECLARATION: "its declaration",
        COMMANDS: "its commands, or what may vary in their output,",
        DOWNLOAD: f"the lines of the download of {program.source.name}, which its output names,",
    }
    if len(names) > 1 and DOWNLOAD in names:
        names.remove(DOWNLOAD)  # it follows from the others
    return " and ".join(words.get(name, name) for name in names) or "its key, or the format of transcripts,"


@cache
def pinned_toolkit(root: Path = ROOT) -> str:
    """The release of the toolkit that the site is recorded with, such as 13.0, from the lock of the toolkit."""
    lock = root / _TOOLKIT_LOCK
    if lock.exists() and (match := _LOCKED.search(lock.read_text(encoding="utf-8"))):
        return match[1]
    raise TranscriptError(
        f"{_TOOLKIT_LOCK}: names no cuda-toolkit==VERSION; add the toolkit that the site is recorded with"
    )


def load(program: Program) -> Transcript:
    """The program's transcript; where there is none, the wish to run it once without arguments.

    The small run's begins with what may vary in the program's own.
    """
    if not program.console.exists():
        if program.small_run:
            rules = load(replace(program, small_run=False))
            command = Command(" ".join([f"./{program.name}", *program.small]))
            return Transcript([command], varies=rules.varies, unordered=rules.unordered)
        return Transcript([Command(f"./{program.name}")])
    try:
        return transcripts.parse(files.read(program.console))
    except (TranscriptError, files.TextError) as error:
        raise TranscriptError(f"{relative(program.console, program.root)}:{error}") from None


def problems(program: Program, root: Path) -> list[str]:
    """What keeps the program's recorded output from being shown; empty if nothing does."""
    where = relative(program.console, root)
    fix = f'on a GPU machine run "make record PROGRAM={program.name}"'
    if program.unrecorded:
        return [f"{where}: {program.name} is declared UNRECORDED; remove the file"] if program.console.exists() else []
    if not program.console.exists():
        return [f"{where}: missing: {program.name} was never recorded; {fix}"]
    try:
        transcript = load(program)
        now = key(program, transcript)
    except (TranscriptError, sources.SourceError) as error:
        return [str(error)]
    if not transcript.recorded:
        return [f"{where}: holds commands but no recorded output; {fix}"]
    born = transcript.provenance
    found = []
    if program.small_run and transcript.commands[0].text != " ".join([f"./{program.name}", *program.small]):
        found.append(f"{where}: does not run what SMALL says; remove it, and {fix}")
    found += [f"{where}:{line}" for line in shell.refused(program.console.read_text(encoding="utf-8"))]
    if "build" not in born and "sources" not in born:
        return [*found, f"{where}: stale: recorded in an older format, or its provenance was removed; {fix}"]
    missing = [name for name in transcripts.PROVENANCE if not born.get(name, "").strip()]
    found += [f'{where}: its line "# {name}:" was removed; restore the file, or {fix}' for name in missing]
    if born.get("key") != now:
        found.append(f"{where}: stale: {changed(program, transcript)} changed since it was recorded; {fix}")
    elif not missing and (born["output"] != transcript.digest() or not _as_written(program, transcript)):
        found.append(f"{where}: its output or provenance was edited by hand; restore the file, or {fix}")
    if (release := pinned_toolkit()) != ".".join(born.get("toolkit", release).split(".")[:2]):
        found.append(
            f"{where}: recorded with CUDA {born['toolkit']}, the site's toolkit is {release} "
            f"({_TOOLKIT_LOCK}); {fix}, with CUDA {release}"
        )
    if not program.small_run and not any(command.output for command in transcript.commands):
        found.append(f"{where}: empty: no command printed anything; make the program say what it shows")
    if set(transcript.data) != set(data_files(program, transcript)):
        found.append(f"{where}: its files are not those declared under DATA and PICTURES; {fix}")
    found += [f"{where}: {fault}" for fault in unknown_pictures(program, transcript)]
    for name, digest in transcript.data.items():
        file = program.directory / name
        if not file.exists() or series.digest(file) != digest:
            found.append(f"{relative(file, root)}: missing or edited by hand; {fix}")
    return found or _other_filters(program, transcript, where)


def data_files(program: Program, transcript: Transcript) -> list[str]:
    """The files that belong to a transcript: series, pictures, and the whole output of its filtered commands."""
    return [*program.recorded_files, *([filters.whole_file(program.console).name] if transcript.filtered else [])]


def unknown_pictures(program: Program, transcript: Transcript) -> list[str]:
    """What is wrong with the headers that say how far a picture may be off: a picture that the program does not declare."""
    declared = [declarations.recorded_picture(name) for name in program.pictures]
    has = ", ".join(declared) or "none"
    return [
        f"# picture: {file}: no such picture is declared under PICTURES, which give {has}; name one of these"
        for file in transcript.pictures
        if file not in declared
    ]


def whole(program: Program, transcript: Transcript) -> list[Command]:
    """A transcript's commands, with the whole output of those that are filtered; raises FilterError if that is lost."""
    file = filters.whole_file(program.console)
    recorded = iter(filters.unpack(file.read_bytes()) if file.exists() else [])
    commands = []
    for command in transcript.commands:
        before = next(recorded, None) if command.filters else command
        if before is None or before.text != command.text:
            raise FilterError(f"{file.name}: holds no output of $ {command.text}; record it again")
        commands.append(replace(before, filters=command.filters))
    return commands


def _other_filters(program: Program, transcript: Transcript, where: str) -> list[str]:
    """Whether the output that is shown is no longer what the filters make of the whole."""
    if not transcript.filtered:
        return []
    try:
        for before, now in zip(whole(program, transcript), transcript.commands, strict=True):
            if not now.filters:
                continue
            made = filters.apply(now.filters, before.output)
            files_differ = any(series.text(program.directory / file) != text for file, text in made.files.items())
            if made.lines != now.output or files_differ:
                return [f"{where}: its filters changed; run python3 ci record filter {program.name}"]
    except FilterError as error:
        return [f"{where}: {error}"]
    return []


def _as_written(program: Program, transcript: Transcript) -> bool:
    return program.console.read_text(encoding="utf-8") == transcripts.serialize(transcript)


def relative(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
