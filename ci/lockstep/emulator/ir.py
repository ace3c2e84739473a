"""Rewrites the LLVM assembly of a program's device side, so that it runs on a processor without a GPU.

Three things need it. A shared variable is one for each block, and several blocks may be alive: its address is asked for
when a function begins. Special registers are read by inline assembly: calls take its place. And LLVM's thread sanitizer
has put a call in front of each access to memory: the calls get the place in the source, and go to the emulator's checks.
"""

import itertools
import re

_NAME = r'@(?:[\w.$]+|"[^"]+")'
_SHARED = re.compile(
    rf"^({_NAME}) = (?:[\w ]*? )?global (.+?) (?:undef|poison)(?:,(?: comdat,)? align (\d+))?[^\n]*$", re.M
)
_DYNAMIC = re.compile(rf"^(?!@_ZTV)({_NAME}) = external (?:[\w ]*? )?global (\[0 x [^\n]+?\])(?:, [^\n]*)?$", re.M)
_FUNCTION = re.compile(r"^define [^\n]*\{\n.*?^\}", re.M | re.S)
_REGISTER = re.compile(r'call (i32|i64) asm (?:sideeffect )?"mov\.u(?:32|64) \$0, %(\w+);"[^\n]*?\(\)')
_TYPE = re.compile(r"(<[^>]*>|\[[^\]]*\]|\{[^}]*\}|[\w%.:\"]+)")
_ASM = re.compile(r'call [^\n]*? asm (?:sideeffect )?"([^"]*)"')

REGISTERS = {"laneid", "warpid", "smid", "globaltimer"}


class Unsupported(Exception):
    """The program needs something that the emulator lacks; the text names it."""


def known(found: re.Match[str] | None, what: str) -> re.Match[str]:
    """A match that every form of `what` has; raises Unsupported for a form that is not known here."""
    if found is None:
        raise Unsupported(f"{what} of a form that ir.py does not know")
    return found


def without_strings(text: str) -> str:
    """The same text with blanks for what stands in quotes."""
    return re.sub(r'"[^"]*"', lambda match: " " * len(match[0]), text)


def balanced(text: str, start: int) -> int:
    """The place behind the bracket that closes the one at `start`."""
    text = without_strings(text)
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place + 1
    raise ValueError("unbalanced brackets")


def split(text: str) -> list[str]:
    """Splits at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for place, character in enumerate(without_strings(text)):
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()] if text.strip() else []


def _lift_constants(body: str, name: str, entry: list[str], counter: list[int]) -> str:
    """Turns constant expressions over a variable into instructions at the begin of the function."""
    pattern = re.compile(
        r"(?<![\w%])(getelementptr|addrspacecast|ptrtoint|trunc|add|sub|xor)(?: (?:inbounds|nuw|nusw|nsw))* "
        rf"\(([^()]*(?:{re.escape(name)}(?![\w.$])|%emu\.c\d)[^()]*)\)"
    )
    while found := pattern.search(body):  # from the innermost outwards
        counter[0] += 1
        value = f"%emu.c{counter[0]}"
        text = found[0].replace("(", "", 1)[:-1]
        if found[1] in ("add", "sub", "xor"):  # an instruction names the type once
            text = re.sub(r", i\d+ ", ", ", text)
        entry.append(f"  {value} = {text}")
        body = body[: found.start()] + value + body[found.end() :]
    return body


def shared_variables(module: str) -> str:
    """Takes shared variables out, and adds a table of their sizes and alignments."""
    static = [(match[1], match[2], match[3] or "1") for match in _SHARED.finditer(module)]
    dynamic = [match[1] for match in _DYNAMIC.finditer(module)]
    module = _DYNAMIC.sub("", _SHARED.sub("", module))
    users = False

    def rewrite(match: re.Match[str]) -> str:
        nonlocal users
        text = match[0]
        head, body = text.split("{\n", 1)
        entry: list[str] = []
        counter = [0]
        for number, name in [*((i, n) for i, (n, _, _) in enumerate(static)), *((-1, n) for n in dynamic)]:
            if not re.search(rf"{re.escape(name)}(?![\w.$])", body):
                continue
            lifted: list[str] = []
            body = _lift_constants(body, name, lifted, counter)
            value = f"%emu.s{number if number >= 0 else 'd'}.{len(entry)}"
            entry.append(f"  {value} = call ptr @__emu_shared(i32 {number})")
            use = re.compile(rf"{re.escape(name)}(?![\w.$])")
            entry += [use.sub(value, line) for line in lifted]
            body = use.sub(value, body)
        if not entry:
            return text
        users = True
        label = re.match(r"([\w.$-]+:[^\n]*\n)", body)
        first = label[1] if label else ""
        return head + "{\n" + first + "\n".join(entry) + "\n" + body[len(first) :]

    module = _FUNCTION.sub(rewrite, module)
    if users:
        module += "\ndeclare ptr @__emu_shared(i32) #9999\nattributes #9999 = { nounwind willreturn memory(none) }\n"
    rows = ", ".join(
        f"{{i32, i32}} {{i32 ptrtoint (ptr getelementptr ({kind}, ptr null, i32 1) to i32), i32 {align}}}"
        for _, kind, align in [*static, ("", "i8", "1")]
    )
    return module + f"\n@__emu_shared_variables = constant [{len(static) + 1} x {{i32, i32}}] [{rows}]\n"


def special_registers(module: str) -> str:
    """Puts calls in place of inline assembly that reads a special register; refuses all other."""
    wanted = set()

    def call(match: re.Match[str]) -> str:
        if match[2] not in REGISTERS:
            return match[0]
        wanted.add((match[1], match[2]))
        return f"call {match[1]} @__emu_register_{match[2]}()"

    module = _REGISTER.sub(call, module)
    if rest := sorted({match[1].split()[0].split(";")[0] for match in _ASM.finditer(module) if match[1].strip()}):
        raise Unsupported(f"inline PTX ({', '.join(rest)})")
    return module + "".join(f"\ndeclare {width} @__emu_register_{name}()\n" for width, name in sorted(wanted))


def parameters(module: str, kernel: str) -> list[str]:
    """The parameters of a kernel's definition, as text."""
    match = re.search(rf'^define [^\n]*?@(?:"{re.escape(kernel)}"|{re.escape(kernel)})\(', module, re.M)
    if not match:
        raise Unsupported(f"a kernel without a definition ({kernel})")
    return split(module[match.end() : balanced(module, match.end() - 1) - 1])


def argument_names(host: str, stub: str) -> list[str]:
    """The names of a kernel's arguments as its launch passes them, empty objects included."""
    match = re.search(rf"^define [^\n]*@{re.escape(stub)}\([^\n]*\{{\n(.*?)^\}}", host, re.M | re.S)
    if not match:
        raise Unsupported(f"a kernel without a stub ({stub})")
    places = dict.fromkeys(re.findall(r"(%kernel_args\d*) = alloca", match[1]), 0)
    for name, offset in re.findall(r"(%[\w.]+) = getelementptr [^\n]*ptr %kernel_args\d*, i(?:32|64) (\d+)", match[1]):
        places[name] = int(offset)
    taken = set(re.findall(r'%"?([\w.]+)"?', match[0].split("\n", 1)[0]))
    stored = re.findall(r'store [^\n]* %"?([\w.]+)"?, ptr %"?([\w.]+\.addr\d*)"?', match[1])
    kept = {slot: value for value, slot in stored if value in taken}
    names = {
        places[at]: kept.get(slot, re.sub(r"\.addr\d*$", "", slot))
        for slot, at in re.findall(r'store ptr %"?([\w.]*?)"?, ptr (%[\w.]+)', match[1])
        if at in places
    }
    return [names[offset] for offset in sorted(names)]


def trampoline(number: int, kernel: str, module: str, names: list[str]) -> str:
    """A function that calls a kernel with what an array of pointers points to, and the sizes of its arguments."""
    lines, arguments = [], []
    unnamed = 0
    sizes = ["i32 1"] * len(names)  # an empty object is passed to no one
    for i, parameter in enumerate(parameters(module, kernel)):
        name = parameter.rsplit(" ", 1)[-1].strip('%"')
        name_of_argument = "" if name.isdigit() else re.sub(r"\.coerce[01]?$", "", name)
        found = [p for p, n in enumerate(names) if n == name_of_argument][unnamed if name.isdigit() else 0 :]
        if not found:
            raise Unsupported(f"a kernel argument of this form ({kernel}: {name} among {names})")
        place = found[0]
        unnamed += name.isdigit()
        if "dead_on_return" in parameter:
            raise Unsupported(f"a kernel argument that is copied by a constructor of its own ({name})")
        byval = re.search(r"byval\((.*?)\)(?= |$)", parameter)
        kind = (byval or known(_TYPE.match(parameter), "a kernel argument"))[1]
        offset = 8 if name.endswith(".coerce1") else 0  # the second half of a small structure
        sizes[place] = "i32 16" if offset else f"i32 ptrtoint (ptr getelementptr ({kind}, ptr null, i32 1) to i32)"
        lines.append(f"  %p{i} = getelementptr ptr, ptr %a, i32 {place}\n  %q{i} = load ptr, ptr %p{i}")
        if byval:
            align = re.search(r"align (\d+)", parameter)
            arguments.append(f"ptr byval({kind}) align {align[1] if align else 8} %q{i}")
            continue
        lines.append(f"  %r{i} = getelementptr i8, ptr %q{i}, i32 {offset}\n  %v{i} = load {kind}, ptr %r{i}, align 1")
        arguments.append(f"{kind} %v{i}")
    body = "\n".join(lines)
    return (
        f"\n@__emu_sizes{number} = constant [{len(sizes) + 1} x i32] [{', '.join([*sizes, 'i32 -1'])}]\n"
        f"define void @__emu_trampoline{number}(ptr %a) {{\n{body}\n"
        f'  call void @"{kernel}"({", ".join(arguments)})\n  ret void\n}}\n'
    )


def all_checked(module: str) -> str:
    """Asks the thread sanitizer to look at every function."""
    return re.sub(r"^(attributes #\d+ = \{)(?![^\n]*memory\(none\))", r"\1 sanitize_thread", module, flags=re.M)


class Places:
    """Source places of accesses, numbered; the runtime gets the table."""

    def __init__(self, module: str):
        self.files = dict(re.findall(r'^(!\d+) = !DIFile\(filename: "([^"]*)"', module, re.M))
        self.scope_file = dict(
            re.findall(
                r"^(!\d+) = (?:distinct )?!DI(?:Subprogram|LexicalBlock|LexicalBlockFile)\([^\n]*?file: (!\d+)",
                module,
                re.M,
            )
        )
        self.locations = {
            match[1]: (int(match[2]), match[3])
            for match in re.finditer(
                r"^(!\d+) = (?:distinct )?!DILocation\(line: (\d+),[^\n]*?scope: (!\d+)", module, re.M
            )
        }
        self.numbers: dict[str, int] = {"": 0}

    def number(self, location: str | None) -> int:
        line, scope = self.locations.get(location or "", (0, ""))
        file = self.files.get(self.scope_file.get(scope, ""), "")
        text = f"{file.rsplit('/', 1)[-1]}:{line}" if file and line else ""
        return self.numbers.setdefault(text, len(self.numbers))

    def table(self) -> list[str]:
        return list(self.numbers)


def without_padding(module: str) -> str:
    """Takes out copies of what no field covers: LLVM copies a small structure field by field, and its padding, too."""
    nothing = "|".join(map(re.escape, re.findall(r"^(!\d+) = !\{\}$", module, re.M)))
    copied = re.compile(
        rf"(?m)^ *(?:tail )?call void @llvm\.mem(?:cpy|move)[^\n]*!tbaa\.struct (?:{nothing})(?:,[^\n]*)?\n"
    )
    return copied.sub("", module) if nothing else module


_COPIED = re.compile(
    r"^( *)(?:tail )?call void @llvm\.mem(?:cpy|move)[^\n(]*\((ptr [^\n]*), i(?:32|64) [^\n]*?i1 (?:true|false)\)([^\n]*)$",
    re.M,
)
_POINTER = re.compile(r"ptr (?:\w+(?:\([^()]*\))? )*?align (\d+) (?:\w+(?:\([^()]*\))? )*([%@][^\s,]+)")


def aligned_copies(module: str) -> str:
    """Puts checks of the addresses in front of copies of structures: the sanitizer's calls say nothing of alignment."""

    def check(match: re.Match[str]) -> str:
        debug = re.search(r", !dbg !\d+", match[3])
        lines = [
            f"{match[1]}call void @__emu_aligned(ptr {name}, i32 {align}, i32 {write}, i32 0){debug[0] if debug else ''}"
            for (align, name), write in zip(_POINTER.findall(match[2]), (1, 0), strict=False)
            if int(align) > 1
        ]
        return "\n".join([*lines, match[0]])

    return _COPIED.sub(check, module) + "\ndeclare void @__emu_aligned(ptr, i32, i32, i32)\n"


_ALLOCATED = re.compile(r"^  (%[\w.$]+) = alloca [\[{%][^\n]*$", re.M)


def frames(module: str) -> str:
    """Puts a question whether the stack holds it behind each array or structure on it."""
    module = _ALLOCATED.sub(r"\g<0>\n  call void @__emu_frame(ptr captures(none) \1)", module)
    return module + "\ndeclare void @__emu_frame(ptr captures(none)) nounwind memory(inaccessiblemem: readwrite)\n"


_ARGUMENT = r"(?:[^()]|\([^()]*\))*"
_SANITIZED = re.compile(
    rf"call void @__tsan_((?:unaligned_)?(?:volatile_)?(?:read_write|read|write))(\d+)\((ptr {_ARGUMENT})\)([^\n]*)"
)
_OF_BLOCK = re.compile(r"@__tsan_(?:unaligned_)?read\d+\([^\n]*@__emu_(?:thread|block|block_size|grid_size)\b")
_MOVED = re.compile(rf"@__tsan_(memcpy|memmove|memset)\(({_ARGUMENT})\)([^\n]*)")
_ALIGNED = re.compile(r"(call void @__emu_aligned\(ptr [^\n]*, )i32 0\)([^\n]*)")
_WRITTEN = {"sincosf": 4, "sincos": 8, "frexpf": 4, "frexp": 4, "modff": 4, "modf": 8, "remquof": 4, "remquo": 4}
_LIBRARY = re.compile(rf"call [^\n]*@({'|'.join(_WRITTEN)})\(({_ARGUMENT})\)")
_DIVISION = re.compile(r"  %[\w.]+ = [su](?:div|rem) (?:exact )?i(\d+) [^,]+, (%[\w.]+)")
# With no type behind it, such a load copies a structure in one piece.
_WITHOUT_TYPE = re.compile(r"  %[\w.]+ = load i(?:16|32|64), ")
CODES = {"read": 0, "write": 1, "read_write": 1, "volatile_read": 2, "volatile_write": 3, "volatile_read_write": 3}


# Most accesses are to device memory that was written before: these go no further than this.
_QUICK_CHECK = """
define internal void @__emu_{name}(ptr %p, i32 %place) alwaysinline {{
  %address = ptrtoint ptr %p to {word}
  %begin = load {word}, ptr @__emu_arena_begin
  %end = load {word}, ptr @__emu_arena_end
  %span = sub {word} %end, %begin
  %offset = sub {word} %address, %begin
  %inside = icmp ult {word} %offset, %span
  br i1 %inside, label %look, label %closely
look:
  %shadow = load ptr, ptr @__emu_arena_shadow
  %states = getelementptr i8, ptr %shadow, {word} %offset
  %state = load i{bits}, ptr %states, align 1
  %known = icmp eq i{bits} %state, {initialised}
  %odd = and {word} %address, {odd}
  %aligned = icmp eq {word} %odd, 0
  %low = load {word}, ptr @__emu_shared_low
  %high = load {word}, ptr @__emu_shared_high
  %shared_span = sub {word} %high, %low
  %shared_offset = sub {word} %address, %low
  %not_shared = icmp uge {word} %shared_offset, %shared_span
  %pending = load ptr, ptr @__emu_pending_write
  %settled = icmp eq ptr %pending, null
  %a = and i1 %known, %aligned
  %b = and i1 %not_shared, %settled
  %quick = and i1 %a, %b
  br i1 %quick, label %done, label %closely
closely:
  call void @__emu_access(ptr %p, i32 {size}, i32 {code}, i32 %place)
  br label %done
done:
  ret void
}}
"""
_INITIALISED = 2  # as in runtime.hpp, a byte of state for each byte of memory
_GLOBALS = ("arena_begin", "arena_end", "arena_shadow", "shared_low", "shared_high", "pending_write")


def quick_checks(module: str, word: str) -> str:
    """The definitions of the quick checks that a module calls."""
    made = ["", *(f"@__emu_{name} = external global {word}" for name in _GLOBALS)]
    for name in sorted(set(re.findall(r"@__emu_(access_\d+_\d+)\(", module))):
        size, code = map(int, name.split("_")[1:])
        states = int.from_bytes(bytes([_INITIALISED] * size), "big")
        odd = 0 if code & 4 else size - 1
        made.append(
            _QUICK_CHECK.format(name=name, word=word, bits=8 * size, initialised=states, odd=odd, size=size, code=code)
        )
    return "\n".join(made)


def accesses(module: str, places: Places) -> str:
    """Sends the sanitizer's calls to the emulator's checks, with size and place."""

    def place(rest: str) -> int:
        location = re.search(r"!dbg (!\d+)", rest)
        return places.number(location and location[1])

    def call(match: re.Match[str]) -> str:
        kind, size, pointer, rest = match.groups()
        code = CODES[kind.removeprefix("unaligned_")] | (4 if kind.startswith("unaligned") else 0) | leeway
        if not code & 2:
            return f"call void @__emu_access_{size}_{code}({pointer}, i32 {place(rest)}){rest}"
        check = f"call void @__emu_access({pointer}, i32 {size}, i32 {code}, i32 {place(rest)}){rest}"
        # Others may have to go on before this memory changes.
        return f"{check}\n  call void @__emu_look(){rest}" if code & 3 == 2 else check

    def move(match: re.Match[str]) -> str:
        name = "__emu_fill" if match[1] == "memset" else "__emu_copy"
        return f"@{name}({match[2]}, i32 {place(match[3])}){match[3]}"

    def align(match: re.Match[str]) -> str:
        return f"{match[1]}i32 {place(match[2])}){match[2]}"

    lines = []
    text = module.split("\n")
    for line, following in zip(text, [*text[1:], ""], strict=True):
        if _OF_BLOCK.search(line) and "call" in line:
            continue  # the runtime's own variables
        if line.startswith("declare") and "@__tsan_" in line:
            continue
        if re.search(
            r"@__tsan_(?:init|func_entry|func_exit|ignore_thread_\w+|vptr_\w+)\(|^@llvm\.global_ctors.*tsan", line
        ):
            continue
        leeway = 16 if following.startswith("  %bf.load") else 0  # a field's neighbours, to be written back
        leeway |= 8 if _WITHOUT_TYPE.match(following) and "!tbaa" not in following else 0
        if library := _LIBRARY.search(line):  # which would write unseen
            size = _WRITTEN[library[1]]
            lines += [
                f"  call void @__emu_access({pointer}, i32 {size}, i32 1, i32 {place(line)})"
                for pointer in re.findall(r"ptr (?:\w+(?:\([^()]*\))? )*[%@][\w.]+", library[2])
            ]
        if division := _DIVISION.match(line):
            width, divisor = division.groups()
            zero = f"%emu.zero{len(lines)}"
            lines += [
                f"  {zero} = icmp eq i{width} {divisor}, 0",
                f"  call void @__emu_divisor(i1 zeroext {zero}, i32 {place(line)})",
            ]
        lines.append(_ALIGNED.sub(align, _MOVED.sub(move, _SANITIZED.sub(call, line))))
    word = "i64" if re.search(r'^target triple = "x86_64', module, re.M) else "i32"
    module = "\n".join(lines)
    return (
        module
        + quick_checks(module, word)
        + (
            f"\ndeclare void @__emu_access(ptr, i32, i32, i32)\ndeclare void @__emu_look()\ndeclare void @__emu_divisor(i1 zeroext, i32)\ndeclare ptr @__emu_copy(ptr, ptr, {word}, i32)\n"
            f"declare ptr @__emu_fill(ptr, i32, {word}, i32)\n"
        )
    )


_GUARD = "[61 x i8]"  # behind each variable, so that one index too many meets no other


def guarded(module: str, name: str, kind: str) -> str:
    """Puts a guard zone behind a variable of this type."""
    found = re.search(
        rf'^(@"?{re.escape(name)}"? = [^\n]*?\b(?:global|constant) ){re.escape(kind)}([^\n]*)$', module, re.M
    )
    found = known(found, f"the variable {name}")
    value, *rest = split(found[2])
    line = f"{found[1]}<{{ {kind}, {_GUARD} }}> <{{ {kind} {value}, {_GUARD} zeroinitializer }}>, {', '.join(rest)}"
    return module.replace(found[0], line)


_TO_INTEGER = re.compile(r"^( *)(%[\w.]+) = fpto(s|u)i (half|float|double) (\S+) to i(\d+)(?=[,\n])", re.M)
_SHORT = {"half": "f16", "float": "f32", "double": "f64"}


def saturated(module: str) -> str:
    """Conversions of what an integer cannot hold end at its limits, as on a GPU; the processor's do something else."""
    used = set()

    def convert(match: re.Match[str]) -> str:
        indent, name, sign, kind, value, bits = match.groups()
        wide = max(32, int(bits))
        function = f"@llvm.fpto{sign}i.sat.i{wide}.{_SHORT[kind]}"
        used.add(f"declare i{wide} {function}({kind})")
        result = f"{name}.emu.w"
        lines = [f"{result} = call i{wide} {function}({kind} {value})"]
        if wide == 64 or kind == "double":  # there, what is no number becomes the highest bit alone
            lines.append(f"{name}.emu.u = fcmp uno {kind} {value}, {value}")
            lines.append(f"{name}.emu.n = select i1 {name}.emu.u, i{wide} {-(1 << wide - 1)}, i{wide} {result}")
            result = f"{name}.emu.n"
        last = f"trunc i{wide} {result} to i{bits}" if wide > int(bits) else f"add i{wide} {result}, 0"
        return "\n".join([*(indent + line for line in lines), f"{indent}{name} = {last}"])

    module = _TO_INTEGER.sub(convert, module)
    return "\n".join([module, *(line for line in sorted(used) if line not in module)]) + "\n"


def told_arguments(module: str) -> str:
    """Each printf is told how many arguments follow its format: that is what it gives back in a kernel."""

    def told(match: re.Match[str]) -> str:
        return f"(i32, ptr, ...) @__emu_printf(i32 {len(split(match[1])) - 1}, {match[1]})"

    module = re.sub(r"^declare [^\n]*@printf\([^\n]*$", "declare i32 @__emu_printf(i32, ptr, ...)", module, flags=re.M)
    return re.sub(r"\(ptr, \.\.\.\) @printf\(([^\n]*)\)(?=[^\n()]*$)", told, module, flags=re.M)


def inlined(module: str) -> str:
    """Makes functions that ask which lanes are active a part of their callers: lanes of two callers do not meet."""
    calls = Calls(module)
    asking = {name for name in calls.bodies if "__emu_active_lanes" in calls.reached(name)}
    refused = set(re.findall(r"^attributes (#\d+) = \{[^\n]*\b(?:noinline|optnone)\b", module, re.M))

    def mark(match: re.Match[str]) -> str:
        name = known(re.search(_NAME, match[0]), "a function")[0].strip('@"')
        recursive = any(name in calls.called.get(other, ()) for other in calls.reached(name))
        if name not in asking or match[2] in refused or recursive:
            return match[0]
        return f"{match[1]} alwaysinline {match[2]}"

    return re.sub(r"^(define [^\n]*\)(?: local_unnamed_addr| unnamed_addr)?) (#\d+)", mark, module, flags=re.M)


_SITE = re.compile(r"(call [^\n]*@__emu_(?:active_lanes|barrier|group_barrier)\([^\n]*i32 )(\d+)(\)[^\n()]*)$", re.M)


def numbered(module: str) -> str:
    """Tells calls apart at which lanes or threads wait for one another: each gets a number of its own."""
    numbers = itertools.count(1)

    def number(match: re.Match[str]) -> str:
        return f"{match[1]}{next(numbers)}{match[3]}"

    return _SITE.sub(number, module)


def variables_table(module: str) -> str:
    """Adds a table of where the device side's own variables lie, and how many bytes each has."""
    defined = rf"^({_NAME}) = (?!external|extern_weak|available_externally|appending)[^\n]*?\b(?:global|constant) "
    rows = []
    for name in re.findall(defined, module, re.M):
        if not name.startswith(("@__emu_", "@llvm.")):
            kind = Device._type(module, name.strip('@"'))
            end = "i32 0, i32 1" if kind.endswith(f", {_GUARD} }}>") else "i32 1"
            rows.append(f"{{ptr, ptr}} {{ptr {name}, ptr getelementptr ({kind}, ptr {name}, {end})}}")
    rows.append("{ptr, ptr} zeroinitializer")
    return module + f"\n@__emu_device_image = constant [{len(rows)} x {{ptr, ptr}}] [{', '.join(rows)}]\n"


_INSTRUCTION = re.compile(r"^  (?!#dbg_|%[\w.]+ = (?:alloca|phi) )[^\n]*!dbg (!\d+)")


def stepping(module: str, source: str) -> tuple[str, list[int]]:
    """Puts a call in front of each source line of the program's own functions; returns the lines that may be shown."""
    places = Places(module)
    shown: set[int] = set()

    def line_of(location: str) -> int:
        line, scope = places.locations.get(location, (0, ""))
        file = places.files.get(places.scope_file.get(scope, ""), "")
        return line if file.endswith(source) else 0

    def rewrite(match: re.Match[str]) -> str:
        out, last, lines = [], 0, []
        for text in match[0].split("\n"):
            if re.match(r"[\w.$-]+:", text):
                last = 0  # a loop comes here again
            found = _INSTRUCTION.match(text)
            line = line_of(found[1]) if found else 0
            if found and line and line != last:
                out.append(f"  call void @__emu_line(i32 {line}), !dbg {found[1]}")
                last = line
                lines.append(line)
            out.append(text)
        if lines:
            begin = re.search(r"!dbg (!\d+) \{", match[0].split("\n")[0])
            own = re.search(rf"^{begin[1]} = [^\n]*line: (\d+)", module, re.M) if begin else None
            shown.update(range(int(own[1]) if own else min(lines), max(lines) + 1))
        return "\n".join(out)

    module = _FUNCTION.sub(rewrite, module)
    return module + "\ndeclare void @__emu_line(i32)\n", sorted(shown)


_INDIRECT = re.compile(r"\bcall [^\n@(]*? %[\w.]+\(")


class Calls:
    """Who calls whom in a module, and what is reached."""

    def __init__(self, module: str):
        self.bodies = {}
        for match in _FUNCTION.finditer(module):
            self.bodies[known(re.search(_NAME, match[0]), "a function")[0].strip('@"')] = match[0]
        tables = "\n".join(re.findall(r"^@[^\n]*$", module, re.M))
        self.pointed = {name.strip('@"') for name in re.findall(_NAME, tables)} & set(self.bodies)
        self.called = {
            name: {n.strip('@"') for n in re.findall(rf"({_NAME})", body.split("\n", 1)[1])} - {name}
            for name, body in self.bodies.items()
        }

    def reached(self, start: str) -> set[str]:
        """Functions, defined here or not, that may run when `start` does."""
        seen, waiting = {start}, [start]
        while waiting:
            for name in self.called.get(waiting.pop(), ()):
                if name not in seen:
                    seen.add(name)
                    waiting.append(name)
        return seen

    def reached_through_pointers(self, start: str) -> set[str]:
        """The same, with what a table of functions names if any function calls through a pointer."""
        reached = self.reached(start)
        if any(map(_INDIRECT.search, (self.bodies[name] for name in reached if name in self.bodies))):
            reached |= {name for pointed in self.pointed for name in self.reached(pointed)}
        return reached

    def indirect(self) -> bool:
        """Whether any function calls through a pointer."""
        return any(map(_INDIRECT.search, self.bodies.values()))

    def yields(self, start: str, names: re.Pattern[str]) -> bool:
        """Whether a thread may give way in `start`: it calls one of `names`, or looks at volatile memory."""
        reached = self.reached(start)
        bodies = [self.bodies[name] for name in reached if name in self.bodies]
        return (
            any(names.match(name) for name in reached)
            or any(re.search(r"@__emu_access\(ptr [^\n]*, i32 \d+, i32 [2367], i32 \d+\)", body) for body in bodies)
            or any(map(_INDIRECT.search, bodies))
        )

    def shared(self, start: str) -> list[int]:
        """Numbers of the shared variables that `start` can reach."""
        found = set()
        for name in self.reached_through_pointers(start):
            found |= {int(n) for n in re.findall(r"@__emu_shared\(i32 (\d+)\)", self.bodies.get(name, ""))}
        return sorted(found)


def _annotations(module: str) -> tuple[str, dict[str, tuple[int, ...]], dict[str, int], set[str]]:
    """Takes annotations out; returns cluster sizes and the most threads of a block by kernel, and the managed variables."""
    clusters: dict[str, tuple[int, ...]] = {}
    bounds: dict[str, int] = {}
    managed: set[str] = set()
    found = re.search(r"^@llvm\.global\.annotations = [^\n]*$", module, re.M)
    if not found:
        return module, clusters, bounds, managed
    strings = dict(re.findall(r'^(@[\w.]+) = [^\n]*? c"(.*?)\\00"', module, re.M))
    constants = dict(re.findall(r"^(@[\w.]+) = [^\n]*?constant \{[^}]*\} \{([^}]*)\}", module, re.M))
    for name, text, arguments in re.findall(
        rf"\{{ ptr ({_NAME}), ptr (@[\w.]+), ptr @[\w.]+, i32 \d+, ptr (@[\w.]+|null) \}}", found[0]
    ):
        if strings[text] == "managed":
            managed.add(name)
        if strings[text] == "cluster_dims":
            sizes = [int(n) for n in re.findall(r"i32 (\d+)", constants[arguments])]
            clusters[name.strip('@"')] = tuple((sizes + [1, 1])[:3])
        if strings[text] == "launch_bounds":
            most = known(re.search(r"i32 (\d+)", constants[arguments]), "a launch bound")
            bounds[name.strip('@"')] = int(most[1])
    return module.replace(found[0], ""), clusters, bounds, managed


_RENAMED = {"__assert_fail": "__emu_assert_fail", "malloc": "__emu_device_malloc", "free": "__emu_device_free"}


class Device:
    """A program's two sides, rewritten so that they link with the runtime."""

    def __init__(self, module: str, host: str):
        strings = dict(re.findall(r'^(@[\w.]+) = [^\n]*?constant \[\d+ x i8\] c"(.*?)\\00"', host, re.M))

        def registered(function: str) -> list[str]:
            calls = re.findall(rf"@{function}\(ptr [^,]+, ptr [^,]+, ptr (?:nonnull )?(@[\w.]+),", host)
            return list(dict.fromkeys(strings[name] for name in calls))

        word = "i64" if 'triple = "x86_64' in module else "i32"
        self.kernels = registered("__cudaRegisterFunction")
        module, self.clusters, self.bounds, managed = _annotations(module)
        module = re.sub(r"^@llvm\.(?:compiler\.)?used = [^\n]*$", "", module, flags=re.M)
        for old, new in _RENAMED.items():
            module = re.sub(rf"@{old}(?=\()", f"@{new}", module)
        self.host = host
        self.managed = [name.strip('@"') for name in sorted(managed)]
        for number, name in enumerate(self.managed):
            kind = self._type(module, name)
            module = self._managed(module, f"@{name}")
            module += f"\n@__emu_managed_bytes{number} = constant {word} ptrtoint (ptr getelementptr ({kind}, ptr null, i32 1) to {word})\n"
        constants = set(re.findall(rf"^({_NAME}) = [^\n]*?externally_initialized constant", module, re.M))
        module = module.replace("externally_initialized constant", "externally_initialized global")
        self.variables = [
            (name, f"@{name}" in constants) for name in registered("__cudaRegisterVar") if name not in self.managed
        ]
        self.variables = [(n, c) for n, c in self.variables if re.search(rf'^@"?{re.escape(n)}"? = ', module, re.M)]
        module = shared_variables(module)
        module = special_registers(module)
        module = inlined(saturated(told_arguments(module)))
        module = all_checked(module)
        stubs = re.findall(
            r"@__cudaRegisterFunction\(ptr [^,]+, ptr (?:nonnull )?@([\w.$]+), ptr (?:nonnull )?(@[\w.]+),", host
        )
        stub_of = {strings[name]: stub for stub, name in stubs}
        module += "".join(
            trampoline(number, kernel, module, argument_names(host, stub_of[kernel]))
            for number, kernel in enumerate(self.kernels)
        )
        for number, (name, _) in enumerate(self.variables):
            kind = self._type(module, name)
            module += (
                f'@__emu_variable{number} = alias {kind}, ptr @"{name}"\n'
                f"@__emu_variable_bytes{number} = constant {word} ptrtoint (ptr getelementptr ({kind}, ptr null, i32 1) to {word})\n"
            )
            module = guarded(module, name, kind)
        self.module = module
        self.kept = ["__emu_shared_variables", *(f"__emu_managed_bytes{n}" for n in range(len(self.managed)))]
        for number in range(len(self.kernels)):
            self.kept += [f"__emu_trampoline{number}", f"__emu_sizes{number}"]
        for number in range(len(self.variables)):
            self.kept += [f"__emu_variable{number}", f"__emu_variable_bytes{number}"]

    @staticmethod
    def _type(module: str, name: str) -> str:
        what = f"the variable {name}"
        found = re.search(rf'^@"?{re.escape(name)}"? = [^\n]*?\b(?:global|constant) ([^\n]*)$', module, re.M)
        line = known(found, what)[1]
        kind = known(re.match(r"<\{|[\[{<%]|\w+", line), what)[0]
        if kind[0] in "[{<":
            return line[
                : balanced(
                    line.replace("<{", "[{").replace("}>", "}]")
                    if kind == "<{"
                    else line.replace("<", "[").replace(">", "]"),
                    0,
                )
            ]
        return known(re.match(r'%"[^"]*"|[%\w.:]+', line), what)[0]

    def _managed(self, module: str, name: str) -> str:
        """Lets both sides use the host's variable, with the value that the device's begins with."""
        line = re.search(rf"^{re.escape(name)} = [^\n]*?\bglobal ([^\n]*)$", module, re.M)
        shadow = re.search(rf"^{re.escape(name)} = [^\n]*?\bglobal [^\n]*$", self.host, re.M)
        if not line or not shadow:
            raise Unsupported(f"a managed variable of this form ({name[1:]})")
        self.host = self.host.replace(shadow[0], f"{name} = global {line[1]}")
        kind = self._type(module, name.strip('@"'))
        return module.replace(line[0], f"{name} = external global {kind}")
