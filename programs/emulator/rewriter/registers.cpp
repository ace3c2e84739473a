#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

constexpr string_view known_registers[] = {"laneid", "warpid", "smid", "globaltimer"};

// The special register that a text of inline assembly reads; nothing if it does anything else.
static string_view register_of(string_view assembly) {
    cursor read(assembly);
    if (!read.eat("mov.u32 $0, %") && !read.eat("mov.u64 $0, %")) return {};
    string_view name = read.word();
    if (read.rest() != ";") return {};
    for (string_view known : known_registers)
        if (name == known) return name;
    return {};
}

// A line whose inline assembly only hints at caches, without that.
static std::optional<string> plain_instruction(string_view line, size_t call, size_t word,
                                               size_t after_text, string_view assembly) {
    size_t open = line.find("\"(", after_text + 2);  // after the constraints
    size_t close = open == line.npos ? line.npos : balanced(line, open + 1);
    if (close == line.npos) return std::nullopt;
    // What a call has after its arguments is of calls; the place in the source stays.
    string_view location = debug_location(line);
    const string rest = location.empty() ? "" : ", !dbg " + string(location);
    string_view before = line.substr(0, call);
    if (ends_with(before, "tail ")) before.remove_suffix(5);
    string_view type = trimmed(line.substr(call + 5, word - call - 5));
    if (!holds(type, "{")) type = type.substr(type.rfind(' ') + 1);  // after flags of arithmetic
    return without_hints(
        {before, type, trimmed(assembly), line.substr(open + 2, close - open - 3), rest});
}

string special_registers(string_view module) {
    std::set<std::pair<string, string>> wanted;
    std::set<string> refused;
    bool traps = false, prefetches = false;
    string made = with_lines(module, [&](string_view line) -> std::optional<string> {
        if (starts_with(line, "module asm")) unknown_form("special_registers", module, line);
        size_t at = line.find(" asm ");
        if (!starts_with(line, "  ") || at == line.npos || line.find('"') < at) return std::nullopt;
        cursor read(line, at + 5);
        read.eat("sideeffect ");
        size_t begin = line.rfind("call ", at);
        if (begin == line.npos || !read.eat("\"")) unknown_form("special_registers", module, line);
        string_view assembly = read.rest().substr(0, read.rest().find('"'));
        // An empty text only keeps the compiler from moving code across it.
        if (trimmed(assembly).empty()) return std::nullopt;
        if (trimmed(assembly) == "trap;" && starts_with(line.substr(begin), "call void asm")) {
            traps = true;
            return string(line.substr(0, begin)) + "call void @" + emulator_abi::names::trap +
                   "()" + string(line.substr(line.find("()", read.at()) + 2));
        }
        if (auto plain =
                plain_instruction(line, begin, at, read.at() + assembly.size(), assembly)) {
            prefetches |= holds(*plain, emulator_abi::names::tensor_prefetch);
            return plain;
        }
        string_view name = register_of(assembly);
        string_view type = trimmed(line.substr(begin + 5, at - begin - 5));
        size_t arguments = line.find('(', read.at() + assembly.size());
        bool plain = arguments != line.npos && line.substr(arguments, 2) == "()";
        if (name.empty() || !plain || (type != "i32" && type != "i64")) {
            string_view first = trimmed(assembly);
            refused.insert(string(first.substr(0, first.find_first_of(" ;\t"))));
            return std::nullopt;
        }
        wanted.insert({string(type), string(name)});
        return string(line.substr(0, begin)) + "call " + string(type) + " @" +
               emulator_abi::names::register_prefix + string(name) + "()" +
               string(line.substr(arguments + 2));
    });
    if (!refused.empty()) {
        std::vector<string> all(refused.begin(), refused.end());
        lacking("inline PTX (" + joined(all, ", ") + ")");
    }
    if (traps) made += string("\ndeclare void @") + emulator_abi::names::trap + "()\n";
    if (prefetches)
        made += string("\ndeclare void @") + emulator_abi::names::tensor_prefetch +
                "(ptr, i32, i32, i32, i32, i32, i32)\n";
    for (auto& [type, name] : wanted)
        made += "\ndeclare " + type + " @" + emulator_abi::names::register_prefix + name + "()\n";
    return made;
}

}  // namespace rewriter
