// PTX that says how caches are to be used, not what happens: there is no cache here.
#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace names = emulator_abi::names;

namespace {

constexpr string_view nothing_but_hints[] = {"prefetch.global.L1 [$0];",
                                             "prefetch.global.L2 [$0];",
                                             "prefetch.global.L2::evict_last [$0];",
                                             "prefetch.global.L2::evict_normal [$0];",
                                             "applypriority.global.L2::evict_normal [$0], 128;",
                                             "cp.async.bulk.prefetch.L2.global [$0], $1;"};

// Goes past one of these texts.
template <size_t count>
string_view eat_one(cursor& read, const string_view (&texts)[count]) {
    for (string_view text : texts)
        if (read.eat(text)) return text;
    return {};
}

// "createpolicy.fractional.L2::evict_last.L2::evict_first.b64 $0, 0.5;": any number stands for it.
bool makes_policy(string_view assembly) {
    cursor read(assembly);
    constexpr string_view priorities[] = {".L2::evict_last", ".L2::evict_normal",
                                          ".L2::evict_first", ".L2::evict_unchanged"};
    if (!read.eat("createpolicy.fractional") || eat_one(read, priorities).empty()) return false;
    eat_one(read, priorities);
    if (!read.eat(".b64 $0, ") || !read.number() || !read.eat(".") || !read.number()) return false;
    return read.rest() == ";";
}

constexpr struct {
    string_view ptx, llvm;
} types[] = {{".b32", "i32"}, {".u32", "i32"}, {".s32", "i32"},   {".b64", "i64"},
             {".u64", "i64"}, {".s64", "i64"}, {".f32", "float"}, {".f64", "double"}};

string alignment(string_view type) {
    return ", align " + string(type == "i64" || type == "double" ? "8" : "4");
}

// "st.global.cg.u32 [$0], $1;": the type in LLVM; nothing if it is another instruction.
string_view stored(string_view assembly) {
    cursor read(assembly);
    constexpr string_view caches[] = {".wb", ".cg", ".cs", ".wt"};
    if (!read.eat("st.global")) return {};
    eat_one(read, caches);
    for (auto& type : types)
        if (read.eat(type.ptx)) return read.rest() == " [$0], $1;" ? type.llvm : string_view();
    return {};
}

// "ld.global.cg.u32 $0, [$1];": the type in LLVM; nothing if it is another instruction.
string_view loaded(string_view assembly) {
    cursor read(assembly);
    constexpr string_view caches[] = {".ca", ".cg", ".cs", ".lu", ".nc"};
    if (!read.eat("ld.global")) return {};
    eat_one(read, caches);
    const bool policy = read.eat(".L2::cache_hint");
    for (auto& type : types)
        if (read.eat(type.ptx))
            return read.rest() == (policy ? " $0, [$1], $2;" : " $0, [$1];") ? type.llvm
                                                                             : string_view();
    return {};
}

// "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [$0, {$1, $2}];": how many coordinates; else 0.
// Where brackets mean something to the processor's assembler, the compiler puts a $ before them.
int prefetched_rank(string_view assembly) {
    const string plain = replaced(replaced(assembly, "$(", "{"), "$)", "}");
    cursor read(plain);
    if (!read.eat("cp.async.bulk.prefetch.tensor.")) return 0;
    const int rank = int(read.number().value_or(0));
    if (rank < 1 || rank > 5 || !read.eat("d.L2.global.tile [$0, {$1")) return 0;
    for (int i = 2; i <= rank; ++i)
        if (!read.eat(", $" + std::to_string(i))) return 0;
    return read.rest() == "}];" ? rank : 0;
}

}  // namespace

std::optional<string> without_hints(const inline_assembly& found) {
    const string begin(found.before), end(found.after);
    const std::vector<string_view> given = split(found.arguments);
    const auto leads = [&](size_t which) {
        return which < given.size() && argument_of(given[which]).type == "ptr";
    };
    for (string_view hint : nothing_but_hints)
        if (found.text == hint && leads(0)) return "";
    if (makes_policy(found.text) && found.type == "i64") return begin + "add i64 0, 0" + end;
    if (const string_view type = loaded(found.text); found.type == type && leads(0))
        return begin + "load " + string(type) + ", ptr " + string(argument_of(given[0]).value) +
               alignment(type) + end;
    if (const string_view type = stored(found.text);
        !type.empty() && given.size() == 2 && leads(0) && argument_of(given[1]).type == type)
        return begin + "store " + string(type) + " " + string(argument_of(given[1]).value) +
               ", ptr " + string(argument_of(given[0]).value) + alignment(type) + end;
    if (const size_t rank = size_t(prefetched_rank(found.text));
        rank && given.size() == rank + 1 && leads(0)) {
        string passed = string(given[0]) + ", i32 " + std::to_string(rank);
        for (size_t i = 1; i <= 5; ++i)
            passed += ", " + (i <= rank ? string(given[i]) : string("i32 0"));
        return begin + "call void @" + names::tensor_prefetch + "(" + passed + ")" + end;
    }
    return std::nullopt;
}

}  // namespace rewriter
