#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace {

struct copy {
    string_view indent;
    std::vector<string_view> arguments;
    string_view rest;
};

// A call of LLVM's memcpy, memmove or memset.
std::optional<copy> copy_of(string_view line) {
    for (string_view name : {"@llvm.memcpy.", "@llvm.memmove.", "@llvm.memset."}) {
        auto found = call_of(line, name, false);
        if (!found) continue;
        copy made{line.substr(0, line.find_first_not_of(' ')), split(found->arguments),
                  found->rest};
        string_view before = trimmed(found->before);
        bool plain = before == "call void" || before == "tail call void";
        return plain && made.arguments.size() == 4 && !holds(found->name, ".element.")
                   ? std::optional(made)
                   : std::nullopt;
    }
    return std::nullopt;
}

// Whether a line calls a function that copies or fills, in whatever form.
bool may_copy(string_view line) { return starts_with(line, "  ") && holds(line, "@llvm.mem"); }

}  // namespace

string without_padding(string_view module) {
    std::set<string_view> nothing;  // descriptions of structures without a field
    for (string_view line : lines_of(module))
        if (starts_with(line, "!") && ends_with(line, " = !{}"))
            nothing.insert(line.substr(0, line.size() - 6));
    string all;
    bool first = true;
    for (string_view line : lines_of(module)) {
        constexpr string_view mark = "!tbaa.struct ";
        size_t at = line.find(mark);
        if (starts_with(line, "  ") && at != line.npos) {
            string_view described = line.substr(at + mark.size());
            // Copies of what does have fields stay.
            if (nothing.count(described.substr(0, described.find(',')))) {
                if (!copy_of(line)) unknown_form("without_padding", module, line);
                continue;
            }
        }
        if (!first) all += '\n';
        first = false;
        all += line;
    }
    return all;
}

string aligned_copies(string_view module) {
    const string name = emulator_abi::names::aligned;
    string made = with_lines(module, [&](string_view line) -> std::optional<string> {
        if (!may_copy(line)) return std::nullopt;
        auto found = copy_of(line);
        if (!found) unknown_form("aligned_copies", module, line);
        string_view location = debug_location(found->rest);
        string debug = location.empty() ? "" : ", !dbg " + string(location), all;
        bool fills = holds(line, "@llvm.memset.");
        // Else a local array would count as one that others may see, and each access get a check.
        string kind = fills ? "ptr captures(none) " : "ptr ";
        for (int i : {0, 1}) {  // to, from
            if (i && fills) continue;  // a value, not an address
            argument pointer = argument_of(found->arguments[size_t(i)]);
            if (pointer.type != "ptr" || pointer.value.empty())
                unknown_form("aligned_copies", module, line);
            size_t at = pointer.attributes.find("align ");
            auto alignment = at == string_view::npos ? std::nullopt
                                                     : cursor(pointer.attributes, at + 6).number();
            if (alignment.value_or(1) == 1) continue;  // any address will do
            all += string(found->indent) + "call void @" + name + "(" + kind +
                   string(pointer.value) + ", i32 " + std::to_string(*alignment) + ", i32 " +
                   (i ? "0" : "1") + ", i32 0)" + debug + "\n";
        }
        return all + string(line);
    });
    return made + "\ndeclare void @" + name + "(ptr, i32, i32, i32)\n";
}

}  // namespace rewriter
