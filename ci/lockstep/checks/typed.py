"""What an author may type on a page as a block of code, and what has to come from a program or a recording.

Typed code never compiles and typed output was never printed, so both drift from the programs without a sign. A page may
type what has no other source: commands of a shell, CMake, C++ of the host, PTX and SASS fragments, a tree of folders.
"""

import re
from pathlib import Path

from lockstep.programs import declarations
from lockstep.recordings import keys
from lockstep.recordings.transcripts import TranscriptError

CUDA = ("cuda", "cu")
HOST = ("c", "c++", "cpp", "cmake", "python", "make", "json", "toml", "ini", "yaml", "rst")
SHELL = ("console", "bash", "sh", "shell", "text-session")
MACHINE = ("ptx", "sass", "nasm")
TREE = ("", "text", "none", "default")

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
_INSTRUCTION = re.compile(
    r"^\s*(?:(?://|#|/\*|\.).*|[\w$.]+:|[{}]|(?:/\*[0-9a-f]+\*/\s*)?(?:@!?[%\w]+\s+)?[A-Za-z][\w.:]*(?:\s+[^;]*)?;.*)\s*$"
)
_TREE_LINE = re.compile(r"^[\s│├└─|`+-]*[\w.*<>{}-]+/?(?:\s{2,}[^\d~]*|\s+#.*)?$")

_REFUSED = {
    "include": "nothing is included into a page; write it there, or show a program with .. listing::",
    "literalinclude": "show a program with .. listing::, what it printed with .. transcript::",
    "raw": "pages hold no HTML of their own; a directive in docs/_ext/lockstep_sphinx writes it",
    "parsed-literal": "use .. listing:: for code, .. transcript:: for output",
    "only": "every reader sees the same page; remove it",
    "ifconfig": "every reader sees the same page; remove it",
    "highlight": "name the language at each .. code-block::",
    "role": "a role is defined in docs/_ext/lockstep_sphinx, where it has a test",
    "default-role": "name the role",
    "code": "use .. code-block::",
    "sourcecode": "use .. code-block::",
    "doctest": "use .. transcript:: for output",
    "replace": "write the words where they stand",
    "unicode": "write the character where it stands",
    "date": "a page holds no clock",
}
_DIRECTIVE = re.compile(
    rf"(?<![`\w])\.\.\s+(?:\|[^|\n]+\|\s+)?({'|'.join(map(re.escape, _REFUSED))}) ?::(?:\s|$)", re.I
)
_SUBSTITUTION = re.compile(r"(?<![`\w])\.\.\s+\|[^|\n]+\|\s")
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
    lines = [line for line in text.splitlines() if line.strip()]
    first = lines[0].strip() if lines else ""
    if language in CUDA:
        return _cuda(first)
    if language not in (*HOST, *SHELL, *MACHINE, *TREE):
        return f"a block in {language}: pages type {', '.join((*HOST, *SHELL, *MACHINE[:2]))}, or a tree of folders as text"
    for line in lines:
        if _CUDA_CODE.search(line) and language not in MACHINE:
            return _cuda(line.strip())
    if language in SHELL:
        return _shell_problem(language, lines, recorded)
    if language in MACHINE:
        wrong = next((line for line in lines if not _INSTRUCTION.match(line)), "")
        return (
            f'"{wrong.strip()}" is no instruction of {language}; record output, show it with .. transcript::'
            if wrong
            else ""
        )
    for line in lines:
        if _OUTPUT.search(line) or masked(line) in recorded:
            return _output(line)
    if language in TREE:
        wrong = next((line for line in lines if not _TREE_LINE.match(line)), "")
        if wrong:
            return (
                f'"{wrong.strip()}" stands in a block without a language, which may hold a tree of folders only; '
                "commands go into .. code-block:: console, code into a program, output into a recording"
            )
    return ""


def _shell_problem(language: str, lines: list[str], recorded: frozenset[str]) -> str:
    continued = False
    for line in lines:
        if language in ("console", "text-session"):
            if not continued and not line.startswith(("$ ", "# ")):
                return _output(line)
            if _PRINTS_ITS_OUTPUT.match(line):
                return f'"{line.strip()}" prints what it says itself; record a program that prints it'
        elif masked(line) in recorded or _OUTPUT.search(line.partition(" #")[0]):
            return _output(line)
        continued = line.endswith("\\")
    return ""


def _cuda(line: str) -> str:
    return f'CUDA typed by hand: "{line}"; put it into a program and show it with .. listing::'


def _output(line: str) -> str:
    return f'output typed by hand: "{line.strip()}"; record it and show it with .. transcript::'


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
    if _SUBSTITUTION.search(line):
        return "substitutions are refused: write the words where they stand, a number with :measured: or :spec:"
    if _FROM_A_FILE.match(line):
        return "a table from a file is refused; show recorded data with .. chart:: or :measured:"
    return ""
