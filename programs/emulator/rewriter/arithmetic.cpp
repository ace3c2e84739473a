#include "rewrites.hpp"

namespace rewriter {

string saturated(string_view module) {
    std::set<string> used;
    string made = with_lines(module, [&](string_view line) -> std::optional<string> {
        size_t indent = line.find_first_not_of(' ');
        if (indent == line.npos || !indent) return std::nullopt;
        cursor read(line, indent);
        string_view name = read.symbol('%');
        bool is_signed = false;
        if (name.empty() || !read.eat(" = ")) return std::nullopt;
        if (read.eat("fptosi "))
            is_signed = true;
        else if (!read.eat("fptoui "))
            return std::nullopt;
        string_view kind = read.type();
        string suffix = kind == "half"     ? "f16"
                        : kind == "float"  ? "f32"
                        : kind == "double" ? "f64"
                                           : "";
        read.eat(" ");
        size_t to = read.rest().find(" to i");
        if (suffix.empty() || to == line.npos) unknown_form("saturated", module, line);
        string value(read.rest().substr(0, to));
        cursor after(read.rest(), to + 5);
        auto bits = after.number();
        if (!bits || *bits > 64 || holds(value, " ") || (after.peek() && after.peek() != ','))
            unknown_form("saturated", module, line);
        string wide = std::to_string(*bits > 32 ? *bits : 32);
        string function =
            "@llvm.fpto" + string(is_signed ? "s" : "u") + "i.sat.i" + wide + "." + suffix;
        string of_kind = string(kind) + " " + value, begin(line.substr(0, indent));
        used.insert("declare i" + wide + " " + function + "(" + string(kind) + ")");
        string result = derived(name, ".emu.w");
        string all = begin + result + " = call i" + wide + " " + function + "(" + of_kind + ")\n";
        if (wide == "64" ||
            kind == "double") {  // there, what is no number becomes the highest bit alone
            string unordered = derived(name, ".emu.u"), chosen = derived(name, ".emu.n");
            string highest =
                "-" + std::to_string(1ULL << (wide == "64" ? 63 : std::stoi(wide) - 1));
            all += begin + unordered + " = fcmp uno " + of_kind + ", " + value + "\n" + begin +
                   chosen + " = select i1 " + unordered + ", i" + wide + " " + highest + ", i" +
                   wide + " " + result + "\n";
            result = chosen;
        }
        all += begin + string(name) + " = ";
        if (std::to_string(*bits) != wide)
            all += "trunc i" + wide + " " + result + " to i" + std::to_string(*bits);
        else
            all += "add i" + wide + " " + result + ", 0";
        return all + string(after.rest());
    });
    std::vector<string> parts = {made};
    for (const string& line : used)
        if (!holds(made, line)) parts.push_back(line);
    return joined(parts, "\n") + "\n";
}

}  // namespace rewriter
