"""The commands of transcripts: that what they print comes from a program, and was not typed into the command.

A command runs the program, a tool of the toolkit, or a filter that selects, reorders or counts what those printed.
`echo` and `printf` may label what another command found; text of theirs that goes to a file is a script, and is read as one.
"""

import re
import shlex
from dataclasses import dataclass, field

TOOLS = {
    "nvcc", "ncu", "nsys", "compute-sanitizer", "cuda-gdb", "cuobjdump", "nvdisasm", "nvprune", "nvidia-smi", "mpirun",
    "g++", "readelf",
}  # fmt: skip
FILTERS = {
    "awk", "c++filt", "cat", "cmp", "cut", "diff", "grep", "head", "paste", "sed", "sort", "tail", "tr", "uniq", "wc",
    "xargs",
}  # fmt: skip
FILES = {"basename", "bash", "command", "cp", "dirname", "ls", "mkdir", "mv", "rm", "stat", "touch", "true", "false"}
LABELS = {"echo", "printf"}
_BEFORE = {"do", "then", "else", "if", "while", "until", "time", "!", "{"}  # a command may follow these
_ALONE = {"done", "fi", "}", "for", "exit"}
_ASSIGNMENT = re.compile(r"\w+\+?=")
_PROGRAM = re.compile(r"\./[\w.+-]+$")
_TYPED_LINE = "lockstep probe 7f3a"


@dataclass
class Simple:
    """One simple command: its words as typed, and where its output goes."""

    words: list[str] = field(default_factory=list)
    to_file: bool = False
    typed_input: bool = False


def refused(transcript: str) -> list[str]:
    """What is wrong with the commands of a transcript, each with the number of its line."""
    lines = enumerate(transcript.splitlines(), 1)
    return [
        f"{number}: $ {line[2:]}: {fault}"
        for number, line in lines
        if line.startswith("$ ")
        for fault in faults(line[2:])
    ]


def faults(text: str) -> list[str]:
    """Why a command may not stand in a transcript; empty if it may."""
    try:
        return [fault for command in simple_commands(text) for fault in _faults_of(command)]
    except ValueError as error:
        return [f"cannot be read as a shell command ({error}); close its quotes and parentheses"]


def _faults_of(command: Simple) -> list[str]:
    words = list(command.words)
    while words and (words[0] in _BEFORE or _ASSIGNMENT.match(words[0])):
        words.pop(0)
    if command.typed_input:
        return ["types its input (<<); let a program print it"]
    if not words or words[0] in _ALONE:
        return []
    name = words[0]
    if _PROGRAM.match(name) or name in TOOLS:
        return []
    if name in LABELS:
        text = " ".join(words[1:])
        if command.to_file:
            return faults("\n".join(_plain(word) for word in words[1:] if not _plain(word).startswith("-")))
        return [] if _expands(text) else [f"{name} prints what the command itself says; let a program print it"]
    if name not in FILTERS | FILES:
        return [f"{name} is no command of transcripts; ci/lockstep/recordings/shell.py lists them"]
    if name == "bash" and (len(words) == 1 or words[1].startswith("-")):
        return ["bash may run a script that the commands wrote, no other; name its file"]
    if name == "awk":
        return [fault for script in _scripts(words, "-F", "-v") for fault in _awk_faults(script)]
    if name == "sed":
        return [fault for script in _scripts(words) for fault in _sed_faults(script)]
    if name == "xargs":
        rest = [word for word in words[1:] if not word.startswith("-") and not word.isdigit()]
        return _faults_of(Simple(rest)) if rest else []
    return []


def _expands(text: str) -> bool:
    """Whether the shell puts something into a text."""
    return bool(re.search(r"\$[\w({?@*#]|`", re.sub(r"'[^']*'|\\.", "", text)))


def _plain(word: str) -> str:
    """A word without its quotes."""
    try:
        return "".join(shlex.split(word))
    except ValueError:
        return word


def _scripts(words: list[str], *with_value: str) -> list[str]:
    """The scripts among a filter's words: those after -e, or the first that is no option."""
    named = [_plain(words[i + 1]) for i, word in enumerate(words[:-1]) if word == "-e"]
    rest = iter(words[1:])
    for word in rest:
        if word in with_value:
            next(rest, None)
        elif not word.startswith("-"):
            return named or [_plain(word)]
    return named


def _awk_faults(script: str) -> list[str]:
    found = []
    bare = re.sub(r'"(?:\\.|[^"\\])*"', '""', script)
    for statement in re.findall(r"\bprintf?\b([^;}\n]*)", bare):
        if statement.strip() and not re.search(r"[A-Za-z_$]", statement):
            found.append(f"awk prints a constant ({statement.strip() or 'nothing'}); let a program print it")
    if re.search(r"\bBEGIN\b[^}]*\bprint", bare):
        found.append("awk prints before it reads (BEGIN); let a program print it")
    return found


def _sed_faults(script: str) -> list[str]:
    found = []
    if re.search(r"(?:^|[;\n}/\d$ ])[aic]\\", script):
        found.append("sed adds lines (a, i, c); let a program print them")
    for match in re.finditer(r"(?:^|[;\n{} /\d$])s([/,|#!@])((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1", script):
        pattern, text = match[2], match[3]
        try:
            whole = re.fullmatch(pattern.removeprefix("^").removesuffix("$"), _TYPED_LINE)
        except re.error:
            whole = None
        if whole and text and not re.search(r"&|\\\d", text):
            found.append("sed replaces any line by a constant; let a program print it")
    return found


def simple_commands(text: str) -> list[Simple]:
    """The simple commands of a shell text, those in substitutions too; raises ValueError where it is not closed."""
    found: list[Simple] = []
    now = Simple()
    word, started = "", False
    target = False  # the next word is where output goes, or whence input comes

    def end_word() -> None:
        nonlocal word, started, target
        if started and not target:
            now.words.append(word)
        target = target and not started
        word, started = "", False

    def end_command() -> None:
        nonlocal now
        end_word()
        if now.words or now.typed_input:
            found.append(now)
        now = Simple()

    i = 0
    while i < len(text):
        c = text[i]
        if c == "#" and not started:
            i = text.find("\n", i) if "\n" in text[i:] else len(text)
        elif c in " \t":
            end_word()
            i += 1
        elif c in ";|()\n" or (c == "&" and not text.startswith("&>", i)):
            end_command()
            i += 1
        elif c in "<>" or text.startswith("&>", i):
            fd = word if word.isdigit() else ""
            if fd:
                word, started = "", False
            end_word()
            operator = re.match(r"&?[<>]+(?:&\d)?", text[i:])
            assert operator
            now.typed_input |= operator[0].startswith("<<")
            i += len(operator[0])
            if "&" not in operator[0].lstrip("&") and text[i : i + 1] != "(":  # <(...) is a command of its own
                target = True
                now.to_file |= ">" in operator[0] and fd != "2"
        else:
            end = _end_of_piece(text, i)
            piece = text[i:end]
            for inner in _substitutions(piece):
                found += simple_commands(inner)
            word, started, i = word + piece, True, end
    end_command()
    return found


def _end_of_piece(text: str, i: int) -> int:
    """Where a quoted text, a substitution or a single character that begins at i ends."""
    if text[i] == "\\":
        return min(i + 2, len(text))
    if text[i] == "'":
        return text.index("'", i + 1) + 1
    if text[i] == "`":
        return text.index("`", i + 1) + 1
    if text[i] == '"':
        j = i + 1
        while text[j : j + 1] != '"':
            if j >= len(text):
                raise ValueError("a quote is open")
            j = _end_of_piece(text, j) if text[j] != "'" else j + 1
        return j + 1
    if text.startswith("$(", i):
        j = i + 2
        depth = 1
        while depth:
            if j >= len(text):
                raise ValueError("a parenthesis is open")
            depth += {"(": 1, ")": -1}.get(text[j], 0)
            j = j + 1 if text[j] in "()" else _end_of_piece(text, j)
        return j
    return i + 1


def _substitutions(piece: str) -> list[str]:
    """The commands that a piece of a word holds in $(...) or backticks; those of arithmetic too."""
    if piece[0] == "'" or len(piece) < 2:
        return []
    if piece[0] == "`":
        return [piece[1:-1]]
    if piece.startswith("$(") and not piece.startswith("$(("):
        return [piece[2:-1]]
    found, i = [], 1
    while i < len(piece) - 1:
        end = _end_of_piece(piece, i) if piece[i] not in "'\"" else i + 1
        found += _substitutions(piece[i:end]) if piece[i] in "$`" else []
        i = end
    return found
