"""Holds the pages to the field's words: replaced words, titles, and how long a page is.

    python3 ci source language

Three things are checked:

- Words that a reader stumbles over, in pages, comments, labels and messages: `REPLACED` names each with what to write.
- Titles: each holds a term of the glossary or a name of CUDA, so that who searches for the term finds the page.
- Length: a page that teaches has at least 400 words of prose and at most 1,500; the exceptions are named with a reason.

Exit status: 0 all is well, 1 something is not.
"""

import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

from lockstep.files import ROOT
from lockstep.programs import fold

REPLACED: dict[str, str] = {
    r"behind": "after, following; for a cause: name it",
    r"mend(s|ed|ing)?": "fix",
    r"nobody|somebody|everybody": "no thread, a block, every reader: name what acts",
    r"whoever": "if you ...",
    r"(the|this|that|a|each|every|same|newer|older|your) chips?": "the GPU",
    r"(this|that|same|newer|older|your|other) cards?": "the GPU; for the box above a program: its program card",
    r"chevrons?": "the execution configuration",
    r"multipliers?": "FMA pipe, tensor core",
    r"the own": "its own",
    r"takes its time": "measures",
    r"smaller to see": "harder to spot",
    r"reckon(s|ed|ing)?": "compute, count",
    r"in vain": "unused, without effect",
    r"silicon": "hardware; for L1 and shared memory: the same memory",
    r"anew": "again",
    r"save (where|that|when|if)": "except",
    r"brackets? of (a|the) launch": "the execution configuration",
    r"cut between": "carveout",
    r"takes the launch('s|,)": "measures the launch, not the kernel",
    r"tried to the end": "loaded, launched, and its result checked",
    r"turns that (the )?accesses": "wavefronts",
    r"one order for each": "one instruction per tile",
    r"(draws?|drew|drawing) (a|the|its) (higher )?ticket": "takes the next number of a counter",
    r"turns? (its|their|the) wires": "a bus-turnaround penalty",
    r"asks? for nothing": "has no loads in flight",
    r"towards": "toward",
    r"licence(s|d)?": "license",
    r"neighbour(s|ing|hood)?": "neighbor",
    r"colou?ur(s|ed)?|colour(s|ed|ing)?": "color",
    r"behaviour(s)?": "behavior",
    r"favour(s|ed|ite)?": "favor",
    r"optimis(e|es|ed|ing|ation|ations|er)": "optimize, optimization",
    r"(de)?synchronis(e|es|ed|ing|ation|ations)": "synchronize, synchronization",
    r"(initial|serial|parallel|organ|recogn|normal|vector|minim|maxim|util|special|general)is(e|es|ed|ing|ation|ations)": "-ize, -ization",
    r"centre(s|d)?": "center",
    r"analys(e|es|ed)": "analyze",
    r"grey": "gray",
}
"""Words and phrases as regular expressions, each with what to write instead."""

TITLES = {
    "about": "names the site",
    "your_progress": "names what the browser keeps of a reader",
    "index": "names the site",
    "foundations/introduction": "asks the reader's question",
    "programming/cuda_cpp/memory": "names two ways of managing memory in one phrase",
    "reference/headers": "names what only this site has",
    "reference/header_library": "names what only this site has",
    "reference/programs": "is the index of programs",
    "reference/words": "is the glossary",
}
"""Pages whose titles hold no term of the glossary, and why."""

SHORTEST, LONGEST = 400, 1500
LONGEST_LAB = 2000
"""A lab is a whole lesson with its exercises, their hints and the discussion of their solutions."""
LENGTHS = {
    "reference/words": "the glossary",
    "reference/errata": "a list that is searched, not read through",
    "reference/compute_capabilities": "tables that are looked up",
    "reference/apis": "an index that is made from the pages",
    "reference/programs": "an index that is made from the pages",
    "reference/ladder_headers": "a reference that is made from the headers",
    "reference/graphics_headers": "a reference that is made from the headers",
    "reference/header_library": "a reference that is made from the headers",
    "404": "an error page",
}
"""Pages that may be shorter or longer; so may every `index`, and what stands in these folders."""
LISTS = ("reference/programs/", "reference/apis/")
"""Folders of lists that are made from the programs; their titles name what they list."""

_LITERAL = re.compile(
    r"``.+?``|:[a-z:]+:`[^`<]*<[^`]*>`|:(?:doc|ref|api|spec|measured|cpp:\w+|download|kbd)[^`]*`[^`]*`|https?://\S+|<[^>]*>"
)
_OPTION = re.compile(r"\s*:[\w-]+:(?:\s|$)")
_DIRECTIVE = re.compile(r"(\s*)\.\. ([\w-]+)::")
PROSE_INSIDE = frozenset(
    {"note", "tip", "warning", "important", "admonition", "dropdown", "list-table", "seealso", "caution"}
)
_WORDS = [(re.compile(rf"(?<![\w/.-]){words}(?![\w/]|\.\w)", re.I), better) for words, better in REPLACED.items()]


def replaced(text: str) -> Iterator[tuple[str, str]]:
    """The words of a line that have a replacement, with it."""
    for pattern, better in _WORDS:
        for match in pattern.finditer(text):
            yield match[0], better


def prose(page: str) -> list[tuple[int, str]]:
    """The sentences of a page in reStructuredText, line by line with numbers: no code, options, or made parts."""
    found: list[tuple[int, str]] = []
    skipped: list[int] = []  # indentation of the directives that hold no prose
    for number, line in enumerate(page.splitlines(), 1):
        bare = line.strip()
        indent = len(line) - len(line.lstrip())
        if bare:
            while skipped and indent <= skipped[-1]:
                skipped.pop()
        directive = _DIRECTIVE.match(line)
        if directive:
            if directive[2] not in PROSE_INSIDE and not skipped:
                skipped.append(len(directive[1]))
            elif not skipped:
                found.append((number, line[directive.end() :]))
            continue
        if (
            not bare
            or skipped
            or _OPTION.match(line)
            or re.fullmatch(r"([=\-~^\"'#*+.])\1{2,}", bare)
            or bare.startswith(".. ")
        ):
            continue
        found.append((number, line))
    return found


def words(page: str) -> int:
    """How many words of prose a page has."""
    return sum(len(re.findall(r"[^\W_][\w'’-]*", _LITERAL.sub(" x ", line))) for _, line in prose(page))


def title(page: str) -> str:
    """The first heading of a page."""
    lines = page.splitlines()
    for line, under in zip(lines, lines[1:], strict=False):
        if line.strip() and re.fullmatch(r"([=\-~^#*])\1{2,}", under.strip()) and not line.startswith((":", "..", "=")):
            return line.strip()
    return ""


def terms(glossary: str) -> frozenset[str]:
    """The terms of the glossary, in lower case."""
    return frozenset(
        m[1].strip().lower()
        for m in re.finditer(r"^   (\S.*)$", glossary.partition(".. glossary::")[2], re.M)
        if m[1][0] != ":"
    )


def title_fits(text: str, known: frozenset[str]) -> bool:
    """Whether a title holds a term, in singular or plural, or a name of CUDA."""
    whole = re.sub(r"[^\w\s/+-]", " ", text.lower())
    low = f"{whole} | {re.sub(r'[(][^)]*[)] ?', '', text.lower())}"
    forms = {form for term in known for form in (term, f"{term}s", f"{term}es", re.sub("y$", "ies", term))}
    return bool(
        re.search(
            r"\b(cu(da)?[A-Z]\w+|CUDA|nvcc|NVRTC|PTX|GPUs?|compute-sanitizer|cuda-gdb|__\w+|driver API|runtime)\b",
            text,
            re.I,
        )
    ) or any(re.search(rf"(?<![\w-]){re.escape(form)}(?![\w-])", low) for form in forms)


def page_findings(root: Path) -> Iterator[str]:
    """What is wrong with titles, lengths and words of the pages."""
    docs = root / "docs"
    known = terms((docs / "reference/words.rst").read_text(encoding="utf-8"))
    for path in sorted(docs.rglob("*.rst")):
        name = path.relative_to(docs).with_suffix("").as_posix()
        page = path.read_text(encoding="utf-8")
        where = f"docs/{name}.rst"
        heading = title(page)
        if name not in TITLES and not name.startswith(LISTS) and not title_fits(heading, known):
            yield f'{where}:1: the title "{heading}" holds no term of the glossary; use the field\'s term, or add it to the glossary'
        count = words(page)
        free = (
            name in LENGTHS
            or path.stem == "index"
            or name.startswith(("reference/errors/", "reference/guide/", *LISTS))
        )
        longest = LONGEST_LAB if name.startswith("labs/") else LONGEST
        if not free and not SHORTEST <= count <= longest:
            yield f"{where}:1: {count} words of prose; a page has {SHORTEST} to {longest} (exceptions: LENGTHS in {Path(__file__).name})"
        for number, line in enumerate(page.splitlines(), 1):
            if line.startswith(":former-title:"):
                continue
            for word, better in replaced(_LITERAL.sub(" ", line)):
                yield f'{where}:{number}: "{word}": {better}'


def source_findings(root: Path) -> Iterator[str]:
    """Replaced words in the guide's map, in comments and strings of programs and tools, and in documents beside them."""
    for folder, suffixes in (("programs", (".cu", ".cuh", ".hpp", ".h", ".cpp")),):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes:
                where = path.relative_to(root).as_posix()
                line = 1
                for token in fold.tokens(path.read_text(encoding="utf-8")):
                    if token.kind in ("comment", "string"):
                        for i, text in enumerate(token.text.splitlines()):
                            yield from (f'{where}:{line + i}: "{w}": {b}' for w, b in replaced(text))
                    line += token.text.count("\n")
    for folder in ("ci/lockstep", "docs/_ext"):
        for path in sorted((root / folder).rglob("*.py")):
            if path != Path(__file__).resolve():
                yield from _python_findings(path, path.relative_to(root).as_posix())
    for path in sorted((root / "docs/reference/guide_map").glob("*.toml")):
        where = path.relative_to(root).as_posix()
        for number, said in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if said.startswith("text ="):
                yield from (f'{where}:{number}: "{w}": {b}' for w, b in replaced(_LITERAL.sub(" ", said)))
    for kind in ("figures/*.py", "*.claims", "_static/**/*.js", "_ext/**/*.js"):
        for path in sorted((root / "docs").glob(f"**/{kind}")):
            where = path.relative_to(root).as_posix()
            for number, said in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield from (f'{where}:{number}: "{w}": {b}' for w, b in replaced(said))
    for name in ("README.md", "CONTRIBUTING.md", "Makefile", "CMakeLists.txt", "programs/emulator/README.md"):
        if (root / name).exists():
            for number, said in enumerate((root / name).read_text(encoding="utf-8").splitlines(), 1):
                yield from (f'{name}:{number}: "{w}": {b}' for w, b in replaced(re.sub("`[^`]*`", " ", said)))


def _python_findings(path: Path, where: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING) or token.type == getattr(tokenize, "FSTRING_MIDDLE", -1):
            for i, text in enumerate(token.string.splitlines()):
                yield from (f'{where}:{token.start[0] + i}: "{w}": {b}' for w, b in replaced(text))


def main(arguments: list[str]) -> int:
    """The command; returns its exit status."""
    if arguments:
        print("language: takes no arguments", file=sys.stderr)
        return 2
    found = [*page_findings(ROOT), *source_findings(ROOT)]
    for finding in found:
        print(finding)
    if found:
        print(f"language: {len(found)} to rewrite")
    return 1 if found else 0
