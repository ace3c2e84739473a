"""What an author may type on a page as a block of code, and what has to come from a program or a recording.

Typed code never compiles and typed output was never printed, so both drift from the programs without a sign. A page may
type what has no other source: commands of a shell, CMake, C++ of the host, PTX and SASS fragments, a tree of folders.
CUDA and output are never typed.
"""

import re
from pathlib import Path

from lockstep.programs import declarations
from lockstep.recordings import keys
from lockstep.recordings.transcripts import TranscriptError

CUDA = ("cuda", "cu")
CONSOLE = ("console", "text-session")
SHELL = ("bash", "sh", "shell")
MACHINE = ("ptx", "sass", "nasm")

_CUDA_CODE = re.compile(
    r"__(?:global|device|shared|constant|managed|host|grid_constant|launch_bounds)__|<<<[^>\n]*>>>"
    r"|\b(?:cuda[A-Z]\w+|cu[A-Z][a-z]\w+|cublas\w+|nvrtc[A-Z]\w+|nccl[A-Z]\w+)\s*\("
    r"|\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize|__syncthreads|__syncwarp|__\w+_sync)\b"
    r"|\b(?:cooperative_groups|cg)::|\bcuda::|\bnvcuda::"
)
_UNIT = r"(?:[kKMGT]?i?B(?:/s)?|[kMGT]?(?:FLOP|flop)s?/?s?|[nuµμm]?s|[kMG]?Hz|cycles?|bytes?|%|GPUs?|registers?|times)"
_OUTPUT = re.compile(
    r"(?<![\w/~])~[-+]?\d"  # a measured number
    rf"|^\s*\S.*?\s{{2,}}~?[-+]?\d[\d.,e+-]*(?:\s*{_UNIT})?\s*$"  # a label, blanks, a value
    rf"|^[A-Za-z][\w ,/()-]*[\s:=]\s*~?[-+]?\d[\d.,]*\s*{_UNIT}\s*$"  # a label, a number, its unit
    r"|\b(?:error|warning|note)\b\s*(?:\w*#[\w-]+|\w+)?\s*:|^=+ |^==\w+==|\[exit status|^ptxas info"
    r"|Segmentation fault|core dumped|^Aborted\b|illegal memory access",
    re.I,
)
_PRINTS_ITS_OUTPUT = re.compile(r"^\$\s*(?:echo|printf|cat\s*<<)\b")

_REFUSED = {
    "include": "nothing is included into a page; write it there, or show a program with .. listing::",
    "literalinclude": "show a program with .. listing::, what it printed with .. transcript::",
    "raw": "pages hold no HTML of their own; a directive in docs/_ext/lockstep_sphinx writes it",
    "parsed-literal": "use .. listing:: for code, .. transcript:: for output",
    "replace": "write the words where they stand, a number with :measured: or :spec:",
}
_DIRECTIVE = re.compile(
    rf"(?<![`\w])\.\.\s+(?:\|[^|\n]+\|\s+)?({'|'.join(map(re.escape, _REFUSED))}) ?::(?:\s|$)", re.I
)
_FROM_A_FILE = re.compile(r"^\s+:(?:file|url):\s")


def masked(line: str) -> str:
    """A line of output without what may differ: its numbers and blanks."""
    return " ".join(re.sub(r"\d[\d.,]*", "#", line.replace("~", "")).split()).lower()


def recorded_lines(root: Path) -> frozenset[str]:
    """All lines that any recorded command printed, masked; those that say something, with a word in them."""
    found: set[str] = set()
    for program in declarations.load(root).values():
        try:
            commands = keys.load(program).commands
        except TranscriptError:
            continue  # `fresh` says so
        found.update(masked(line) for command in commands for line in command.output)
    return frozenset(line for line in found if len(line) >= 8 and re.search(r"[a-z]{3}", line))


def block_problem(language: str, text: str, recorded: frozenset[str] = frozenset()) -> str:
    """What is wrong with a block that an author typed, with the cure; empty if nothing is."""
    continued = False
    for line in filter(str.strip, text.splitlines()):
        if language in CUDA or (language not in MACHINE and _CUDA_CODE.search(line)):
            return f'CUDA typed by hand: "{line.strip()}"; put it into a program and show it with .. listing::'
        if language in CONSOLE:
            if _PRINTS_ITS_OUTPUT.match(line):
                return f'"{line.strip()}" prints what it says itself; record a program that prints it'
            printed = not continued and not line.startswith(("$ ", "# "))
        else:
            said = line.partition(" #")[0] if language in SHELL else line
            printed = bool(_OUTPUT.search(said)) or masked(line) in recorded
        if printed:
            return f'output typed by hand: "{line.strip()}"; record it and show it with .. transcript::'
        continued = line.endswith("\\")
    return ""


def source_problems(docs: Path) -> list[str]:
    """Ways around a listing or a transcript, found in the pages' sources."""
    return [
        f"{path.relative_to(docs.parent)}:{number}: {problem}"
        for path in sorted(docs.rglob("*.rst"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (problem := _line_problem(line))
    ]


def _line_problem(line: str) -> str:
    if match := _DIRECTIVE.search(line):
        name = match[1].lower()
        return f".. {name}:: is refused: {_REFUSED[name]}"
    if _FROM_A_FILE.match(line):
        return "a table from a file is refused; show recorded data with .. chart:: or :measured:"
    return ""
