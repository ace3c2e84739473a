"""Single-file downloads: cutting headers into definitions, and taking those that a program needs."""

import re
import statistics
from pathlib import Path

import pytest

from lockstep.files import ROOT
from lockstep.programs import declarations, downloads, fold, sources


def cut(text: str) -> dict[str, fold.Helper]:
    return {name: helper for helper in fold.cut({"h": text}) for name in helper.names}


def folded(header: str, main: str, before: str = "") -> str:
    program = f"// What is it?\n\n#include <lockstep/h.hpp>\n\n{before}int main() {{ {main} }}\n"
    return fold.fold(
        program, {"lockstep/h.hpp": f"#pragma once\n#include <cstdio>\nnamespace lockstep {{\n{header}\n}}\n"}
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('inline const char* text() { return R"({ } // no " comment)"; }\nint next;', ["next", "text"]),
        (
            "template <class T, class U = std::vector<std::vector<T>>>\nU make(T x) { return {x}; }\nint next;",
            ["make", "next"],
        ),
        ("struct point { int x; };\npoint operator+(point a, point b);\nint next;", ["next", "operator", "point"]),
        ("enum color { red, green = 3 };\nenum class size { small };", ["color", "green", "red", "size"]),
        ("#define TWICE(x) \\\n    ((x) * 2)\nint next;", ["TWICE", "next"]),
        ("#ifdef A\nint here() { return 1; }\n#else\nint here() { return 2; }\n#endif\nint next;", ["here", "next"]),
        ("__global__ void __launch_bounds__(256) kernel(int* x) { x[0] = '}'; }\nint next;", ["kernel", "next"]),
        (
            "constexpr int list[] = {1, 2, 3};\nconst auto f = [](int x) { return x; };\nint next;",
            ["f", "list", "next"],
        ),
        ("class c { c() : a_{1}, b_(2) {} int a_, b_; };\nint next;", ["c", "next"]),
        ("using word = unsigned;\ntypedef int (*handler)(int);\nint next;", ["handler", "next", "word"]),
        ("int c::member() { return 1; }\ntemplate <class T>\nint d<T>::member() { return 2; }", ["c", "d"]),
        ("namespace inner { namespace most { int deep; } }\nint next;", ["deep", "next"]),
    ],
)
def test_each_definition_is_found_with_its_name(text, names):
    assert sorted(cut(text)) == names


@pytest.mark.content
def test_units_together_are_the_source():
    for path in sorted((ROOT / "programs").rglob("*.cu"))[::7]:
        text = path.read_text(encoding="utf-8")
        assert "".join(unit.text for unit in fold.units(fold.tokens(text))) == text, path


def test_a_helper_that_nobody_uses_is_left_out_and_what_a_helper_uses_comes_along():
    text = folded(
        "int deep() { return 1; }\nint used() { return deep(); }\nint unused() { return 2; }", "lockstep::used();"
    )
    assert "int deep()" in text and "int used()" in text and "unused" not in text
    assert text.index("deep()") < text.index("used()")


def test_a_constant_that_only_a_default_argument_uses_comes_along():
    text = folded("constexpr int width = 4;\ntemplate <int n = width>\nint wide() { return n; }", "lockstep::wide<>();")
    assert "constexpr int width = 4;" in text


def test_what_a_macro_names_comes_along():
    text = folded("int hidden() { return 1; }\n", "CALL();", "#define CALL() lockstep::hidden()\n")
    assert "int hidden()" in text and text.index("int hidden()") < text.index("#define CALL")


def test_a_helper_in_a_nested_namespace_keeps_its_namespace():
    text = folded("namespace inner { int deep() { return 1; } }", "lockstep::inner::deep(); lockstep::deep;")
    assert "namespace lockstep::inner {" in text


def test_a_helper_stands_right_before_its_first_use():
    kernel = "__global__ void plain() {}\n\n__global__ void tick() { lockstep::now(); }\n\n"
    text = folded("__device__ inline int now() { return 1; }\ninline void check() {}", "lockstep::check();", kernel)
    order = [text.index(word) for word in ("void plain", "int now", "void tick", "inline void check", "int main")]
    assert order == sorted(order)
    assert text.count(fold.INTRODUCTION) == 1


def test_a_function_of_the_program_called_like_a_helper_comes_after_all_helpers():
    text = folded(
        "inline void check(int) {}\ninline void go() { check(1); }", "lockstep::go();", "void check(int) {}\n"
    )
    assert text.index("inline void go()") < text.index("\nvoid check(int)")


OVERLOADS = """inline void report(const char* label, long long value) {}
inline void report(const char* label, int value) { report(label, static_cast<long long>(value)); }
inline void report(const char* label, double value) {}
inline void report(const char* label, const char* value) {}
inline void report(const char* label, bool value) { report(label, value ? "yes" : "no"); }"""


@pytest.mark.parametrize(
    ("call", "kept"),
    [
        ('lockstep::report("a", 1.5);', ["double"]),
        ('lockstep::report("a", "b");', ["char"]),
        ('const int n = 3; lockstep::report("a", n == 2 || n > 4);', ["bool", "char"]),
        ('const int n = 3; lockstep::report("a", n * 2);', ["int", "long long"]),
        ('const float f = 3; lockstep::report("a", f);', ["double"]),
        ('int list[2]; lockstep::report("a", list[0]);', ["int", "long long"]),
        ('const double* p = 0; lockstep::report("a", *p);', ["double"]),
        ('lockstep::report("a", unknown());', ["bool", "char", "double", "int", "long long"]),
        ('int n = 3; { double n = 1; lockstep::report("a", n); }', ["bool", "char", "double", "int", "long long"]),
    ],
)
def test_an_overload_goes_only_where_the_types_make_it_evident(call, kept):
    text = folded(OVERLOADS, call)
    assert sorted(re.findall(r"report\(const char\* label, (?:const )?(\w+(?: long)?)\*? value\)", text)) == kept


WHOLE = """struct measured { double value; };
inline void report(const char* label, const char* word) {}
inline void report(const char* label, bool value) { report(label, "yes"); }
template <class T, class = std::enable_if_t<std::is_integral_v<T>>>
void report(const char* label, T value) { report(label, std::to_string(value).c_str()); }
inline void report(const char* label, measured value) { report(label, "1"); }"""


@pytest.mark.parametrize(
    ("call", "kept"),
    [
        ('lockstep::report("a", 3u);', ["T", "char"]),
        ('const int n = 8; lockstep::report("a", n << 2);', ["T", "char"]),
        ('cudaDeviceProp gpu; lockstep::report("a", gpu.warpSize);', ["T", "char"]),
        ('lockstep::report("a", true);', ["bool", "char"]),
        ('lockstep::report("a", lockstep::measured{1});', ["char", "measured"]),
        ('lockstep::report("a", unknown());', ["T", "bool", "char"]),
    ],
)
def test_a_template_is_for_whole_numbers_and_a_class_for_those_who_name_it(call, kept):
    text = folded(WHOLE, call)
    assert sorted(re.findall(r"report\(const char\* label, (?:const )?(\w+)\*? \w+\) {", text)) == kept
    assert ("struct measured" in text) == ("measured" in kept)


def test_a_vectors_size_is_not_that_of_a_helper():
    size = "struct list {\n    list(int n) : n_{n} {}\n    int size() const { return n_; }\n    int n_;\n};"
    asked = folded(size, "lockstep::list l(1); l.size();")
    other = folded(size, "lockstep::list l(1); std::vector<int> v(2); v.size();")
    unknown = folded(size, "lockstep::list l(1); make().size();")
    assert "int size()" in asked and "int size()" in unknown and "size() const" not in other


def test_a_member_function_goes_where_only_data_has_its_name():
    text = folded("struct s {\n    void flag() {}\n    int n;\n};", "lockstep::s x; y.flag = 1;")
    assert "void flag" not in text


CLASS = """/// Holds a number. And more.
/// @param n  the number
class holder {
public:
    holder(int n) : n_{n} {}
    holder(const holder&) = delete;
    ~holder() {}
    int used() const { return helper(); }
    int unused() const { return 1; }

private:
    int helper() const { return n_; }
    int n_;
};"""


def test_a_class_keeps_the_member_functions_that_are_named_and_one_line_of_comment():
    text = folded(CLASS, "lockstep::holder h(1); h.used();")
    assert "int used()" in text and "int helper()" in text and "= delete" in text and "~holder()" in text
    assert "unused" not in text and "@param" not in text and "private:" not in text
    assert "struct holder {  // Holds a number.\n" in text


def test_constructors_go_only_where_no_construction_may_mean_them():
    both = "struct b {\n    b(long n) {}\n    b(const std::vector<int>& v) {}\n};"
    by_count = folded(both, "const int n = 2; lockstep::b x(n);")
    by_vector = folded(both, "std::vector<int> v(2); lockstep::b x(v);")
    in_a_class = folded(both, "", "struct mine {\n    mine() : held(2) {}\n    lockstep::b held;\n};\n\n")
    assert "b(long n)" in by_count and "vector" not in by_count
    by_made = folded(both, "lockstep::b x(std::vector<int>(2, 41)); lockstep::b y(std::vector<int>{1});")
    assert "b(long n)" not in by_vector and "vector<int>& v" in by_vector
    assert "vector<int>& v" in by_made
    assert "b(long n)" in in_a_class and "vector<int>& v" in in_a_class


def test_each_of_several_things_declared_at_once_is_constructed():
    header = "class box {\npublic:\n    explicit box(int n);\n    explicit box(const std::vector<int>& host);\n};"
    assert "const std::vector<int>&" in folded(header, "lockstep::box a(1), b(std::vector<int>(1, 0));")
    assert "const std::vector<int>&" not in folded(header, "lockstep::box a(1), b(2); f(a, std::vector<int>(1));")


def test_a_static_member_that_is_called_stays():
    header = "class counter {\npublic:\n    static int read();\n    static int start();\n};"
    text = folded(header, "lockstep::counter::read(); std::start();")
    assert "int read()" in text and "int start()" not in text


def test_a_static_member_that_is_passed_stays():
    header = "class c {\\npublic:\\n    void go() { ask(answer); }\\n    static void answer();\\n    static void other();\\n};"
    text = folded(header, "lockstep::c one; one.go();")
    assert "void answer()" in text and "other" not in text


def test_includes_are_merged_and_sorted():
    program = "// Q?\n\n#include <vector>\n\n#include <lockstep/h.hpp>\n\nint main() { lockstep::f(); }\n"
    header = '#include <cstdio>\n#include <vector>\nnamespace lockstep { inline void f() { std::puts(""); } }\n'
    text = fold.fold(program, {"lockstep/h.hpp": header, "lockstep/other.hpp": "#include <map>\n"})
    assert "#include <cstdio>\n#include <vector>\n\n" in text and "<map>" not in text and "lockstep/h.hpp" not in text


def test_a_standard_header_comes_only_with_what_it_is_for():
    program = "// Q?\n\n#include <lockstep/h.hpp>\n\nint main() { lockstep::f(); }\n"
    header = (
        "#include <algorithm>\n#include <cstdio>\n#include <cuda_runtime.h>\n#include <any.h>\n"
        "namespace lockstep { inline void f() { std::puts(1); }\ninline void g() { std::sort(1); } }\n"
    )
    text = fold.fold(program, {"lockstep/h.hpp": header})
    assert re.findall(r"#include (.*)", text) == ["<cstdio>", "<any.h>"]


# ---- a starter with its helpers at the end

HEADERS = {
    "lockstep/h.hpp": "#pragma once\n#include <cstdio>\n#include <cstdlib>\n"
    'namespace lockstep { inline int used() { std::puts(""); return EXIT_SUCCESS; }\ninline int unused() { return 2; } }\n'
}
STARTER = """// What is it?

#include <cstdlib>

#include <lockstep/h.hpp>

constexpr int n = 1;

/// A kernel.
__global__ void first(int* x) { *x = n; }

int main() {
    first<<<1, 1>>>(nullptr);
    // ---- your part begins
    // ---- your part ends
    return lockstep::used();
}
"""


def at_end(program: str = STARTER, **options: bool) -> str:
    return fold.fold_at_end(fold.pieces(program, HEADERS), "demo_starter.cu", "your part begins", **options)


def test_helpers_stand_after_the_program_which_includes_itself_to_have_them_first():
    text = at_end()
    guard, own, itself, other = (
        text.index(word)
        for word in ("#ifndef LOCKSTEP_HELPERS", "constexpr", '#define LOCKSTEP_HELPERS\n#include "demo', "\n#else")
    )
    assert guard < own < text.index("void first") < itself < text.index("int main") < other < text.index("int used()")
    assert text.startswith("// What is it?\n\n#ifndef") and text.endswith("}  // namespace lockstep\n\n#endif\n")
    assert "lockstep/h.hpp" not in text and "unused" not in text and text.count(fold.INTRODUCTION) == 1


def test_each_include_stands_where_it_is_needed():
    own, _, rest = at_end().partition("\n#else")
    assert re.findall("#include <(.*)>", own) == ["cstdlib"] and re.findall("#include <(.*)>", rest) == ["cstdio"]


def test_helpers_come_in_front_of_the_first_that_needs_them():
    program = STARTER.replace("/// A kernel.", "int early() { return lockstep::used(); }\n\n/// A kernel.")
    text = at_end(program)
    assert text.index("constexpr") < text.index('#include "demo_starter.cu"') < text.index("int early()")


def test_functions_in_front_of_the_learners_part_go_to_the_end_too_where_that_is_wanted():
    text = at_end(functions=True)
    assert (
        text.index('#include "demo_starter.cu"') < text.index("int main") < text.index("/// A kernel.\n__global__ void")
    )
    assert text.index("constexpr int n") < text.index('#include "demo_starter.cu"')
    assert text.count("void first(int* x) { *x = n; }") == 1 and text.index("void first") > text.index("int used()")


def test_a_file_from_the_folder_is_written_out_once_its_includes_among_the_others():
    files = {
        "a.hpp": '#pragma once\n#include "b.hpp"\n#include <map>\nint a() { return b(); }\n',
        "b.hpp": "#pragma once\n#include <set>\nint b() { return 1; }\n",
    }
    program = '// Q?\n\n#include <vector>\n#include "a.hpp"\n#include "b.hpp"\n\nint main() { return a(); }\n'
    text = fold.written_out(program, files)
    assert re.findall("#include (.*)", text) == ["<vector>", "<set>", "<map>"] and "pragma" not in text
    assert text.index("<map>") < text.index("int b()") < text.index("int a()") < text.index("int main")
    assert text.count("int b()") == 1
    late = fold.written_out('int x;\n#include "b.hpp"\nint main() {}\n', files)
    assert late.index("int x") < late.index("<set>") < late.index("int b()") < late.index("int main")


# ---- what the project promises about all of its downloads

# Lines at the median, and the program's share of them, of which more would be better.
MOST_LINES, LEAST_SHARE = 150, 0.5


@pytest.fixture(scope="module")
def programs() -> list[declarations.Program]:
    return list(declarations.load(ROOT).values())


@pytest.mark.content
def test_downloads_are_short_and_the_program_is_much_of_them(programs):
    lines, shares = [], []
    for program in programs:
        if program.must_not_compile:
            continue
        name = program.source.name
        whole = len(downloads.files(program)[name].splitlines())
        lines.append(whole)
        shares.append(len(downloads.own(downloads.originals(program)[name]).splitlines()) / whole)
    assert statistics.median(lines) <= MOST_LINES
    assert statistics.median(shares) >= LEAST_SHARE


def faces(path: Path) -> set[tuple[str, ...]]:
    """How the functions of a header are called: class, name, types of the parameters."""
    found = set()
    for helper in fold.cut({"h": path.read_text(encoding="utf-8")}):
        for name in helper.names:
            inside = [(name, member.name, fold.parameters(member.unit)) for member in helper.members if member.name]
            of_it = inside if helper.unit.kind == "class" else [("", name, helper.parameters)]
            found |= {(owner, called, *(kind for kind, _ in types or [])) for owner, called, types in of_it}
    return {tuple(word.replace("std::", "") for word in face) for face in found}


@pytest.mark.parametrize("short", sorted((ROOT / sources.SHORT).rglob("*.hpp")), ids=lambda path: path.name)
def test_a_short_form_is_called_like_the_header_it_stands_in_for(short):
    whole = ROOT / sources.INCLUDE / short.relative_to(ROOT / sources.SHORT)
    assert faces(short) and faces(short) == faces(whole)


def test_a_short_form_stands_in_for_a_header_in_downloads(tmp_path):
    for folder, text in ((sources.INCLUDE, "int f() { return 1; }  // long"), (sources.SHORT, "int f() { return 2; }")):
        (tmp_path / folder / "lockstep").mkdir(parents=True)
        header = f"#pragma once\nnamespace lockstep {{\n{text}\n}}\n"
        (tmp_path / folder / "lockstep/h.hpp").write_text(header, encoding="utf-8")
    program = "// Q?\n\n#include <lockstep/h.hpp>\n\nint main() { return lockstep::f(); }\n"
    text = downloads.bundle(program, tmp_path)
    assert "return 2;" in text and "return 1;" not in text


def test_a_place_is_its_line():
    header = (
        "void stop_at(const char* name, const char* file, int line);\n"
        "inline void check(int status, const char* file = __builtin_FILE(),\n"
        "                  int line = __builtin_LINE()) {\n"
        '    if (status) std::fprintf(stderr, "%s:%d\\n", file, line);\n'
        '    stop_at("none", file, line);\n'
        "    check(status, file,\n          line);\n}\n"
        "int other(const char* file, int line) { return f(file, line); }\n"
    )
    assert fold.by_line(header) == (
        "void stop_at(const char* name, const char* file, int line);\n"
        "inline void check(int status, int line = __builtin_LINE()) {\n"
        '    if (status) std::fprintf(stderr, "%s:%d\\n", __FILE__, line);\n'
        '    stop_at("none", __FILE__, line);\n'
        "    check(status, line);\n}\n"
        "int other(const char* file, int line) { return f(file, line); }\n"
    )


@pytest.mark.parametrize(
    ("lines", "together"),
    [
        (["f(a,", "  b);"], ["f(a, b);"]),
        (["template <class T>", "void f(T a,", "       T b) {"], ["template <class T> void f(T a, T b) {"]),
        (["for (int i = 0; i < n;", "     ++i)", "    f(i);"], ["for (int i = 0; i < n; ++i) f(i);"]),
        (["template <class T>", f"void f({'a' * 80},", f"       {'b' * 80}) {{"], None),
        ([f"f({'a' * 80},", f"  {'b' * 50});"], None),
        (["f([&] {", "    g();", "});"], None),
        (["#define A \\", "    1"], None),
        (['f("(",', '  "a");'], ['f("(", "a");']),
    ],
)
def test_a_statement_is_put_together_as_a_whole_or_not_at_all(lines, together):
    assert fold.joined(lines) == (together or lines)


def test_data_members_share_a_line_and_statements_do_not():
    lines = [
        "struct s {",
        "    int a = 0;",
        "    std::vector<int> b;",
        "    using c = int;",
        "    void f() {",
        "        int d;",
    ]
    assert fold.members_joined([*lines, "        int e;", "    }", "};"]) == [
        "struct s {", "    int a = 0; std::vector<int> b;", "    using c = int;", "    void f() {", "        int d;",
        "        int e;", "    }", "};",
    ]  # fmt: skip


def test_size_t_needs_no_header_of_its_own_beside_one_that_defines_it():
    header = "#include <cstddef>\nnamespace lockstep {\nstd::size_t size();\nstd::ptrdiff_t gap();\n}\n"
    for call, more, brought in (("size", "<cstdio>", False), ("size", "<vector>", True), ("gap", "<cstdio>", True)):
        program = f"// Q?\n\n#include {more}\n\n#include <lockstep/h.hpp>\n\nint main() {{ lockstep::{call}(); }}\n"
        assert ("<cstddef>" in fold.fold(program, {"lockstep/h.hpp": header})) == brought


@pytest.mark.content
def test_the_learners_part_begins_before_line_60(programs):
    exercises = [program for program in programs if program.exercise]
    first = {p.path: downloads.begins(downloads.files(p)[downloads.starter(p)]) for p in exercises}
    assert exercises and {path: line for path, line in first.items() if line >= 60} == {}


@pytest.mark.content
def test_a_download_ends_in_licence_origin_and_build_command(programs):
    for program in programs[::10]:
        last = downloads.files(program)[program.source.name].splitlines()[-1]
        assert last.startswith("// SPDX-License-Identifier: BSD-3-Clause; from ")
        assert program.folder in last and last.endswith(f"build: {downloads.build_command(program)}")


def test_a_name_that_is_a_vector_and_something_else_has_no_type():
    types = fold.Types("void k(int x);\nint main() { std::vector<float> x(3);\n std::vector<float> y(3); }\n")
    assert (types.of("x"), types.of("y")) == (None, fold.VECTOR)


def test_what_a_header_defines_for_its_includes_stands_in_front_of_them():
    header = (
        "#pragma once\n#define FULL_NAMES  // all of them\n#include <other.h>\nnamespace lockstep {\nint used();\n}\n"
    )
    program = "// What is it?\n\n#include <lockstep/h.hpp>\n\nint main() { lockstep::used(); }\n"
    text = fold.fold(program, {"lockstep/h.hpp": header})
    assert text.index("#define FULL_NAMES") < text.index("#include <other.h>")


def test_a_member_template_that_is_called_by_its_arguments_stays():
    header = (
        "struct c {\n    void open() { make<int>(1); }\nprivate:\n    template <class T>\n    static T make(T x) { return x; }\n"
        "    template <class T>\n    static T other(T x) { return x; }\n};"
    )
    text = folded(header, "lockstep::c a; a.open();")
    assert "static T make" in text and "static T other" not in text
