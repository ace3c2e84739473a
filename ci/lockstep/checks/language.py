"""Holds pages, comments, labels and messages to the field's words.

    python3 ci source language

`REPLACED` names each word that a reader stumbles over, with what to write; one of them is a finding. How long a page is,
and whether its title holds a term that readers search for, is printed as advice and fails nothing.

Exit status: 0 no such word, 1 there is one.
"""

import argparse
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

from lockstep import page_fields
from lockstep.files import ROOT
from lockstep.programs import sources

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

SHORTEST, LONGEST = 400, 1500  # words of prose on a page that teaches

Lines = Iterator[tuple[int, str]]  # the words in a file that a reader reads, with the number of each line

_LITERAL = re.compile(
    r"``.+?``|:[a-z:]+:`[^`<]*<[^`]*>`|:(?:doc|ref|api|spec|measured|cpp:\w+|download|kbd)[^`]*`[^`]*`|https?://\S+|<[^>]*>"
)
_OPTION = re.compile(r"\s*:[\w-]+:(?:\s|$)")
_DIRECTIVE = re.compile(r"(\s*)\.\. ([\w-]+)::")
_UNDERLINE = re.compile(r"([=\-~^\"'#*+.])\1{2,}")
PROSE_INSIDE = frozenset(
    {"note", "tip", "warning", "important", "admonition", "dropdown", "list-table", "seealso", "caution"}
)
_WORDS = [(re.compile(rf"(?<![\w/.-]){words}(?![\w/]|\.\w)", re.I), better) for words, better in REPLACED.items()]


def replaced(text: str) -> Iterator[tuple[str, str]]:
    """The words of a line that have a replacement, with it."""
    for pattern, better in _WORDS:
        for match in pattern.finditer(text):
            yield match[0], better


# -- where words stand ---------------------------------------------------------------------------------------------------


def plain(text: str) -> Lines:
    """All lines."""
    yield from enumerate(text.splitlines(), 1)


def below_fields(text: str) -> Lines:
    """The lines of a page below the fields at its top: what readers call things is not ours to choose."""
    first = page_fields.top(text).count("\n")
    yield from ((number, line) for number, line in plain(text) if number > first)


def marked_up(text: str) -> Lines:
    """The lines of a page or a document without literals and links."""
    for number, line in below_fields(text):
        yield number, re.sub(r"`[^`]*`", " ", _LITERAL.sub(" ", line))


def facts(text: str) -> Lines:
    """The sentences of the guide's map."""
    yield from ((number, line) for number, line in marked_up(text) if line.startswith("text ="))


def cpp(text: str) -> Lines:
    """The comments and strings of C++, and its directives, which may end in a comment."""
    line = 1
    for token in sources.tokens(text):
        if token.kind in ("comment", "string", "directive"):
            yield from enumerate(token.text.splitlines(), line)
        line += token.text.count("\n")


def python(text: str) -> Lines:
    """The comments and strings of Python."""
    middle = getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING, middle):
            yield from enumerate(token.string.splitlines(), token.start[0])


PLACES: dict[str, Callable[[str], Lines]] = {
    "docs/**/*.rst": marked_up,
    "*.md": marked_up,
    "programs/emulator/*.md": marked_up,
    "Makefile": marked_up,
    "CMakeLists.txt": marked_up,
    "docs/reference/*.toml": marked_up,
    "docs/reference/apis/*.toml": plain,
    "docs/reference/guide_map/*.toml": facts,
    "programs/**/*.cu": cpp,
    "programs/**/*.cpp": cpp,
    "programs/**/*.hpp": cpp,
    "programs/**/*.cuh": cpp,
    "programs/**/*.h": cpp,
    "ci/lockstep/**/*.py": python,
    "docs/_ext/**/*.py": python,
    "docs/**/figures/*.py": plain,
    "docs/**/*.claims": plain,
    "docs/**/*.js": plain,
}
"""The files that are read, and what of each."""


def findings(root: Path) -> Iterator[str]:
    """Each word of the project that is to be replaced."""
    for pattern, lines in PLACES.items():
        for path in sorted(root.glob(pattern)):
            if path.resolve() == Path(__file__).resolve():
                continue
            for number, line in lines(path.read_text(encoding="utf-8")):
                for word, better in replaced(line):
                    yield f'{path.relative_to(root)}:{number}: "{word}": {better}'


# -- advice --------------------------------------------------------------------------------------------------------------


def prose(page: str) -> list[tuple[int, str]]:
    """The sentences of a page in reStructuredText, line by line with numbers: no code, options, or made parts."""
    found: list[tuple[int, str]] = []
    skipped: list[int] = []  # indentation of the directives that hold no prose
    for number, line in below_fields(page):
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
        if not bare or skipped or _OPTION.match(line) or _UNDERLINE.fullmatch(bare) or bare.startswith(".. "):
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
        if line.strip() and _UNDERLINE.fullmatch(under.strip()) and not line.startswith((":", "..", "=")):
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


def advice(root: Path) -> Iterator[str]:
    """Pages that teach and are short or long, and titles that no reader would search for."""
    docs = root / "docs"
    known = terms((docs / "reference/words.rst").read_text(encoding="utf-8"))
    for path in sorted(docs.rglob("*.rst")):
        name = path.relative_to(root)
        if path.stem == "index" or name.parts[1] in ("reference", name.name):
            continue  # lists, and pages about the site
        page = path.read_text(encoding="utf-8")
        if not title_fits(title(page), known):
            yield f'{name}:1: the title "{title(page)}" holds no term of the glossary'
        if not SHORTEST <= (count := words(page)) <= LONGEST:
            yield f"{name}:1: {count} words of prose; most pages have {SHORTEST} to {LONGEST}"


def main(argv: list[str]) -> int:
    argparse.ArgumentParser(prog="source language", description=(__doc__ or "").split("\n")[0]).parse_args(argv)
    for line in advice(ROOT):
        print(f"advice: {line}")
    found = list(findings(ROOT))
    print("\n".join([*found, f"language: {len(found)} to rewrite"] if found else ["no word is to be replaced"]))
    return 1 if found else 0
