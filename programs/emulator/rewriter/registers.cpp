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

string special_registers(string_view module) {
    std::set<std::pair<string, string>> wanted;
    std::set<string> refused;
    bool traps = false;
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
    for (auto& [type, name] : wanted)
        made += "\ndeclare " + type + " @" + emulator_abi::names::register_prefix + name + "()\n";
    return made;
}

}  // namespace rewriter
