"""The commands of transcripts: what they print comes from a program, and was not typed into the command.

A command runs the program, a tool of the toolkit, a script beside the program, or a filter of what those printed; `echo` and `printf` label what
another command found, or write a script, whose commands are looked at too.
"""

import re
import shlex
from collections.abc import Iterator

TOOLS = {
    "nvcc", "ncu", "nsys", "compute-sanitizer", "cuda-gdb", "cuobjdump", "nvdisasm", "nvprune", "nvidia-smi", "mpirun",
    "g++", "readelf",
}  # fmt: skip
FILTERS = {"awk", "c++filt", "cat", "cut", "diff", "grep", "head", "paste", "sed", "sort", "tail", "uniq", "wc"}
FILES = {"command", "cp", "dirname", "ls", "mkdir", "stat", "true"}
_PREFIXES = {"do", "then", "else", "if", "while", "until", "time", "!", "{", "xargs"}  # a command may follow these
_ALONE = {"done", "fi", "}", "for", "exit"}
_NEXT = re.compile(r"(?<![<>])[|&;]$|(?<!\()\($")  # the operators after which a command begins; 2>&1 and $(( are none


def refused(transcript: str) -> list[str]:
    """What is wrong with the commands of a transcript, each with the number of its line."""
    return [
        f"{number}: $ {line[2:]}: {fault}"
        for number, line in enumerate(transcript.splitlines(), 1)
        if line.startswith("$ ")
        for fault in faults(line[2:])
    ]


def faults(text: str) -> list[str]:
    """Why a command may not stand in a transcript; empty if it may."""
    if "`" in text:
        return ["holds a backtick; write $(...)"]
    lexer = shlex.shlex(text.replace("\n", ";"), posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = list(lexer)
    except ValueError as error:
        return [f"cannot be read as a shell command ({error}); close its quotes"]
    found = [fault for command in _commands(words) for fault in _faults_of(command)]
    inside = [word.partition("$(")[2] for word in words if "$(" in word]  # a substitution in double quotes
    return found + [fault for part in inside if not part.startswith("(") for fault in faults(part)]


def _commands(words: list[str]) -> Iterator[list[str]]:
    """The simple commands, each with its redirections."""
    now: list[str] = []
    for word in words:
        if _NEXT.search(word) and set(word) <= set("();<>|&"):
            yield now
            now = []
        elif now or not (word in _PREFIXES or re.match(r"\w+\+?=", word)):
            now.append(word)
    yield now


def _faults_of(command: list[str]) -> list[str]:
    if not command or command[0] in _ALONE:
        return []
    name, *rest = command
    if any(word.startswith("<<") for word in rest):
        return ["types its input (<<); let a program print it"]
    if name in ("echo", "printf"):
        if ">" in rest and rest[rest.index(">") - 1] != "2":
            return faults(" ".join(rest[: rest.index(">")]))  # a script
        return [] if "$" in "".join(rest) else [f"{name} prints what the command itself says; let a program print it"]
    if name == "bash":
        script = rest and not rest[0].startswith("-")
        return [] if script else ["bash may run a script that the commands wrote, no other; name its file"]
    if name == "python3":
        named = rest and re.fullmatch(r"[\w.-]+\.py", rest[0])
        return [] if named else ["python3 may run a .py file that the program names under SOURCES; name that file"]
    if name in TOOLS | FILTERS | FILES or re.fullmatch(r"\./[\w.+-]+", name):
        return []
    return [f"{name} is no command of transcripts; ci/lockstep/recordings/shell.py lists them"]
