"""Compares what programs and headers include with what they name.

    python3 ci source includes [--fix]

A file includes the header of each name that it uses, of the C++ library and of the project's headers, and no header of
which it uses nothing. What another header brings along may be gone tomorrow, so it does not count, unless that header
says that it gives the name on: `#include <lockstep/check.hpp>  // IWYU pragma: export`. Clang's own include cleaner is
not used, since it does not follow CUDA's launches and device functions.

Exit status: 0 all includes fit, 1 some do not.
"""

import argparse
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lockstep.files import ROOT, write
from lockstep.programs import sources as texts

FOLDERS = ("programs", "ci/tests/headers")
SUFFIXES = (".cu", ".cuh", ".cpp", ".hpp")
NAMESPACE = "lockstep"
LEFT_OUT = ("programs/emulator",)
"""The emulator has headers of the same names as CUDA's; what reaches it is decided by its folders."""

STANDARD: dict[str, str] = {
    "algorithm": r"sort|stable_sort|find(_if(_not)?)?|fill(_n)?|min|max|minmax|count(_if)?|copy(_n|_if)?|equal|clamp|generate(_n)?"
    r"|transform|nth_element|m(in|ax|inmax)_element|all_of|any_of|none_of|is_sorted|lower_bound|upper_bound|reverse|rotate"
    r"|unique|shuffle|max|adjacent_find|mismatch|for_each|replace|remove_if|is_permutation|swap_ranges",
    "array": r"array",
    "atomic": r"atomic(_\w+)?|memory_order(_\w+)?",
    "charconv": r"from_chars|to_chars",
    "chrono": r"chrono",
    "cmath": r"fabs|sqrt|isnan|isfinite|isinf|pow|floor|ceil|exp|log|log2|log10|fmod|hypot|l?lround|round|sin|cos|tan|fma|ldexp|nextafter"
    r"|fmax|fmin|trunc|cbrt|erf|tanh|lrint|nearbyint|remainder|signbit|copysign",
    "condition_variable": r"condition_variable(_any)?",
    "cstdint": r"u?int(_fast|_least)?\d+_t|u?intptr_t|u?intmax_t",
    "cstdio": r"v?[fs]?n?printf|f(open|close|puts|putc|flush|gets|getc|read|write|seek|tell)|puts|putchar|FILE|rename|tmpfile|perror|[fs]?scanf|setvbuf",
    "cstdlib": r"exit|_Exit|quick_exit|at_quick_exit|strto\w+|ato[fil]|getenv|abort|atexit|rand|srand|system|aligned_alloc",
    "cstring": r"(str|mem)(pbrk|dup|ndup|tok|coll|signal|cmp|ncmp|cpy|ncpy|set|move|chr|rchr|str|len|cat|error|spn|cspn)",
    "deque": r"deque",
    "exception": r"exception|terminate|current_exception|exception_ptr",
    "fstream": r"[io]?fstream",
    "functional": r"function|plus|minus|multiplies|less|greater|reference_wrapper|c?ref|hash|bit_(and|or|xor)|invoke|equal_to",
    "future": r"future|promise|async|packaged_task",
    "initializer_list": r"initializer_list",
    "iterator": r"back_inserter|distance|advance|next|prev",
    "limits": r"numeric_limits",
    "map": r"(multi)?map",
    "memory": r"(unique|shared|weak)_ptr|make_(unique|shared)|default_delete|addressof|align",
    "mutex": r"(recursive_|timed_)?mutex|lock_guard|unique_lock|scoped_lock|call_once|once_flag",
    "numeric": r"accumulate|iota|partial_sum|inclusive_scan|exclusive_scan|gcd|lcm|inner_product|reduce",
    "optional": r"optional|nullopt",
    "random": r"mt19937(_64)?|uniform_(int|real)_distribution|normal_distribution|minstd_rand",
    "set": r"(multi)?set",
    "span": r"span",
    "sstream": r"[io]?stringstream",
    "stdexcept": r"runtime_error|logic_error|invalid_argument|out_of_range",
    "string": r"string|to_string|getline|sto(i|u?ll?|f|d)|char_traits",
    "string_view": r"string_view",
    "thread": r"thread|this_thread|jthread",
    "tuple": r"tuple|tie|make_tuple|forward_as_tuple|apply",
    "type_traits": r"is_\w+_v|is_(same|void|integral|floating_point|arithmetic|const|convertible|constructible)\w*|enable_if\w*|remove_\w+_t|conditional\w*|decay\w*"
    r"|invoke_result\w*|make_(un)?signed\w*|void_t|integral_constant|true_type|false_type|underlying_type\w*|is_invocable\w*|type_identity\w*",
    "unordered_map": r"unordered_map",
    "utility": r"move|forward|exchange|swap|pair|make_pair|declval|index_sequence\w*|make_index_sequence|integer_sequence|as_const|in_range",
    "vector": r"vector|swap",  # it has a swap of its own
}
"""Which names of `std` each header of the C++ library is included for."""
PLAIN: dict[str, str] = {
    "cassert": r"assert",
    "cfloat": r"(FLT|DBL)_[A-Z_0-9]+",
    "climits": r"U?(INT|LONG|LLONG|CHAR|SHRT)_(MAX|MIN)|CHAR_BIT",
    "cstddef": r"offsetof",
    "cstdint": r"u?int(_fast|_least)?\d+_t|u?intptr_t|u?intmax_t|U?INT\d+_(MAX|MIN)|SIZE_MAX",
    "cstdio": r"printf|std(out|err|in)|EOF",
    "cstdlib": r"EXIT_\w+|setenv|unsetenv|mkstemp",
}
"""Macros and types that are named without `std::`; `printf` is the one of kernels."""
TRACKED = frozenset({*STANDARD, *PLAIN})
RETURNED = {"lockstep/device_buffer.hpp": frozenset({"vector"})}
"""Headers whose functions return a type of the C++ library: who calls them need not include it."""
HAVE_SIZE_T = frozenset({"cstdio", "cstdlib", "cstring"})
"""Headers that define `std::size_t` as well, by the standard."""
_EXPORT = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>]+)>[ \t]*//[ \t]*IWYU pragma: export", re.M)
_NAME = r"(?!(?:class|const|noexcept|alignas|decltype|namespace|lockstep)$)[a-z]\w*"
_HIDDEN = re.compile(r"^[ \t]*//\|[ ]?", re.M)  # what a starter or mutant of an exercise holds


@dataclass(frozen=True)
class Finding:
    """A header too many, or one too few; `reason` is a name that needs it."""

    header: str
    line: int  # 1-based, of the include or of the name
    reason: str = ""

    def text(self, where: str) -> str:
        if self.reason:
            return f"{where}:{self.line}: {self.reason} is of <{self.header}>; include it"
        return f"{where}:{self.line}: nothing of <{self.header}> is used; remove the line"


def given_by(headers: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The project's headers that define each name."""
    found: dict[str, set[str]] = {}
    for header, text in headers.items():
        for name in _defined(text):
            found.setdefault(name, set()).add(header)
        for macro in re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M):
            found.setdefault(macro, set()).add(header)
    return {name: frozenset(these) for name, these in found.items()}


def _defined(text: str) -> set[str]:
    """The names of types, functions and constants that a header defines in the project's namespace."""
    words = [token.text for token in texts.significant(text)]
    found, depth, inside = set(), 0, False  # inside: past the name that a declaration introduces
    for word, after in zip(words, [*words[1:], ""], strict=True):
        depth += (word in "{(") - (word in "})")
        if depth == 1 and word in (";", "}", "{"):
            inside = False
        elif depth == 1 and not inside and after in ("(", "=", "{", ";", ":") and re.fullmatch(_NAME, word):
            found.add(word)
            inside = True
    return found


def exports(headers: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The headers that a project header gives on, and those that these give on."""
    direct = {header: set(_EXPORT.findall(text)) for header, text in headers.items()}
    found: dict[str, frozenset[str]] = {}
    for header in headers:
        reached: set[str] = set()
        queue = [header]
        while queue:
            for other in direct.get(queue.pop(), ()):
                if other not in reached:
                    reached.add(other)
                    queue.append(other)
        found[header] = frozenset(reached)
    return found


def _names(text: str) -> dict[str, tuple[str, int]]:
    """Names of a text by their spelling: `std::sort`, `lockstep::check` or plain; each with its scope and first line."""
    found: dict[str, tuple[str, int]] = {}
    line = 1
    last: list[texts.Token] = []
    for token in texts.tokens(text):
        if token.kind == "word" or (token.kind == "directive" and "include" not in token.text):
            for word in re.findall(r"[A-Za-z_]\w*", token.text):
                qualified = token.kind == "word" and len(last) > 1 and last[-1].text == "::"
                scope = last[-2].text if qualified else ""
                if qualified and [t.text for t in last[:2]] == ["cuda", "::"]:
                    scope = "cuda::std"
                member = token.kind == "word" and bool(last) and last[-1].text in (".", "->")
                if not member:
                    found.setdefault(f"{scope}::{word}" if scope else word, (scope, line))
        if token.kind not in ("space", "comment"):
            last = [*last[-3:], token]
        line += token.text.count("\n")
    return found


def _direct(text: str) -> dict[str, int]:
    """What a text includes, without brackets, with the lines."""
    pattern = re.compile(r'[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]')
    return {m[1]: i for i, line in enumerate(text.splitlines(), 1) if (m := pattern.match(line))}


def findings(text: str, given: Mapping[str, frozenset[str]], exported: Mapping[str, frozenset[str]]) -> list[Finding]:
    """Headers that a program or header does not need, and those that it lacks."""
    direct = _direct(text)
    reached = {other for header in direct for other in (header, *exported.get(header, ()), *RETURNED.get(header, ()))}
    names = _names(text)
    also = _names(_HIDDEN.sub("", text))
    inside = "namespace lockstep" in text
    needed: dict[str, Finding] = {}
    used: set[str] = set()

    for spelling, (scope, line) in also.items():
        word = spelling.rpartition("::")[2]
        givers: set[str] = set()
        if scope == "std":
            givers = {header for header, pattern in STANDARD.items() if re.fullmatch(pattern, word)}
            givers |= {"cstddef", *HAVE_SIZE_T} if word == "size_t" else set()
            givers |= {"cstddef"} if word in ("ptrdiff_t", "byte", "max_align_t", "nullptr_t") else set()
        elif not scope:
            givers = {header for header, pattern in PLAIN.items() if re.fullmatch(pattern, word)}
            used |= {"cstddef"} if word in ("size_t", "ptrdiff_t") else set()
        ours = given.get(word, frozenset()) if scope == NAMESPACE or (inside and not scope) else frozenset()
        if not scope and word.isupper():
            ours |= given.get(word, frozenset())
        used |= (givers - HAVE_SIZE_T if word == "size_t" else givers) | ours
        if spelling in names and givers and not givers & reached:
            header = "cstddef" if "cstddef" in givers else min(givers)
            needed.setdefault(header, Finding(header, line, spelling))
        if spelling in names and scope == NAMESPACE and ours and not ours & reached:
            header = min(ours)
            needed.setdefault(header, Finding(header, line, spelling))
    # A header that gives another one on is used when that one is.
    used |= {header for header in direct if exported.get(header, frozenset()) & used}
    vain = [
        Finding(header, line)
        for header, line in direct.items()
        if header not in used and (header in TRACKED or header in exported) and f"<{header}>  //" not in text
    ]
    return [*vain, *needed.values()]


def fixed(text: str, found: Iterable[Finding]) -> str:
    """A text without the includes that it does not need, and with those that it lacks; clang-format sorts them."""
    found = list(found)
    vain = {finding.line for finding in found if not finding.reason}
    lines = [line for i, line in enumerate(text.splitlines(), 1) if i not in vain]
    for finding in found:
        if finding.reason:
            _insert(lines, finding.header)
    return "\n".join(lines) + "\n"


def _insert(lines: list[str], header: str) -> None:
    """Puts an include beside those of its kind, or where that kind stands: C++'s first, then CUDA's, then the project's."""
    group = re.compile(r"#include <lockstep/" if header.startswith("lockstep/") else r"#include <[a-z_]+>")
    includes = [i for i, line in enumerate(lines) if line.startswith("#include")]
    same = [i for i in includes if group.match(lines[i])]
    if same:
        lines.insert(same[-1] + 1, f"#include <{header}>")
    elif header.startswith("lockstep/"):
        place = includes[-1] + 1 if includes else len(lines)
        lines[place:place] = ["", f"#include <{header}>"]
    else:
        place = includes[0] if includes else len(lines)
        lines[place:place] = [f"#include <{header}>", ""]


def project_headers(root: Path = ROOT) -> dict[str, str]:
    """The texts of the project's headers by the name under which programs include them."""
    folder = root / "programs" / "include"
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.hpp"))
    }


def sources(root: Path = ROOT) -> list[Path]:
    """The programs and headers that are looked at."""
    return [
        path
        for folder in FOLDERS
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in SUFFIXES and not path.relative_to(root).as_posix().startswith(LEFT_OUT)
    ]


def main(arguments: list[str]) -> int:
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="ci includes", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--fix", action="store_true", help="write the includes that fit; run `make format` then")
    parsed = parser.parse_args(arguments)
    headers = project_headers()
    given, exported = given_by(headers), exports(headers)
    count = 0
    for path in sources():
        text = path.read_text(encoding="utf-8")
        found = findings(text, given, exported)
        if parsed.fix and found:
            write(path, fixed(text, found))
            continue
        for finding in found:
            print(finding.text(path.relative_to(ROOT).as_posix()))
        count += len(found)
    if count:
        print(f"includes: {count} to fix; python3 ci source includes --fix does most")
    return 1 if count else 0
