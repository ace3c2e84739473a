"""Single-file downloads: a program with the excerpt of the project's headers that it uses.

A header is cut into its definitions. Those that the program names, and those that these name in turn, go into the
download, in front of the first definition of the program that needs them; all else stays out. Of an overloaded function
only the overloads are kept that a call can mean, as far as the types of its arguments are evident from the text; of a
class, only the member functions whose names occur. Where a call stands, one file tells by the line alone. The result is
checked by compiling it: `python3 ci program downloads`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

NAMESPACE = "lockstep"
GUARD = "LOCKSTEP_HELPERS"
INTRODUCTION = "// helpers from the project's headers, not the subject of this program"
WIDTH = 88
JOINED_WIDTH = 120

_TOKEN = re.compile(
    r"""
    (?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<raw>(?:u8|[uUL])?R"(?P<fence>[^(\s"\\]*)\(.*?\)(?P=fence)")
  | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|['\w.])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<newline>\n)
  | (?P<space>[ \t\r\f]+|\\\n)
  | (?P<sign>::|->|.)
    """,
    re.X | re.S | re.M,
)
_INCLUDE = re.compile(r'[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]')
_BRIEF = re.compile(r"(.*?[.:!?])(?:\s|$)")
_CLASS_WORDS = {"class", "struct", "union", "enum"}
_PLACE = re.compile(r"const char\* file = __builtin_FILE\(\),\s*(?=int line = )")  # a function is told of its call's
_TOLD_PLACE = re.compile(r"""((?:\\n"|\bstop_at\([^;]*),\s*)file(?=,\s*line\b)""")  # where both are printed
_PASSED_PLACE = re.compile(r"\bfile,\s*(?=line\b)")
_MEMBER = re.compile(r" {4}(?! |using |typedef )[\w:<>*&, ]+ \w+(?: = [^;(){}]+)?;")  # of a class, with data
_TAKES_PARENTHESES = {
    "__attribute__", "alignas", "__align__", "__launch_bounds__", "__cluster_dims__", "decltype", "noexcept",
    "__declspec", "__maxnreg__",
}  # fmt: skip


@dataclass(frozen=True)
class Token:
    """A piece of a source that cannot be cut further."""

    kind: str
    text: str

    @property
    def blank(self) -> bool:
        return self.kind in ("space", "newline")


@dataclass(frozen=True)
class Unit:
    """What stands by itself in a source: an include, another directive, a comment, or a definition with its comment.

    `lead` and `code` together with all other units' give the source again. `inner` are the tokens between the braces of
    a namespace or a class; `before` and `after` what encloses them.
    """

    kind: str  # comment, include, directive, namespace, class, access, definition
    lead: str
    tokens: tuple[Token, ...]

    @property
    def code(self) -> str:
        return "".join(token.text for token in self.tokens)

    @property
    def text(self) -> str:
        return self.lead + self.code

    @cached_property
    def included(self) -> str:
        """What an include names, with its brackets."""
        match = _INCLUDE.match(self.code)
        if not match:
            return ""
        return f"<{match[2]}>" if match[1] == "<" else f'"{match[2]}"'


@cache
def tokens(text: str) -> tuple[Token, ...]:
    """A source as tokens; together they are the source."""
    return tuple(Token(match.lastgroup or "sign", match[0]) for match in _raw(text))


def _raw(text: str) -> Iterator[re.Match[str]]:
    yield from _TOKEN.finditer(text)


def significant(found: Iterable[Token]) -> list[Token]:
    """Without blanks, comments and directives."""
    return [token for token in found if token.kind in ("word", "sign", "string", "raw", "number")]


# ---- cutting a source into units


def units(found: Sequence[Token]) -> list[Unit]:
    """The units of a source, a namespace or a class, in order."""
    result: list[Unit] = []
    i = 0
    while i < len(found):
        begin = i
        i, lead_end = _skip_lead(found, i)
        if lead_end < i:  # a comment that a blank line sets apart
            result.append(Unit("comment", "", tuple(found[begin:i])))
            continue
        lead = "".join(token.text for token in found[begin:lead_end])
        if i == len(found):
            if lead:
                result.append(Unit("comment", "", tuple(found[begin:i])))
            break
        end, kind = _end_of_unit(found, i)
        end = _through_the_line(found, end)
        result.append(Unit(kind, lead, tuple(found[i:end])))
        i = end
    return result


def _skip_lead(found: Sequence[Token], i: int) -> tuple[int, int]:
    """Past blanks and comments; second, the same, but less if a blank line sets the comment apart."""
    comment = False
    newlines = 0
    while i < len(found):
        token = found[i]
        if token.kind == "newline":
            newlines += 1
            if comment and newlines == 2:
                return i + 1, i
        elif token.kind == "comment":
            comment, newlines = True, 0
        elif token.kind != "space":
            break
        i += 1
    return i, i


def _through_the_line(found: Sequence[Token], i: int) -> int:
    """Past the comment on the same line and the line's end, if nothing else follows there."""
    j = i
    while j < len(found) and found[j].kind in ("space", "comment"):
        j += 1
    if j == len(found):
        return j
    return j + 1 if found[j].kind == "newline" else i


def _end_of_unit(found: Sequence[Token], i: int) -> tuple[int, str]:
    if found[i].kind == "directive":
        return _end_of_directive(found, i)
    head = [token.text for token in significant(found[i : i + 12])]
    if head[:1] and head[0] in ("public", "private", "protected") and head[1:2] == [":"]:
        while found[i].text != ":":
            i += 1
        return i + 1, "access"
    kind = "definition"
    if "namespace" in head[:2] and "=" not in head[:4] and head[0] != "using":
        kind = "namespace"
    elif _is_class(found, i):
        kind = "class"
    depth = 0
    for j in range(i, len(found)):
        text = found[j].text if found[j].kind == "sign" else ""
        if text in ("(", "[", "{"):
            depth += 1
        elif text in (")", "]", "}"):
            depth -= 1
            if text == "}" and depth == 0:
                following = next((t.text for t in significant(found[j + 1 : j + 40])), "")
                if kind == "namespace":
                    return j + 1, kind
                if kind == "definition" and following not in (";", ",", "{", "(", "."):
                    return j + 1, kind
        elif text == ";" and depth == 0:
            return j + 1, kind
    return len(found), kind


def _end_of_directive(found: Sequence[Token], i: int) -> tuple[int, str]:
    words = re.match(r"[ \t]*#[ \t]*(\w*)", found[i].text)
    word = words[1] if words else ""
    if word == "include":
        return i + 1, "include"
    if not word.startswith("if"):
        return i + 1, "directive"
    depth = 0
    for j in range(i, len(found)):
        if found[j].kind != "directive":
            continue
        directive = found[j].text.lstrip().lstrip("#").lstrip()
        if directive.startswith("if"):
            depth += 1
        elif directive.startswith("endif"):
            depth -= 1
            if depth == 0:
                return j + 1, "directive"
    return len(found), "directive"


def _is_class(found: Sequence[Token], i: int) -> bool:
    """Whether a definition is that of a class or an enumeration."""
    head = _head(found[i:])
    words = [token.text for token in head if token.text not in ("inline", "static", "typedef", "const", "constexpr")]
    return bool(words) and words[0] in _CLASS_WORDS and not any(word in ("(", "=") for word in words)


def _head(found: Iterable[Token]) -> list[Token]:
    """A definition's tokens before its body or value, without template parameters and attributes."""
    head: list[Token] = []
    rest = []
    for token in found:
        if token.kind == "directive" or token.blank or token.kind == "comment":
            continue
        if token.text in ("{", ";") and token.kind == "sign":
            rest.append(token)
            break
        rest.append(token)
    i = 0
    while i < len(rest):
        text = rest[i].text
        after = rest[i + 1].text if i + 1 < len(rest) else ""
        if text == "template" and after == "<":
            i = _past(rest, i + 1, "<", ">")
        elif text in _TAKES_PARENTHESES and after == "(":
            i = _past(rest, i + 1, "(", ")")
        elif text == "[" and after == "[":
            i = _past(rest, i, "[", "]")
        elif text == "extern" and rest[i + 1 : i + 2] and rest[i + 1].kind == "string":
            i += 2
        else:
            head.append(rest[i])
            i += 1
    return head[:-1] if head and head[-1].text in ("{", ";") else head


def _past(found: Sequence[Token], i: int, opening: str, closing: str) -> int:
    depth = 0
    for j in range(i, len(found)):
        if found[j].text == opening:
            depth += 1
        elif found[j].text == closing:
            depth -= 1
            if depth == 0:
                return j + 1
    return len(found)


# ---- what a definition is called, and what it names


def names(unit: Unit) -> frozenset[str]:
    """What a unit defines. An operator is called `operator`; a member defined outside of its class, as that class."""
    if unit.kind == "directive":
        return _directive_names(unit)
    head = _head(unit.tokens)
    words = [token.text for token in head]
    if not words:
        return frozenset()
    if unit.kind == "class":
        return _class_names(unit, head)
    if words[0] == "using" or (words[0] == "namespace" and "=" in words):
        before = words[: words.index("=")] if "=" in words else words
        return frozenset(before[-1:])
    if words[0] == "static_assert":
        return frozenset(["static_assert"])
    if words[0] == "typedef":
        pointer = re.search(r"\( \* (\w+) \)", " ".join(words))
        return frozenset([pointer[1]] if pointer else words[-1:])
    if "operator" in words[: words.index("(") + 1 if "(" in words else len(words)]:
        return frozenset(["operator"])
    depth = 0
    for i, word in enumerate(words):
        if word == "<" and i and head[i - 1].kind == "word":
            depth += 1
        elif word == ">" and depth:
            depth -= 1
        elif depth == 0 and word in ("(", "=", "["):
            return frozenset([_outermost(words, i - 1)])
    last = next((i for i in range(len(head) - 1, -1, -1) if head[i].kind == "word"), None)
    return frozenset() if last is None else frozenset([words[last]])


def _outermost(words: Sequence[str], i: int) -> str:
    while i >= 2 and words[i - 1] == "::":
        i -= 2
        if words[i] == ">":
            while i and words[i] != "<":
                i -= 1
            i -= 1
    return words[i]


def _directive_names(unit: Unit) -> frozenset[str]:
    found = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", unit.code, re.M))
    inner = [token for token in unit.tokens if token.kind != "directive"]
    if len(inner) < len(unit.tokens):
        for part in units(inner):
            found |= names(part) if part.kind in ("class", "definition") else set()
    return frozenset(found)


def _class_names(unit: Unit, head: Sequence[Token]) -> frozenset[str]:
    words = [token.text for token in head]
    after = words[next(i for i, word in enumerate(words) if word in _CLASS_WORDS) + 1 :]
    if "class" in after[:1] or "struct" in after[:1]:
        after = after[1:]
    name = [word for word in after[:1] if re.match(r"\w", word)]
    if "enum" in words and not ({"class", "struct"} & set(words)):
        inside = significant(unit.tokens)
        texts = [token.text for token in inside]
        body = inside[texts.index("{") :] if "{" in texts else []
        name += [
            b.text for a, b in zip(body, body[1:], strict=False) if a.text in ("{", ",") and b.kind == "word"
        ]  # fmt: skip
    return frozenset(name)


@dataclass(frozen=True)
class Uses:
    """The identifiers of some text: plain ones, those qualified as the library's, and those of members."""

    plain: frozenset[str]
    qualified: frozenset[str]
    members: frozenset[str]
    called: frozenset[str]
    methods: frozenset[str]  # members that are called
    sizes: frozenset[str]  # what `size` is asked of, as far as that is a name; else empty


def uses(found: Iterable[Token]) -> Uses:
    """Which identifiers a text holds, comments and strings aside."""
    expanded: list[Token] = []
    for token in found:
        if token.kind == "directive" and not _INCLUDE.match(token.text):
            expanded += significant(tokens(token.text.replace("#", " ", 1)))
        else:
            expanded += significant([token])
    plain: set[str] = set()
    qualified: set[str] = set()
    members: set[str] = set()
    called: set[str] = set()
    methods: set[str] = set()
    sizes: set[str] = set()
    for i, token in enumerate(expanded):
        if token.kind != "word":
            continue
        before = expanded[i - 1].text if i else ""
        after = expanded[i + 1].text if i + 1 < len(expanded) else ""
        if before in (".", "->", "template"):
            members.add(token.text)
            if after in ("(", "<"):
                methods.add(token.text)
                if token.text == "size":
                    alone = i > 1 and (i < 3 or expanded[i - 3].text not in (".", "->", "::"))
                    sizes.add(expanded[i - 2].text if alone and expanded[i - 2].kind == "word" else "")
        elif before == "::":
            scope = expanded[i - 2].text if i > 1 else ""
            (qualified if scope == NAMESPACE else members).add(token.text)
            if i > 3 and (expanded[i - 4].text, expanded[i - 3].text) == (NAMESPACE, "::") and after == "(":
                methods.add(token.text)  # a static one
        else:
            plain.add(token.text)
            if after == "(" or (after == "<" and _calls_template(expanded, i + 1)):
                called.add(token.text)
    return Uses(*map(frozenset, (plain, qualified, members, called, methods, sizes)))


def _calls_template(found: Sequence[Token], i: int) -> bool:
    """Whether arguments of a template begin here, and those of a call follow: `<int>(`."""
    near = found[i : i + 13]
    end = _past(near, 0, "<", ">")
    whole = not {";", "{", "}", "(", "&&", "||"} & {token.text for token in near[:end]}
    return whole and end < len(near) and near[end].text == "("


# ---- the types of arguments, as far as they are evident

_TYPES = {
    "bool": "bool", "char": "char", "int": "int", "unsigned": "unsigned", "unsigned int": "unsigned", "long": "long",
    "short": "short", "long int": "long", "long long": "long long", "long long int": "long long",
    "unsigned long": "unsigned long", "unsigned long int": "unsigned long", "unsigned long long": "unsigned long long",
    "size_t": "unsigned long", "uint64_t": "unsigned long", "int64_t": "long", "uint32_t": "unsigned",
    "int32_t": "int", "ptrdiff_t": "long", "float": "float", "double": "double", "char*": "char*",
    "uint8_t": "unsigned char", "uint16_t": "unsigned short", "unsigned char": "unsigned char",
}  # fmt: skip
VECTOR = "a vector"
# Fields of cudaDeviceProp and cudaFuncAttributes that hold whole numbers; which type matters to no overload.
_FIELD = re.compile(
    r"max[A-Z]\w+|regsPer\w+|(reserved)?sharedMemPer\w+|sharedSizeBytes|localSizeBytes|l2CacheSize|warpSize|numRegs"
    r"|multiProcessorCount|totalConstMem|totalGlobalMem|binaryVersion|ptxVersion|memoryBusWidth"
)
_RANK = ["int", "unsigned", "long", "unsigned long", "long long", "unsigned long long", "float", "double"]
_PROMOTED = {"char": "int", "short": "int", "unsigned char": "int", "unsigned short": "int", "float": "double"}
_BASE = r"(?:std::)?(?:unsigned long long|long long|unsigned long|unsigned int|unsigned|long|short|int|bool|char|size_t|u?int\d+_t|ptrdiff_t|float|double)"
_DECLARED = re.compile(
    rf"(?<![\w:<])((?:const )?{_BASE}(?: const)?)(?:\s*(\*)\s*|\s+&?|\s*&\s*)(\w+)\s*(?=[;=,)({{\[:])"
)
_VECTOR = re.compile(r"(?:std::)?vector<([\w: *]+)>&?\s+(\w+)")
_MADE_VECTOR = re.compile(r"(?:std::)?vector<[\w:*]+>[({]")
_AUTO = re.compile(r"\bauto\s+(\w+)\s*=\s*([^;]*);")
_STATUS = (
    (re.compile(r"cuda[A-Z]\w*"), "cudaError_t"),
    (re.compile(r"cublas[A-Z]\w*"), "cublasStatus_t"),
    (re.compile(r"nccl[A-Z]\w*"), "ncclResult_t"),
    (re.compile(r"nvrtc[A-Z]\w*"), "nvrtcResult"),
    (re.compile(r"nvJitLink[A-Z]\w*"), "nvJitLinkResult"),
    (re.compile(r"cupti[A-Z]\w*"), "CUptiResult"),
    (re.compile(r"cusparse[A-Z]\w*"), "cusparseStatus_t"),
    (re.compile(r"cufft[A-Z]\w*"), "cufftResult"),
    (re.compile(r"curand[A-Z]\w*"), "curandStatus_t"),
    (re.compile(r"nvml[A-Z]\w*"), "nvmlReturn_t"),
    (re.compile(r"cu[A-Z]\w*"), "CUresult"),
)


def canonical(text: str) -> str:
    """A type without const, reference and `std::`, under one name."""
    words = re.sub(r"\b(const|constexpr|volatile|static|inline)\b|\bstd::|\blockstep::|&", " ", text).split()
    joined = " ".join(words).replace(" *", "*")
    return _TYPES.get(joined, joined)


class Types:
    """What a text says about the types of its names; a name with two types has none."""

    def __init__(self, text: str):
        self.known: dict[str, str | None] = {}
        self.elements: dict[str, str | None] = {}
        plain = "".join(" " if t.kind in ("comment", "directive") else t.text for t in tokens(text))
        for kind, pointer, name in _DECLARED.findall(plain):
            self._note(self.known, name, canonical(kind + pointer))
        for kind, name in _VECTOR.findall(plain):
            self._note(self.elements, name, canonical(kind))
        for name, value in _AUTO.findall(plain):
            self._note(self.known, name, self.of(value))

    @staticmethod
    def _note(table: dict[str, str | None], name: str, kind: str | None) -> None:
        table[name] = kind if table.get(name, kind) == kind else None

    def of(self, expression: str) -> str | None:
        """The type of an expression, if it is evident."""
        found = significant(tokens(expression.strip()))
        return self._of(found)

    def _of(self, found: list[Token]) -> str | None:
        if not found:
            return None
        if _MADE_VECTOR.match("".join(token.text for token in found)) and found[-1].text in (")", "}"):
            return VECTOR
        for signs in (
            ("?",),
            ("||",),
            ("&&",),
            ("==", "!=", "<=", ">=", "<", ">"),
            ("<<", ">>"),
            ("+", "-"),
            ("*", "/", "%"),
        ):
            split = _split_at(found, signs)
            if split is None:
                continue
            left, sign, right = split
            if sign == "?":
                branches = _split_at(right, (":",))
                if branches is None:
                    return None
                kinds = self._of(branches[0]), self._of(branches[2])
                return kinds[0] if kinds[0] == kinds[1] else _arithmetic(*kinds)
            if sign in ("||", "&&", "==", "!=", "<=", ">=", "<", ">"):
                return "bool"
            return _arithmetic(self._of(left), "int" if sign in ("<<", ">>") else self._of(right))
        return self._primary(found)

    def _primary(self, found: list[Token]) -> str | None:
        first, text = found[0], found[0].text
        if first.kind == "string" and all(token.kind == "string" for token in found):
            return "char*" if text.startswith('"') else "char"
        if first.kind == "number" and len(found) == 1:
            return _literal(text)
        if text == "!":
            return "bool"
        if text == "*" and len(found) == 2:
            kind = self.known.get(found[1].text) or ""
            return _pointee(kind) if kind.endswith("*") else None
        if text == "-" and len(found) > 1:
            return self._primary(found[1:])
        if text == "(" and _past(found, 0, "(", ")") == len(found):
            return self._of(found[1:-1])
        if text in ("true", "false") and len(found) == 1:
            return "bool"
        if text in ("static_cast", "reinterpret_cast"):
            end = _past(found, 1, "<", ">")
            if _past(found, end, "(", ")") == len(found):
                return canonical(_spaced(found[2 : end - 1]))
            return None
        if text == "sizeof":
            return "unsigned long"
        return self._named(found)

    def _named(self, found: list[Token]) -> str | None:
        i = 0
        while i < len(found) and (found[i].kind == "word" or found[i].text == "::"):
            i += 1
        name, rest = found[:i], found[i:]
        if not name:
            return None
        spelled = _spaced(name).replace(" :: ", "::")
        if rest and rest[0].text in ("{", "("):
            closing = "}" if rest[0].text == "{" else ")"
            if _past(rest, 0, rest[0].text, closing) == len(rest):
                if canonical(spelled) in _RANK or canonical(spelled) == "bool":
                    return canonical(spelled)
                for pattern, status in _STATUS:
                    if rest[0].text == "(" and pattern.fullmatch(spelled):
                        return {"cudaGetErrorName": "char*", "cudaGetErrorString": "char*"}.get(spelled, status)
                if rest[0].text == "{" and spelled.startswith(NAMESPACE):
                    return canonical(spelled)
                if rest[0].text == "{" or spelled.startswith(NAMESPACE):
                    return self.known.get(name[-1].text) or (canonical(spelled) if rest[0].text == "{" else None)
                return self.known.get(name[-1].text) if len(name) == 1 else None
            return self._member(found)
        if not rest:
            if spelled in self.elements:  # one that is something else in another function has two types, so none
                return None if spelled in self.known else VECTOR
            return self.known.get(spelled)
        if rest[0].text == "[" and _past(rest, 0, "[", "]") == len(rest):
            return self.elements.get(spelled) or _pointee(self.known.get(spelled))
        return self._member(found)

    def _member(self, found: list[Token]) -> str | None:
        """The type of `a.b` or `a.b()`, for members that have the same type in all classes."""
        depth = 0
        for i in range(len(found) - 1, -1, -1):
            text = found[i].text
            depth += (text in (")", "]")) - (text in ("(", "["))
            if depth == 0 and text in (".", "->"):
                rest = found[i + 1 :]
                if len(rest) > 1 and (rest[1].text != "(" or _past(rest, 1, "(", ")") != len(rest)):
                    return None
                if rest[0].text in ("size", "length") and len(rest) > 1:
                    return "unsigned long"
                if rest[0].text in ("c_str", "what"):
                    return "char*"
                if len(rest) == 1 and _FIELD.fullmatch(rest[0].text):
                    return "int"
                return self.known.get(rest[0].text)
        return None


def _pointee(kind: str | None) -> str | None:
    """The type of an element of an array or of what a pointer points to, of which only the type of its element is noted."""
    kind = (kind or "").removesuffix("*")
    return kind if kind in _ARITHMETIC else None


def _spaced(found: Sequence[Token]) -> str:
    return " ".join(token.text for token in found)


def _split_at(found: list[Token], signs: tuple[str, ...]) -> tuple[list[Token], str, list[Token]] | None:
    """Both sides of the last (of `?` and `:` the first) such operator outside of brackets."""
    depth = angles = 0
    best: tuple[int, int, str] | None = None
    i = 0
    while i < len(found):
        text = found[i].text if found[i].kind == "sign" else ""
        two = text + (found[i + 1].text if i + 1 < len(found) and found[i + 1].kind == "sign" else "")
        if text in ("(", "[", "{"):
            depth += 1
        elif text in (")", "]", "}"):
            depth -= 1
        elif text == "<" and i and found[i - 1].text.endswith("_cast"):
            i = _past(found, i, "<", ">")
            continue
        elif depth == 0 and angles == 0 and i and text:
            wide = two if two in ("||", "&&", "==", "!=", "<=", ">=", "<<", ">>") else text
            unary = found[i - 1].kind == "sign" and found[i - 1].text not in (")", "]", "}")
            if wide in signs and not unary and (best is None or signs not in (("?",), (":",))):
                best = (i, len(wide), wide)
            i += len(wide) - 1 if len(wide) == 2 else 0
        i += 1
    if best is None:
        return None
    at, width, sign = best
    return found[:at], sign, found[at + width :]


def _literal(text: str) -> str:
    lower = text.lower().replace("'", "")
    if not lower.startswith("0x") and re.search(r"[.e]", lower) or (lower.startswith("0x") and "p" in lower):
        return "float" if lower.endswith("f") else "double"
    suffix = re.sub(r"^(0x[0-9a-f]+|0b[01]+|[0-9]+)", "", lower)
    kind = {"": "int", "u": "unsigned", "l": "long", "ll": "long long", "ul": "unsigned long"}.get(
        suffix, "unsigned long long"
    )
    digits = lower[: len(lower) - len(suffix)] if suffix else lower
    if kind == "int" and int(digits, 0 if digits.startswith("0x") or digits.startswith("0b") else 10) > 2**31 - 1:
        return "long"
    return kind


def _arithmetic(left: str | None, right: str | None) -> str | None:
    left = _PROMOTED.get(left or "", left) if left != "float" else left
    right = _PROMOTED.get(right or "", right) if right != "float" else right
    left = "int" if left == "bool" else left
    right = "int" if right == "bool" else right
    if "double" in (left, right):
        return "double" if {left, right} <= {*_RANK} else None
    if left in _RANK and right in _RANK:
        return max(left, right, key=_RANK.index)
    return None


# ---- helpers


@dataclass
class Helper:
    """One definition of a header, at the place `order` among all."""

    unit: Unit
    scopes: tuple[str, ...]
    header: str
    order: int
    names: frozenset[str] = frozenset()
    members: list["Member"] = field(default_factory=list)

    @property
    def overloaded(self) -> bool:
        return self.unit.kind == "definition"

    @cached_property
    def parameters(self) -> list[tuple[str, bool]] | None:
        """Type of each parameter of a function, and whether it has a default; None for what is no function."""
        return parameters(self.unit)

    @cached_property
    def types(self) -> Types:
        return Types(self.unit.code)


@dataclass
class Member:
    """One unit of a class body; `name` of a member function that may be left out, else empty.

    A constructor that may be left out is called as its class.
    """

    unit: Unit
    name: str


def parameters(unit: Unit) -> list[tuple[str, bool]] | None:
    """Types of a function's parameters, and whether each has a default value."""
    head = _head(unit.tokens)
    words = [token.text for token in head]
    if unit.kind != "definition" or "(" not in words or ("=" in words and words.index("=") < words.index("(")):
        return None
    begin = words.index("(")
    inside = head[begin + 1 : _past(head, begin, "(", ")") - 1]
    found = []
    for part in _commas(inside):
        texts = [token.text for token in part]
        default = "=" in texts
        texts = texts[: texts.index("=")] if default else texts
        if not texts:
            continue
        if len(texts) > 1 and re.match(r"[A-Za-z_]", texts[-1]) and texts[-1] not in _TYPES and texts[-2] != "::":
            texts = texts[:-1]
        found.append((canonical(" ".join(texts).replace(" :: ", "::")), default))
    return found


def _commas(found: Sequence[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in found:
        if token.kind == "sign":
            depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


_BEFORE_A_CALL = {"return", "else", "do", "throw", "case", "co_return", "co_yield", "co_await"}


def calls(found: Iterable[Token], name: str) -> Iterator[list[list[Token]] | None]:
    """The arguments of each call of a function; None where it is named without being called."""
    sequence = significant(found)
    for i, token in enumerate(sequence):
        if token.text != name or token.kind != "word" or (i and sequence[i - 1].text in (".", "->")):
            continue
        if i > 1 and sequence[i - 1].text == "::" and sequence[i - 2].text != NAMESPACE:
            continue
        if i and sequence[i - 1].kind == "word" and sequence[i - 1].text not in _BEFORE_A_CALL:
            continue  # this declares the function
        if i + 1 < len(sequence) and sequence[i + 1].text == "(":
            yield _commas(sequence[i + 2 : _past(sequence, i + 1, "(", ")") - 1])
        else:
            yield None


def possible(overloads: Sequence[Helper], arguments: list[list[Token]] | None, types: Types) -> list[Helper]:
    """The overloads that a call can mean."""
    if arguments is None:
        return list(overloads)
    viable = []
    for overload in overloads:
        wanted = overload.parameters
        if wanted is None:
            return list(overloads)
        least = sum(not default for _, default in wanted)
        if least <= len(arguments) <= len(wanted) or any("..." in kind for kind, _ in wanted):
            viable.append(overload)
    for place, argument in enumerate(arguments):
        kind = types.of(_spaced(argument))
        for wish in (kind, _PROMOTED.get(kind or "")):
            if not wish:
                continue
            at_place = [(o, (o.parameters or [])[place][0]) for o in viable if place < len(o.parameters or [])]
            exact = [o for o, parameter in at_place if parameter == wish]
            exact = exact or [o for o, parameter in at_place if _deduced(o.unit, parameter, wish)]
            if exact:
                viable = exact
                break
    return viable or list(overloads)


_INTEGRAL = {"bool", "char", "short", "unsigned char", "unsigned short", *_RANK} - {"float", "double"}


def _deduced(unit: Unit, parameter: str, kind: str) -> bool:
    """Whether a function template that is for whole numbers alone takes an argument of a type by its own name T."""
    template = re.match(rf"template <(class|typename) {parameter}\b[^;{{]*?is_integral_v<{parameter}>>>\s", unit.code)
    return bool(parameter) and kind in _INTEGRAL and bool(template)


def _classes(helper: Helper) -> set[str]:
    """The types of a function's parameters that are a single word: no text that does not name one can pass one."""
    return {kind for kind, _ in helper.parameters or [] if re.fullmatch(r"[a-z]\w*", kind) and kind not in _ARITHMETIC}


def by_line(header: str) -> str:
    """A header for a file that holds all there is: of the place of a call, its functions pass on the line alone."""
    found = ""
    while match := _PLACE.search(header):
        end = _end_of_function(header, match.end())
        inside = _TOLD_PLACE.sub(r"\1__FILE__", header[match.end() : end])
        found += header[: match.start()] + _PASSED_PLACE.sub("", inside)
        header = header[end:]
    return found + header


def _end_of_function(text: str, place: int) -> int:
    """Where a function ends that has one of its parameters at a place: past its body, or its `;`."""
    depth = 0
    for sign in re.finditer(r"[{};]", text[place:]):
        depth += (sign[0] == "{") - (sign[0] == "}")
        if depth == 0:
            return place + sign.end()
    return len(text)


def cut(headers: Mapping[str, str]) -> list[Helper]:
    """All definitions of some headers, in their order."""
    found: list[Helper] = []
    for header, text in headers.items():
        for unit, scopes in _walk(units(tokens(text)), ()):
            helper = Helper(unit, scopes, header, len(found), names(unit))
            if unit.kind == "class":
                helper.members = _members(unit, next(iter(helper.names), ""))
            found.append(helper)
    return found


def _walk(found: Iterable[Unit], scopes: tuple[str, ...]) -> Iterator[tuple[Unit, tuple[str, ...]]]:
    for unit in found:
        if unit.kind == "namespace":
            head, inside, _ = _open(unit)
            yield from _walk(units(inside), (*scopes, _namespace_name(head)))
        elif (
            unit.kind in ("class", "definition")
            or unit.kind == "directive"
            and not re.match(r"[ \t]*#[ \t]*pragma once", unit.code)
        ):
            yield unit, scopes


def _namespace_name(head: Sequence[Token]) -> str:
    words = [token.text for token in significant(head) if token.text not in ("inline", "namespace", "{")]
    return "".join(words)


def _open(unit: Unit) -> tuple[list[Token], list[Token], list[Token]]:
    """A unit before, inside and after its first braces."""
    begin = next(i for i, token in enumerate(unit.tokens) if token.text == "{" and token.kind == "sign")
    end = _past(unit.tokens, begin, "{", "}")
    return list(unit.tokens[: begin + 1]), list(unit.tokens[begin + 1 : end - 1]), list(unit.tokens[end - 1 :])


def _members(unit: Unit, name: str) -> list[Member]:
    texts = [token.text for token in unit.tokens]
    if "enum" in texts[:1] or "{" not in texts:
        return []
    found = []
    for inner in units(_open(unit)[1]):
        own = names(inner) if inner.kind == "definition" else frozenset()
        called = next(iter(own), "")
        words = [token.text for token in _head(inner.tokens)]
        function = inner.kind == "definition" and parameters(inner) is not None and words[:1] != ["friend"]
        stays = not function or called == "operator" or {"~", "virtual", "delete"} & {*words, *inner.code.split()}
        found.append(Member(inner, "" if stays or _is_copy(inner, name) else called))
    return found


def _is_copy(unit: Unit, name: str) -> bool:
    """Whether a constructor copies or deletes, and so must stay with its class."""
    wanted = parameters(unit) or []
    words = [token.text for token in _head(unit.tokens)]
    takes_own = len(wanted) == 1 and bool(re.match(rf"{name}\b", wanted[0][0])) and name in words[:2]
    return takes_own and words.count("&") < 2


def is_move(unit: Unit, name: str) -> bool:
    """Whether a member is a move constructor."""
    words = [token.text for token in _head(unit.tokens)]
    return words[:2] == [name, "("] and "&" in words and words[words.index("&") + 1 : words.index("&") + 2] == ["&"]


_MOVES = re.compile(r"\bstd::(move|swap|forward)\b|\bemplace|\bpush_back\(lockstep")
_ARITHMETIC = {*_RANK, "bool", "char", "short", "unsigned char", "unsigned short"}


def constructions(found: Iterable[Token], name: str) -> Iterator[list[list[Token]] | None]:
    """The arguments of each construction of a class; None for a mention that may stand for any of them."""
    sequence = significant(found)
    for i, token in enumerate(sequence):
        if token.text != name or token.kind != "word":
            continue
        if i == 0 or sequence[i - 1].text in (".", "->", "class", "struct", "~", "explicit", "constexpr", "]"):
            continue  # no construction, or the head of a constructor
        j = i + 1
        if j < len(sequence) and sequence[j].text == "<":
            j = _past(sequence, j, "<", ">")
        while j < len(sequence) and sequence[j].text == "const":
            j += 1
        if j < len(sequence) and sequence[j].text in ("&", "*"):
            continue
        declares = j < len(sequence) and sequence[j].kind == "word"
        j += declares
        if j >= len(sequence) or sequence[j].text not in ("(", "{"):
            yield None  # also a member of a class, which a list of initializers elsewhere constructs
        while j < len(sequence) and sequence[j].text in ("(", "{"):
            end = _past(sequence, j, sequence[j].text, ")" if sequence[j].text == "(" else "}")
            yield _commas(sequence[j + 1 : end - 1])
            if not (declares and end < len(sequence) and sequence[end].text == ","):
                break
            j = end + 2  # past the comma and the name of what is declared next


def constructible(unit: Unit, arguments: list[list[Token]] | None, types: Types) -> bool:
    """Whether a constructor may be meant by a construction."""
    wanted = parameters(unit)
    if arguments is None or wanted is None:
        return True
    if not sum(not default for _, default in wanted) <= len(arguments) <= len(wanted):
        return False
    for (parameter, _), argument in zip(wanted, arguments, strict=False):
        kind = types.of(_spaced(argument))
        if kind in _ARITHMETIC and "vector" in parameter:
            return False
        if kind == VECTOR and parameter in _ARITHMETIC:
            return False
    return True


@dataclass
class Excerpt:
    """What a program needs of the headers: the helpers, and the member functions left in each class."""

    helpers: list[Helper]
    dropped: set[int]  # id() of units of members left out

    def tokens(self, helper: Helper) -> list[Token]:
        """What is left of a helper, comments on lines of their own aside."""
        if not helper.members:
            return list(helper.unit.tokens)
        head, _, tail = _open(helper.unit)
        inside: list[Token] = [Token("newline", "\n")]
        for member in helper.members:
            if id(member.unit) not in self.dropped:
                blank = member.unit.lead.rpartition("\n")[2]
                inside += [*([Token("space", blank)] if blank.isspace() else []), *member.unit.tokens]
        return [*head, *inside, *tail]


def needed(program: str, helpers: Sequence[Helper], extra: Iterable[str] = ()) -> Excerpt:
    """The helpers that a program uses, directly or by way of others, with what is used of each class."""
    known: dict[str, list[Helper]] = {}
    for helper in helpers:
        for name in helper.names:
            known.setdefault(name, []).append(helper)
    own = uses(tokens(program))
    types = Types(program)
    for helper in helpers:  # members and functions of the library, with the type that they give
        for name, kind in helper.types.known.items():
            if helper.unit.kind == "class" or name in helper.names:
                types.known.setdefault(name, kind)
    wanted = (own.qualified | set(extra)) & set(known)
    if re.search(rf"using namespace {NAMESPACE}\b|namespace {NAMESPACE} *{{", program):
        wanted |= own.plain & set(known)
    else:
        wanted |= {n for n in own.called & set(known) if not re.search(rf"\w[\w>*&]*\s+\*?{n}\s*\(", program)}
    taken: dict[int, Helper] = {}
    members: dict[int, Unit] = {}
    queue: list[tuple[tuple[Token, ...], Types]] = [(tokens(program), types)]

    def take(name: str, found: Sequence[Token], kinds: Types) -> None:
        overloads = known[name]
        chosen = overloads
        if len(overloads) > 1 and all(o.parameters is not None for o in overloads):
            told = uses(found)
            here = told.plain | told.qualified | told.members
            able = [o for o in overloads if _classes(o) & set(known) <= here] or overloads
            meant = [o for call in calls(found, name) for o in possible(able, call, kinds)]
            chosen = [o for o in overloads if o in meant]
        for helper in chosen:
            if helper.order not in taken:
                taken[helper.order] = helper
                stays = [m.unit for m in helper.members if not m.name] if helper.members else [helper.unit]
                queue.extend((unit.tokens, _kinds(helper, types)) for unit in stays)
                if helper.members:
                    queue.append((tuple(_open(helper.unit)[0]), _kinds(helper, types)))

    for name in sorted(wanted):
        take(name, tokens(program), types)
    used_members = _used(own, types)
    texts = [queue.pop(0)]
    moves = bool(_MOVES.search(program))
    while True:
        while queue:
            found, kinds = queue.pop()
            texts.append((tuple(found), kinds))
            these = uses(found)
            used_members |= _used(these, kinds)
            for name in sorted((these.plain | these.qualified) & set(known)):
                take(name, found, kinds)
        for helper in list(taken.values()):
            for member in helper.members:
                if not member.name or id(member.unit) in members or member.name not in used_members:
                    continue
                if member.name in helper.names:
                    wanted_here = is_move(member.unit, member.name) and (moves or _returned(program, member.name))
                    wanted_here = (
                        wanted_here
                        or not is_move(member.unit, member.name)
                        and any(
                            constructible(member.unit, site, kinds)
                            for found, kinds in texts
                            for site in constructions(found, member.name)
                        )
                    )
                else:
                    wanted_here = True
                if wanted_here:
                    members[id(member.unit)] = member.unit
                    queue.append((member.unit.tokens, _kinds(helper, types)))
                    used_members |= _passed(member.unit)
        for helper in helpers:  # operators and assertions go with the classes that they are about
            if helper.order in taken or not helper.names & {"operator", "static_assert"}:
                continue
            about = uses(helper.unit.tokens).plain & set(known) - {"operator"}
            if about and about <= {name for h in taken.values() for name in h.names}:
                taken[helper.order] = helper
                queue.append((helper.unit.tokens, _kinds(helper, types)))
        if not queue:
            break
    dropped = {
        id(m.unit) for h in taken.values() for m in h.members if m.name and id(m.unit) not in members
    }  # fmt: skip
    return Excerpt([taken[order] for order in sorted(taken)], dropped)


def _used(these: Uses, types: Types) -> set[str]:
    """The members that a text may call; not `size`, if it asks only vectors for theirs."""
    vectors = {name for name in these.sizes if types.elements.get(name) or types.known.get(name) == "string"}
    asked = these.methods if these.sizes - vectors else these.methods - {"size"}
    return {*asked, *these.called, *these.qualified}


def _passed(member: Unit) -> set[str]:
    """The names that a member function passes to others as they are, which may be those of its class's functions."""
    found = significant(member.tokens)
    around = zip(found, found[1:], found[2:], strict=False)
    return {name.text for a, name, b in around if name.kind == "word" and a.text in "(," and b.text in "),"}


def _returned(program: str, name: str) -> bool:
    """Whether a function of the program may return an object of a class, or a container or class hold it."""
    of_it = rf"\b{name}\b(?:<[^;(]*>)?"
    held = rf"\b{name}<[^;(]*>>|std::\w+<[^;()]*\b{name}\b"
    if re.search(rf"{held}|{of_it}\s+\w+\([^;{{}}]*\)\s*{{|->\s*(?:\w+::)*{of_it}\s*{{", program):
        return True
    return any(re.search(rf"\breturn {variable};", program) for variable in re.findall(rf"{of_it}\s+(\w+)", program))


def _kinds(helper: Helper, program: Types) -> Types:
    """The types that a helper's own text names, then those of the library."""
    return helper.types


def written(helper: Helper, excerpt: Excerpt, *, remark: bool = True) -> str:
    """A helper as the download has it: of its comments what a class is, no blank lines, no sections of a class."""
    parts = excerpt.tokens(helper)
    if helper.unit.kind == "class":
        parts = _as_struct(parts)
    text = "".join(token.text for token in parts)
    kept = [line.rstrip() for line in _without_comments(text).split("\n") if line.strip()]
    if not any(token.kind == "raw" or "\\\n" in token.text for token in parts):
        kept = joined(members_joined(kept) if helper.unit.kind == "class" else kept)
    brief = _brief(helper.unit.lead) if remark and helper.unit.kind == "class" and len(kept) > 1 else ""
    if brief and kept[0].endswith("{") and len(f"{kept[0]}  // {brief}") <= JOINED_WIDTH:
        kept[0] += f"  // {brief}"
    elif brief:
        kept.insert(0, f"/// {brief}")
    return "\n".join(kept)


def _as_struct(found: Sequence[Token]) -> list[Token]:
    """A class as a struct without access specifiers, which an excerpt that is only used does not need."""
    result: list[Token] = []
    depth = 0
    skip = False
    for i, token in enumerate(found):
        if token.kind == "sign":
            depth += (token.text == "{") - (token.text == "}")
        if depth == 0 and token.text == "class" and not any(t.text in ("enum", "<", ",") for t in result[-2:]):
            result.append(Token("word", "struct"))
        elif depth == 1 and token.text in ("public", "private", "protected") and found[i + 1].text == ":":
            skip = True
        elif skip:
            skip = False
        else:
            result.append(token)
    return result


def members_joined(lines: Sequence[str]) -> list[str]:
    """The lines of a class, with data members that follow each other on one line, as far as they fit."""
    found: list[str] = []
    for line in lines:
        together = f"{found[-1]} {line.strip()}" if found else ""
        follows = found and _MEMBER.match(found[-1]) and _MEMBER.fullmatch(line)
        if follows and len(together) <= JOINED_WIDTH:
            found[-1] = together
        else:
            found.append(line)
    return found


def joined(lines: Sequence[str]) -> list[str]:
    """Lines put together again, as far as they fit: the parts of a statement, and a block of one statement."""
    found: list[str] = []
    statement: list[str] = []
    for line in lines:
        statement.append(line)
        if not _goes_on(statement):
            found += _together(statement)
            statement = []
    found += statement
    short: list[str] = []
    for line in found:
        if (
            line.strip() in ("}", "};")
            and len(short) > 1
            and short[-2].endswith("{")
            and short[-1].endswith((";", "}"))
        ):
            block = f"{short[-2]} {short[-1].strip()} {line.strip()}"
            inner = len(short[-1]) - len(short[-1].lstrip())
            outer = len(short[-2]) - len(short[-2].lstrip())
            whole = (
                inner > outer
                and len(line) - len(line.lstrip()) == outer
                and not re.match(r" *(for|while|if|}|do)\b", short[-2])
            )
            if whole and len(block) <= JOINED_WIDTH and "//" not in block and "#" not in block:
                short[-2:] = [block]
                continue
        short.append(line)
    return short


def _goes_on(statement: Sequence[str]) -> bool:
    """Whether lines end inside of a statement: also at a `;` in the head of a loop."""
    last = statement[-1].rstrip()
    if last.endswith(";"):
        return _parentheses(statement) > 0
    return not last.endswith(("{", "}", ":")) and "//" not in last and not last.lstrip().startswith("#")


def _parentheses(lines: Sequence[str]) -> int:
    """How many parentheses lines leave open."""
    text = re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'', "", " ".join(lines))
    return text.count("(") - text.count(")")


def _together(statement: Sequence[str]) -> list[str]:
    """The lines of a statement put together where they fit; what stands in parentheses as a whole, or as it was."""
    found: list[str] = []
    part: list[str] = []
    whole = True  # whether the last line found is all of a part
    for number, line in enumerate(statement, 1):
        part.append(line)
        if _parentheses(part) > 0 and number < len(statement):
            continue
        text = part[0]
        for more in part[1:]:
            text += more.strip() if text[-1] in "([" else f" {more.strip()}"
        fits = len(text) <= JOINED_WIDTH
        together = f"{found[-1]} {text.strip()}" if found else text
        if found and whole and fits and len(together) <= JOINED_WIDTH and not text.startswith("#"):
            found[-1] = together
        else:
            found += [text] if fits else part
        whole = fits
        part = []
    return found


def _without_comments(text: str) -> str:
    """Without comments; a reader who wants them has the header's page."""
    return "".join("" if token.kind == "comment" else token.text for token in tokens(text))


def _brief(comment: str) -> str:
    """The first sentence of a comment, if it fits on a line; else its first clause."""
    lines = [line.strip() for line in comment.strip().splitlines()]
    lines = [re.sub(r"^(///?<?|/\*\*?|\*/?)\s?", "", line).rstrip("*/ ") for line in lines]
    words: list[str] = []
    for line in lines:
        if line.startswith("@") or (not line and words):
            break
        words.append(line)
    text = " ".join(filter(None, words))
    match = _BRIEF.match(text)
    text = match[1].rstrip(":") if match else text
    text = text if text.endswith((".", "!", "?")) or not text else text + "."
    while len(text) > WIDTH - 4:
        shorter = re.match(r"(.*)[,;:(]", text[:-1])
        if not shorter:
            return ""
        text = shorter[1].rstrip(" ,;:(") + "."
    return text


# ---- the download


# What brings a standard header into a download; a header that is not here comes with every helper of its file.
_GIVES = {
    "<algorithm>": "sort|find|fill|min|max|count|copy|equal|clamp|generate|transform|nth_element|min_element|max_element",
    "<chrono>": "chrono",
    "<cmath>": "abs|fabs|sqrt|isnan|pow|floor|ceil|exp|log|log2|fmod|hypot|lround|round",
    "<cstddef>": "size_t|ptrdiff_t|byte|max_align_t|nullptr_t",
    "<cstdint>": r"u?int(_fast|_least)?\d+_t|u?intptr_t|u?intmax_t",
    "<cstdio>": r"\w*printf|f(open|close|put\w|flush|get\w|read)|puts|putchar|FILE|rename|remove|std(out|err|in)|EOF|popen",
    "<cstdlib>": r"exit|_Exit|quick_exit|EXIT_\w+|strto\w+|ato\w|getenv|setenv|abort|atexit|malloc|free|rand|system|abs",
    "<cstring>": r"(str|mem)[a-z]+",
    "<functional>": "function|plus|minus|multiplies|less|greater|reference_wrapper|ref|hash",
    "<limits>": "numeric_limits",
    "<string>": "string|to_string|getline|stoi|stol|stoll|stod",
    "<string_view>": "string_view",
    "<type_traits>": r"is_\w+|enable_if\w*|remove_\w+|conditional\w*|decay\w*|invoke_result\w*|make_(un)?signed\w*|void_t",
    "<utility>": r"move|forward|exchange|swap|pair|make_pair|declval|index_sequence\w*|make_index_sequence|integer_sequence",
    "<vector>": "vector",
}

_DEFINE_SIZE_T = {"<cstdio>", "<cstdlib>", "<cstring>"}  # as <cstddef> does
_ONLY_IN_CSTDDEF = {"ptrdiff_t", "byte", "max_align_t", "nullptr_t"}


def outside_includes(text: str) -> list[str]:
    """What a header includes that is no project header, with brackets."""
    found = [unit.included for unit in units(tokens(text)) if unit.kind == "include"]
    return [name for name in found if not is_project(name)]


def is_project(included: str) -> bool:
    return included[1:].startswith(f"{NAMESPACE}/")


@dataclass(frozen=True)
class Pieces:
    """What a download is put together from: a program in two parts, and the helpers that it needs."""

    head: list[Unit]  # leading comment and includes
    body: list[Unit]
    excerpt: Excerpt
    helpers: list[Helper]  # all there are
    defines: list[str]  # what the helpers' headers define for those that they include
    bring: list[str]  # includes of the helpers
    beside: Mapping[str, str]

    def own(self, part: Unit) -> str:
        """The text of a part of the program, that of a file which it includes with it."""
        return part.text + (self.beside.get(part.included[1:-1], "") if part.kind == "include" else "")

    def needs(self, part: Unit) -> list[Helper]:
        """The helpers that a part of the program needs; an include of project headers, which is left out, needs none."""
        return [] if is_project(part.included) else _closure(self.own(part), self.excerpt, self.helpers)


def pieces(program: str, headers: Mapping[str, str], local: Mapping[str, str] | None = None) -> Pieces:
    """What a program's download is put together from.

    :param program: its text, which includes project headers
    :param headers: every project header that reaches it, by name, in the order of inclusion
    :param local:   texts of files beside the program that it includes, by name; their helpers are written into the
                    program, in front of their inclusion
    """
    parts = units(tokens(program))
    beside = local or {}
    helpers = cut(headers)
    whole = program + "".join(beside.get(p.included[1:-1], "") for p in parts if p.kind == "include")
    excerpt = needed(whole, helpers)
    kept = {helper.header for helper in excerpt.helpers}
    words = uses(token for helper in excerpt.helpers for token in excerpt.tokens(helper))
    named = words.plain | words.members | uses(tokens(whole)).plain | uses(tokens(whole)).members
    bring = [
        name
        for header, text in headers.items()
        if header in kept
        for name in outside_includes(text)
        if name not in ("<cuda_runtime.h>", "<cuda_runtime_api.h>")  # nvcc includes them by itself
        if name not in _GIVES or any(re.fullmatch(_GIVES[name], word) for word in named)
    ]
    if _DEFINE_SIZE_T & {*bring, *(part.included for part in parts)} and not named & _ONLY_IN_CSTDDEF:
        bring = [name for name in bring if name != "<cstddef>"]
    defines = [line for header, text in headers.items() if header in kept for line in _defined_first(text)]
    return Pieces(*_head_of(parts, beside), excerpt, helpers, defines, bring, beside)


def _defined_first(text: str) -> list[str]:
    """What a header defines in front of its includes."""
    found: list[str] = []
    for unit in units(tokens(text)):
        if unit.kind == "include":
            return found
        if re.match(r"[ \t]*#[ \t]*define\b", unit.code):
            found.append(unit.code.strip())
    return []


def fold(program: str, headers: Mapping[str, str], local: Mapping[str, str] | None = None) -> str:
    """A program as one file, helpers in front of what needs them; the parameters are those of `pieces`."""
    cut = pieces(program, headers, local)
    defines = "".join(f"{line}\n" for line in cut.defines) + ("\n" if cut.defines else "")
    texts = [_comment(cut.head), defines, _includes(_included(cut.head, cut.bring))]
    done: set[int] = set()
    own_names = {name for part in cut.body if part.kind != "include" for name in names(part)}
    if own_names & {name for helper in cut.excerpt.helpers for name in helper.names}:
        # A function of the program that is called like a helper must not be in sight where helpers call theirs.
        texts.append(_block(cut.excerpt.helpers, cut.excerpt, first=True) + "\n")
        done = {helper.order for helper in cut.excerpt.helpers}
    for part in cut.body:
        if is_project(part.included):
            continue
        block = [h for h in cut.needs(part) if h.order not in done]
        done |= {h.order for h in block}
        if block:
            texts.append(_block(block, cut.excerpt, first=len(done) == len(block)))
        texts.append(part.text)
    return _tidy(texts)


def fold_at_end(cut: Pieces, name: str, early: str, *, functions: bool = False) -> str:
    """A program as one file, helpers at its end, so that one of its definitions comes early.

    C++ wants them in front: the file includes itself there, and then is the helpers alone.

    :param cut:       what it is put together from
    :param name:      the name of the file
    :param early:     a text that stands in that definition
    :param functions: functions in front of that definition stand at the end, too
    """
    body = [part for part in cut.body if not is_project(part.included)]
    place = next(i for i, part in enumerate(body) if early in part.text)
    moved = [part for part in body[:place] if functions and _is_function(part)]
    kept = [part for part in body[:place] if part not in moved]
    needing = next((i for i, part in enumerate(kept) if cut.needs(part)), len(kept))
    own = _included(cut.head, [])
    more = {key: line for key, line in _included(cut.head, cut.bring).items() if key not in own}
    return _tidy([
        _comment(cut.head),
        f"#ifndef {GUARD}  // the helpers stand after #else, at the end of this file\n",
        _includes(own),
        *(part.text for part in kept[:needing]),
        f'\n#define {GUARD}\n#include "{name}"  // this file itself: keep its name\n\n',
        *(part.text for part in [*kept[needing:], *body[place:]]),
        f"\n#else  {INTRODUCTION}\n\n",
        "".join(f"{line}\n" for line in cut.defines),
        _includes(more),
        _block(cut.excerpt.helpers, cut.excerpt, first=False),
        *(f"\n{part.text.strip()}\n" for part in moved),
        "\n#endif\n",
    ])  # fmt: skip


def _is_function(part: Unit) -> bool:
    return parameters(part) is not None and any(token.text == "{" for token in part.tokens)


def _tidy(texts: Iterable[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "".join(texts)).rstrip("\n") + "\n"


def written_out(program: str, files: Mapping[str, str]) -> str:
    """A program with files that it includes, by the name that it gives them, in the place of their inclusion.

    Where that is among its leading includes, theirs are put there, and the rest after all of these.
    """
    head, body = _head_of(units(tokens(program)), {})
    done: set[str] = set()

    def content(name: str) -> tuple[str, str]:
        """The includes of a file and the rest of it; nothing where it was included before."""
        if name in done:
            return "", ""
        done.add(name)
        includes, rest = "", ""
        for unit in units(tokens(files[name])):
            if unit.kind == "include" and unit.included[1:-1] in files:
                inner = content(unit.included[1:-1])
                includes, rest = includes + inner[0], rest + inner[1]
            elif unit.kind == "include":
                includes += f"{unit.code.strip()}\n"
            elif not re.match(r"[ \t]*#[ \t]*pragma once", unit.code):
                rest += unit.text
        remark = re.match(r"((?://[^\n]*\n)+)\n+", rest.lstrip("\n"))
        return includes, rest.lstrip("\n").replace(remark[0], remark[1], 1) if remark else rest.lstrip("\n")

    after, found = "", []
    for unit in head:
        local = unit.kind == "include" and unit.included[1:-1] in files
        includes, rest = content(unit.included[1:-1]) if local else ("", "")
        after += rest
        found.append(unit.lead + includes if local else unit.text)
    found.append(f"\n{after}\n" if after else "")
    for unit in body:
        local = unit.kind == "include" and unit.included[1:-1] in files
        found += [unit.lead, *content(unit.included[1:-1])] if local else [unit.text]
    return "".join(found)


def _closure(text: str, excerpt: Excerpt, helpers: Sequence[Helper]) -> list[Helper]:
    """Those helpers of an excerpt that a part of the program needs: what it names, and all that these name."""
    by_name: dict[str, list[Helper]] = {}
    for helper in excerpt.helpers:
        for name in helper.names:
            by_name.setdefault(name, []).append(helper)
    found = uses(tokens(text))
    own = found.qualified | found.called | (found.plain if f"namespace {NAMESPACE}" in text else set())
    queue = [helper for name in own & set(by_name) for helper in by_name[name]]
    taken: dict[int, Helper] = {}
    while queue:
        helper = queue.pop()
        if helper.order in taken:
            continue
        taken[helper.order] = helper
        these = uses(excerpt.tokens(helper))
        queue += [h for name in (these.plain | these.qualified) & set(by_name) for h in by_name[name]]
        queue += [h for h in by_name.get("operator", []) if uses(h.unit.tokens).plain & helper.names]
        queue += [h for h in by_name.get("static_assert", []) if uses(h.unit.tokens).plain & helper.names]
    return [taken[order] for order in sorted(taken)]


def _head_of(parts: Sequence[Unit], beside: Mapping[str, str]) -> tuple[list[Unit], list[Unit]]:
    """The leading comment and includes, and the rest."""
    for i, part in enumerate(parts):
        local = part.kind == "include" and part.included[1:-1] in beside
        if part.kind not in ("comment", "include") or local:
            return list(parts[:i]), list(parts[i:])
    return list(parts), []


def _comment(head: Sequence[Unit]) -> str:
    """The leading comment of a program."""
    return "".join(part.text if part.kind == "comment" else part.lead.rstrip() for part in head).rstrip() + "\n\n"


def _included(head: Sequence[Unit], bring: Sequence[str]) -> dict[str, str]:
    """The leading includes of a program, merged with those of the helpers: lines by what they include."""
    lines = {part.included: part.code.strip() for part in head if part.kind == "include"}
    lines = {name: line for name, line in lines.items() if not is_project(name)}
    for name in bring:
        lines.setdefault(name, f"#include {name}")
    if "<cuda_runtime.h>" in lines:
        lines.pop("<cuda_runtime_api.h>", None)
    return lines


def _includes(lines: Mapping[str, str]) -> str:
    """Includes in groups, sorted."""
    standard = sorted(name for name in lines if re.fullmatch(r"<\w+>", name))
    others = sorted(name for name in lines if name not in standard)
    groups = ["\n".join(lines[name] for name in group) for group in (standard, others) if group]
    return "\n\n".join(groups) + "\n\n" if groups else ""


def _block(block: Sequence[Helper], excerpt: Excerpt, *, first: bool) -> str:
    """Helpers in their namespaces."""
    lines = ["", INTRODUCTION] if first and not block[0].scopes else [""]
    scopes: tuple[str, ...] | None = None
    for helper in block:
        if helper.scopes != scopes:
            if scopes:
                lines += [f"}}  // namespace {'::'.join(scopes)}", ""]
            if helper.scopes:
                opening = f"namespace {'::'.join(helper.scopes)} {{"
                lines.append(f"{opening}  {INTRODUCTION}" if first and helper is block[0] else opening)
            scopes = helper.scopes
        again = any(helper.names == other.names for other in block[: block.index(helper)])
        lines.append(written(helper, excerpt, remark=not again))
    if scopes:
        lines.append(f"}}  // namespace {'::'.join(scopes)}")
    return "\n".join(lines) + "\n"
