#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

string frames(string_view module) {
    const string name = emulator_abi::names::frame;
    string made = with_lines(module, [&](string_view line) -> std::optional<string> {
        if (!starts_with(line, "  ") || line.substr(2, 1) == ";" || !holds(line, " alloca "))
            return std::nullopt;
        cursor read(line, 2);
        string_view variable = read.symbol('%');
        if (variable.empty() || !read.eat(" = ")) return std::nullopt;
        if (!read.eat("alloca ")) return std::nullopt;
        string_view type = read.type();
        if (type.empty() || type == "inalloca" || type == "swifterror")
            unknown_form("frames", module, line);
        // One number, pointer or vector takes no more than a register, unless it is one of many.
        bool counted = starts_with(read.rest(), ", i");
        bool vector = type[0] == '<' && !starts_with(type, "<{");
        if (!counted &&
            (vector || (type[0] != '[' && type[0] != '{' && type[0] != '<' && type[0] != '%')))
            return std::nullopt;
        return string(line) + "\n  call void @" + name + "(ptr captures(none) " + string(variable) +
               ")";
    });
    return made + "\ndeclare void @" + name +
           "(ptr captures(none)) nounwind memory(inaccessiblemem: readwrite)\n";
}

}  // namespace rewriter
