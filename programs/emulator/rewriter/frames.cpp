#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

string frames(string_view module) {
    const string name = emulator_abi::names::frame;
    string made = with_lines(module, [&](string_view line) -> std::optional<string> {
        auto found = stack_variable_of(line);
        if (!found) return std::nullopt;
        string_view type = found->type;
        if (type.empty() || type == "inalloca" || type == "swifterror")
            unknown_form("frames", module, line);
        // One number, pointer or vector takes no more than a register, unless it is one of many.
        bool vector = type[0] == '<' && !starts_with(type, "<{");
        if (!found->counted &&
            (vector || (type[0] != '[' && type[0] != '{' && type[0] != '<' && type[0] != '%')))
            return std::nullopt;
        return string(line) + "\n  call void @" + name + "(ptr captures(none) " +
               string(found->name) + ")";
    });
    return made + "\ndeclare void @" + name +
           "(ptr captures(none)) nounwind memory(inaccessiblemem: readwrite)\n";
}

}  // namespace rewriter
