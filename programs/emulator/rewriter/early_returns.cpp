#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace names = emulator_abi::names;

namespace {

// Whether a line leaves a function by a statement of the program: clang numbers the ways out of a
// scope that has something to clean up, and 1 is the way to the end of the function.
bool leaves(string_view line, bool last) {
    cursor read(line);
    if (read.eat("  store i32 1, ptr %cleanup.dest.slot")) return true;
    read = cursor(line);
    return !last && read.eat("  br label %return") && (!read.peek() || read.peek() == ',');
}

}  // namespace

string early_returns(string_view module, const std::set<string>& kernels) {
    bool any = false;
    string made = with_functions(module, [&](const function& each) -> std::optional<string> {
        if (!kernels.count(string(bare(each.name)))) return std::nullopt;
        std::vector<string> lines{string(each.head)};
        std::vector<string_view> body = lines_of(each.body);
        bool changed = false;
        for (size_t i = 0; i < body.size(); ++i) {
            // The block before the end of the function goes on to it without a statement.
            size_t next = i + 1;
            while (next < body.size() && body[next].empty()) ++next;
            bool last = next < body.size() && starts_with(body[next], "return:");
            if (leaves(body[i], last)) {
                lines.push_back(string("  call void @") + names::returns + "()");
                changed = any = true;
            }
            lines.emplace_back(body[i]);
        }
        if (!changed) return std::nullopt;
        return joined(lines, "\n");
    });
    if (any) made += string("\ndeclare void @") + names::returns + "() nounwind\n";
    return made;
}

}  // namespace rewriter
