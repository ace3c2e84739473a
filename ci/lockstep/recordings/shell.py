"""The commands of transcripts: plain lines that a reader types, whose output no text tool has touched.

What a page shows of a tool's output is chosen by declared filters (filters.py).
"""

import re
import shlex

COMMANDS = {
    "nvcc", "ncu", "nsys", "compute-sanitizer", "cuda-gdb", "cuobjdump", "nvdisasm", "nvprune", "nvidia-smi", "mpirun",
    "g++", "readelf", "python3",
    "cat", "cp", "ls", "mkdir", "stat",
}  # fmt: skip
LIBRARIES = "$(dirname $(command -v nvcc))/../lib64"
"""Where the toolkit's libraries lie: the only output of a command that another may use."""


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
    plain = text.replace(LIBRARIES, "lib64")
    if "`" in plain or "$(" in plain:
        return ["takes a word from another command; write the word"]
    lexer = shlex.shlex(plain, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = list(lexer)
    except ValueError as error:
        return [f"cannot be read as a shell command ({error}); close its quotes"]
    return [fault for command in _commands(words) for fault in _faults_of(command)]


def _commands(words: list[str]) -> list[list[str]]:
    """The simple commands, without the variables that they set."""
    commands: list[list[str]] = [[]]
    for word in words:
        if word == "&&":
            commands.append([])
        elif commands[-1] or not (word == "time" or re.match(r"\w+=", word)):
            commands[-1].append(word)
    return commands


def _faults_of(command: list[str]) -> list[str]:
    for word in command:
        if word == ">":
            continue
        if set(word) <= set("();<>|&"):
            return [f"has {word}; write plain commands, joined by &&, and choose what is shown by filters above them"]
    name = command[0] if command else ""
    if name == "python3" and not (command[1:] and re.fullmatch(r"[\w.-]+\.py", command[1])):
        return ["python3 may run a .py file that the program names under SOURCES; name that file"]
    if name in COMMANDS or re.fullmatch(r"\./[\w.+-]+", name):
        return []
    return [f"{name or 'nothing'} is no command of transcripts; ci/lockstep/recordings/shell.py lists them"]
