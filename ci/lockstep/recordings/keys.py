"""Keys of transcripts, and what is wrong with a recorded one. Runs nothing."""

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from lockstep.programs import sources
from lockstep.programs.declarations import Program
from lockstep.recordings import series, transcripts
from lockstep.recordings.session import Command
from lockstep.recordings.transcripts import Transcript, TranscriptError


def key(program: Program, transcript: Transcript) -> str:
    """The key: a hash over everything that reaches the run.

    That is the program and the project headers as the compiler sees them, the build options, the
    commands with what may vary, and the transcript format. Line positions count only where the
    output names them.
    """
    keep_lines = _names_lines(program, transcript)
    files = [program.source, *(program.directory / extra for extra in program.sources)]
    headers = [h for file in files for h in sources.included_headers(file, program.root / sources.INCLUDE)]
    parts = [f"format {transcripts.FORMAT}", program.build_line, f"timeout {program.timeout}"]
    parts += [sources.strip_comments(file.read_text(encoding="utf-8"), keep_lines=keep_lines) for file in files]
    parts += [sources.strip_comments(header.read_text(encoding="utf-8")) for header in dict.fromkeys(headers)]
    parts += [command.text for command in transcript.commands]
    parts += [pattern for pattern, _ in transcript.varies] + [f"unordered {bool(transcript.unordered)}"]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _names_lines(program: Program, transcript: Transcript) -> bool:
    position = re.compile(re.escape(program.source.name) + r"[:(]\d")
    return any(position.search(line) for command in transcript.commands for line in command.output)


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
        return transcripts.parse(program.console.read_text(encoding="utf-8"))
    except TranscriptError as error:
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
    found = []
    if program.small_run and transcript.commands[0].text != " ".join([f"./{program.name}", *program.small]):
        found.append(f"{where}: does not run what SMALL says; remove it, and {fix}")
    if transcript.provenance["key"] != now:
        found.append(f"{where}: stale: {program.name} changed since it was recorded; {fix}")
    if transcript.provenance.get("output") != transcript.digest():
        found.append(f"{where}: its output was edited by hand; {fix}")
    if not program.small_run and not any(command.output for command in transcript.commands):
        found.append(f"{where}: empty: no command printed anything; make the program say what it shows")
    if set(transcript.data) != set(program.data):
        found.append(f"{where}: its data files are not those declared under DATA; {fix}")
    for name, digest in transcript.data.items():
        file = program.directory / name
        if not file.exists() or series.digest(file) != digest:
            found.append(f"{relative(file, root)}: missing or edited by hand; {fix}")
    return found


def relative(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
