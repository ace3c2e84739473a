#include <algorithm>

#include "../runtime/abi.hpp"
#include "assignments.hpp"

namespace rewriter {

namespace {

// The location of an instruction that a call may stand in front of. Debug records, variables on the
// stack and phis have to stay at the begin of a block, and do nothing that a reader steps through.
string_view stepped_location(string_view line) {
    if (!starts_with(line, "  ") || starts_with(line, "  #dbg_")) return {};
    cursor read(line, 2);
    if (!read.symbol('%').empty() && read.eat(" = ") && (read.eat("alloca ") || read.eat("phi ")))
        return {};
    size_t last = line.rfind("!dbg !");
    return last == line.npos ? string_view() : debug_location(line.substr(last));
}

bool is_label(string_view line) {
    if (!line.empty() && line[0] == '"') return true;
    size_t end = 0;
    while (end < line.size() && of_name(line[end])) ++end;
    return end && end < line.size() && line[end] == ':';
}

// Whether a block is the body of a loop, by the names that the compiler gives: a step of its own,
// also where it stands in the line of the loop's head.
bool begins_loop_body(string_view label) {
    for (string_view name : {"for.body", "while.body", "do.body"})
        if (starts_with(label, name)) return true;
    return false;
}

// The line in which a function begins, as its location says.
std::optional<int> first_line(string_view module, string_view head) {
    string_view location = debug_location(head);
    if (location.empty()) return std::nullopt;
    string begin = "\n" + string(location) + " = ";
    size_t at = module.find(begin);
    if (at == module.npos) return std::nullopt;
    string_view line = module.substr(at + 1, module.find('\n', at + 1) - at - 1);
    size_t field = line.rfind(" line: ");
    if (field == line.npos) return std::nullopt;
    auto number = cursor(line, field + 7).number();
    return number ? std::optional<int>(int(*number)) : std::nullopt;
}

// Were loops unrolled, as a program may ask for, functions would become so large that it takes long
// to leave and enter them at each line.
string without_unrolling(string_view module) {
    return replaced(module, "!\"llvm.loop.unroll.", "!\"not.unrolled.");
}

}  // namespace

string stepping(string_view module, string_view source, const std::vector<string>& kernels,
                shown& told) {
    places where(module);
    assignments values(module, source, kernels, told);
    string made = with_functions(module, [&](const function& each) -> std::optional<string> {
        std::vector<string> out = {string(each.head)};
        std::vector<int> lines;
        int last = 0;
        bool again = false;
        values.enter(each);
        std::vector<string_view> all = lines_of(each.body);
        for (size_t i = 0; i < all.size(); ++i) {
            string_view text = all[i];
            if (is_label(text)) {
                last = 0;  // a loop comes here again
                again = begins_loop_body(text);
            }
            string_view location = stepped_location(text);
            if (starts_with(text, "  ]")) location = {};
            if (starts_with(text, "  switch ") &&
                ends_with(text, "[")) {  // its location stands at its end
                size_t end = i;
                while (end < all.size() && !starts_with(all[end], "  ]")) ++end;
                if (end < all.size()) location = debug_location(all[end]);
            }
            int line = where.line_in(location, source);
            if (line && line != last) {
                out.push_back("  call void @" + string(emulator_abi::names::line) + "(i32 " +
                              std::to_string(again ? -line : line) + "), !dbg " + string(location));
                again = false;
                last = line;
                lines.push_back(line);
            }
            out.push_back(string(text));
            for (string& call : values.note(text)) out.push_back(std::move(call));
        }
        if (lines.empty()) return std::nullopt;
        auto [least, most] = std::minmax_element(lines.begin(), lines.end());
        for (int line = first_line(module, each.head).value_or(*least); line <= *most; ++line)
            told.lines.insert(line);
        return joined(out, "\n");
    });
    return without_unrolling(made) + "\ndeclare void @" + emulator_abi::names::line + "(i32)\n" +
           assignments::helpers();
}

}  // namespace rewriter
