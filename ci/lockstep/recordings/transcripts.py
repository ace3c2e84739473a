"""The transcript of a program: what a reader would see in a terminal.

# gpu: NVIDIA H200 (compute capability 9.0)      provenance, written by the recorder
# build: compile -O3 -lineinfo; link -lcudart    with what the program was built, written by the recorder
# sources: program.cu=5ac1d2e0 ...               what reached the run, written by the recorder
# varies: 0x[0-9a-f]+ -- addresses differ        what may differ and why, written by the author
# factor: ^clock any -- begins anywhere          by how much measured numbers may differ, written by the author
# device: ^name .* -- the device's own           lines that the emulator answers otherwise, written by the author
# data: series.csv 0c1f...                       a file that belongs to it, such as a picture, written by the recorder
# picture: rotated.png within 1 -- rounds        by how much a channel of a picture may differ, written by the author
# keep: SUMMARY                                  what is shown of the next command's output (filters.py), by the author
$ ./program --n 5                                a command, written by the author
elements       5                                 output, written by the recorder alone
[exit status 2]                                  only if it is not 0

An output line that could be read as a command, a header or an exit status stands here with a backslash before it.
"""

import hashlib
import re
from dataclasses import dataclass, field, replace

from lockstep.errors import LockstepError
from lockstep.recordings import filters, numbers, pictures, session
from lockstep.recordings.filters import FilterError
from lockstep.recordings.session import Command, Filter

FORMAT = "3"
PROVENANCE = ("gpu", "driver", "toolkit", "host compiler", "date", "build", "sources", "key", "output")
PROBES = ("", "lockstep probe 7f3a, 1234 and 3.14 TB/s")  # lines that no pattern may match: it would hide any change

_HEADER = re.compile(r"# ([a-z ]+): (.*)")
_STATUS = re.compile(r"\[exit status (\d+)\]")
_AMBIGUOUS = re.compile(r"\\*(?:\$ |# |\[exit status )")


class TranscriptError(LockstepError):
    """A transcript that cannot be read; the text names the line and what to do."""


@dataclass(frozen=True)
class Transcript:
    """A whole transcript. `varies` and `device` hold (pattern, reason) pairs; `unordered` a reason or nothing.

    `factors` hold pattern, factor and reason; `pictures`, by file, how far a channel may be off, and the reason.
    """

    commands: list[Command]
    provenance: dict[str, str] = field(default_factory=dict)
    varies: list[tuple[str, str]] = field(default_factory=list)
    device: list[tuple[str, str]] = field(default_factory=list)
    unordered: str = ""
    factors: list[tuple[str, float, str]] = field(default_factory=list)
    data: dict[str, str] = field(default_factory=dict)
    pictures: dict[str, tuple[int, str]] = field(default_factory=dict)

    @property
    def recorded(self) -> bool:
        return bool(self.provenance)

    @property
    def filtered(self) -> bool:
        """Whether a command shows only what its filters choose."""
        return any(command.filters for command in self.commands)

    @property
    def measures(self) -> bool:
        """Whether a command measures or counts what other work on the GPU would disturb."""
        return any(" ncu " in f" {c.text}" or any(map(numbers.found, c.output)) for c in self.commands)

    def digest(self) -> str:
        """Hash of all that the recorder wrote, so that an edit by hand shows."""
        born = {name: value for name, value in self.provenance.items() if name != "output"}
        plain = [
            replace(command, filters=()) for command in self.commands
        ]  # the author's; the output follows from them
        written = serialize(Transcript(plain, born, data=self.data))
        return hashlib.sha256(written.encode()).hexdigest()[:16]


def parse(text: str) -> Transcript:
    """Reads a transcript; one that holds commands only is a wish for a first recording."""
    provenance: dict[str, str] = {}
    varies: list[tuple[str, str]] = []
    device: list[tuple[str, str]] = []
    data: dict[str, str] = {}
    commands: list[Command] = []
    unordered = ""
    factors: list[tuple[str, float, str]] = []
    allowed: dict[str, tuple[int, str]] = {}
    declared: list[Filter] = []  # for the next command
    for number, line in enumerate(text.splitlines(), 1):
        match = _HEADER.fullmatch(line)
        if line.startswith("$ "):
            commands.append(Command(line[2:].strip(), filters=tuple(declared)))
            declared = []
        elif match and match[1] in filters.KINDS:
            declared.append(_filter(match[1], match[2], number))
        elif declared:
            raise TranscriptError(f"{number}: the command that {declared[-1]} is for must follow it")
        elif commands and (status := _STATUS.fullmatch(line)):
            commands[-1] = replace(commands[-1], status=int(status[1]))
        elif commands and commands[-1].status:
            raise TranscriptError(f"{number}: output after the exit status; only a command may follow it")
        elif commands:
            commands[-1].output.append(line[1:] if line[:1] == "\\" and _AMBIGUOUS.match(line) else line)
        elif match:
            name, value = match.groups()
            pattern, _, reason = value.partition(" -- ")
            if name in PROVENANCE:
                provenance[name] = value
            elif name == "data":
                file, _, digest = value.partition(" ")
                data[file] = digest
            elif name == "unordered" and value.strip():
                unordered = value
            elif name in ("varies", "device") and reason.strip():
                (varies if name == "varies" else device).append((_pattern(pattern, number), reason))
            elif name == "factor" and reason.strip():
                factors.append((*_factor(pattern, number), reason))
            elif name == "picture":
                file, within = _within(pattern, reason, number)
                if file in allowed:
                    raise TranscriptError(f"{number}: a line above says already how far {file} may be off; leave one")
                allowed[file] = within, reason
            else:
                raise TranscriptError(f"{number}: cannot read this header; write # varies: PATTERN -- REASON")
        elif line.strip():
            raise TranscriptError(f"{number}: output without a command; a command begins with $ and a blank")
    if declared:
        raise TranscriptError(f"the command that {declared[-1]} is for is missing")
    if not commands:
        raise TranscriptError("1: holds no command; write a line such as $ ./program")
    return Transcript(commands, provenance, varies, device, unordered, factors, data, allowed)


def _filter(kind: str, text: str, number: int) -> Filter:
    try:
        return filters.read(kind, text)
    except FilterError as error:
        raise TranscriptError(f"{number}: {error}") from None


def _pattern(pattern: str, number: int) -> str:
    try:
        matched = [probe for probe in PROBES if re.search(pattern, probe)]
    except re.error as error:
        raise TranscriptError(f"{number}: {pattern} is no regular expression: {error}") from None
    if matched:
        what = f'"{matched[0]}"' if matched[0] else "the empty line"
        raise TranscriptError(f"{number}: {pattern} matches {what}, so it hides any change; name the words around it")
    return pattern


def _factor(text: str, number: int) -> tuple[str, float]:
    """Reads `PATTERN 3` or `PATTERN any`."""
    pattern, _, factor = text.strip().rpartition(" ")
    if pattern.strip() and factor == "any":
        return _pattern(pattern.strip(), number), numbers.ANY
    try:
        if pattern.strip() and float(factor) >= 1:
            return _pattern(pattern.strip(), number), float(factor)
    except ValueError:
        pass
    raise TranscriptError(
        f"{number}: cannot read this factor; write # factor: PATTERN 3 -- REASON, or any in the place of 3"
    )


def _within(text: str, reason: str, number: int) -> tuple[str, int]:
    """Reads `FILE.png within 1`."""
    match = re.fullmatch(r"(\w+\.png) within (\d{1,3})", text.strip())
    if match and reason.strip() and 1 <= int(match[2]) <= pictures.MOST_APART:
        return match[1], int(match[2])
    raise TranscriptError(
        f"{number}: cannot read this header; write # picture: FILE.png within 1 -- REASON, with a number of at most "
        f"{pictures.MOST_APART}"
    )


def serialize(transcript: Transcript) -> str:
    """The file that `parse` reads back."""
    lines = [f"# {name}: {transcript.provenance[name]}" for name in PROVENANCE if name in transcript.provenance]
    lines += [f"# data: {name} {digest}" for name, digest in sorted(transcript.data.items())]
    lines += [f"# varies: {pattern} -- {reason}" for pattern, reason in transcript.varies]
    lines += [f"# device: {pattern} -- {reason}" for pattern, reason in transcript.device]
    lines += [
        f"# factor: {pattern} {'any' if factor == numbers.ANY else f'{factor:g}'} -- {reason}"
        for pattern, factor, reason in transcript.factors
    ]
    lines += [
        f"# picture: {file} within {within} -- {reason}" for file, (within, reason) in transcript.pictures.items()
    ]
    lines += [f"# unordered: {transcript.unordered}"] if transcript.unordered else []
    lines += [line for command in transcript.commands for line in _written(command)]
    return "\n".join(lines) + "\n"


def _written(command: Command) -> list[str]:
    """A command as it stands in the file: no line of its output can be taken for anything else."""
    output = ["\\" + line if _AMBIGUOUS.match(line) else line for line in command.output]
    return [*(f"# {one}" for one in command.filters), *session.lines(replace(command, output=output))]


def differences(recorded: Transcript, found: Transcript) -> list[str]:
    """Where two runs of the same commands differ beyond what may vary; empty if they agree."""
    return [
        difference
        for before, after in zip(recorded.commands, found.commands, strict=True)
        for difference in _command_differences(before, after, recorded)
    ]


def _command_differences(before: Command, after: Command, rules: Transcript) -> list[str]:
    if before.status != after.status:
        meaning = "it no longer fails as shown" if after.status == 0 else "\n    ".join(["it printed:", *after.output])
        return [f"$ {before.text}\n  exit status was {before.status}, is {after.status}: {meaning}"]
    old, new = _comparable(before.output, rules), _comparable(after.output, rules)
    if old == new:
        return []
    rows = []
    for i in range(max(len(old), len(new))):
        was = old[i] if i < len(old) else "(nothing)"
        now = new[i] if i < len(new) else "(nothing)"
        if was != now:
            rows.append(f"  line {i + 1} was: {was}\n  line {i + 1} is:  {now}")
    return [f"$ {before.text}\n" + "\n".join(rows[:8])]


def _comparable(lines: list[str], rules: Transcript) -> list[str]:
    """Lines with everything that may differ replaced; runs of blanks count as one, since widths follow numbers."""
    return [masked for masked, _ in aligned(lines, rules)]


def aligned(lines: list[str], rules: Transcript) -> list[tuple[str, str]]:
    """Each line as it is compared, and with its measured numbers; in the order in which two runs are compared."""
    pairs = []
    for line in lines:
        for pattern, _ in rules.varies:
            line = re.sub(pattern, "*", line)
        pairs.append((re.sub(r"\s+", " ", numbers.masked(line)).rstrip(), line))
    return sorted(pairs) if rules.unordered else pairs
