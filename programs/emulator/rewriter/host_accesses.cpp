#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace names = emulator_abi::names;

namespace {

// How many bytes of a value the runtime is told of: all of a number, else the first.
int bytes_of_value(string_view type, int pointer) {
    cursor read(type);
    if (type == "ptr") return pointer;
    if (type == "double") return 8;
    if (type == "float") return 4;
    if (type == "half") return 2;
    if (read.eat("i"))
        if (auto bits = read.number(); bits && !read.peek()) return int((*bits + 7) / 8);
    return 1;
}

}  // namespace

string host_accesses(string_view host, places& where) {
    const string word = word_of(host);
    const int pointer = word == "i64" ? 8 : 4;
    bool any = false;
    string made = with_functions(host, [&](const function& each) -> std::optional<string> {
        std::vector<string> lines{string(each.head)};
        std::set<string_view> own;  // variables on the stack
        bool changed = false;
        const auto tell = [&](string_view line, string_view at, const string& bytes, int code) {
            if (at.empty() || at[0] != '%' || own.count(at)) return;
            changed = any = true;
            lines.push_back(string("  call void @") + names::host_access + "(ptr " + string(at) +
                            ", " + word + " " + bytes + ", i32 " + std::to_string(code) + ", i32 " +
                            std::to_string(where.number(debug_location(line))) + ")");
        };
        std::vector<string_view> body = lines_of(each.body);
        for (string_view line : body) {
            if (auto variable = stack_variable_of(line)) own.insert(variable->name);
            cursor read(line);
            read.eat("  ");
            const bool loads = !read.symbol('%').empty() && read.eat(" = load ");
            if (!loads) read = cursor(line);
            if (loads || read.eat("  store ")) {
                // What is volatile or atomic orders itself.
                if (!read.eat("volatile ") && !read.eat("atomic ")) {
                    string_view type = read.type();
                    std::vector<string_view> parts = split(read.rest());
                    if (parts.size() < 2) unknown_form("host_accesses", host, line);
                    argument at = argument_of(parts[1]);
                    if (at.type != "ptr") unknown_form("host_accesses", host, line);
                    tell(line, at.value, std::to_string(bytes_of_value(type, pointer)),
                         loads ? 0 : emulator_abi::access_write);
                }
            } else {
                for (string_view moved : {"@llvm.memcpy.", "@llvm.memmove.", "@llvm.memset."}) {
                    auto found = call_of(line, moved, false);
                    if (!found) continue;
                    std::vector<string_view> given = split(found->arguments);
                    if (given.size() < 3) unknown_form("host_accesses", host, line);
                    argument count = argument_of(given[2]);
                    const bool known = cursor(count.value).number().has_value();
                    if (count.type != word && !known) unknown_form("host_accesses", host, line);
                    if (moved != "@llvm.memset.")
                        tell(line, argument_of(given[1]).value, string(count.value), 0);
                    tell(line, argument_of(given[0]).value, string(count.value),
                         emulator_abi::access_write);
                }
            }
            lines.emplace_back(line);
        }
        if (!changed) return std::nullopt;
        return joined(lines, "\n");
    });
    if (any)
        made += string("declare void @") + names::host_access + "(ptr, " + word + ", i32, i32)\n";
    return made;
}

}  // namespace rewriter
