#include "rewrites.hpp"

namespace rewriter {

namespace {

// An instruction "  %name = OPERATION flags TYPE %first, %second".
struct operation {
    string_view name, kind, type, first, second, rest;
};

std::optional<operation> operation_of(string_view line, std::initializer_list<string_view> kinds) {
    cursor read(line);
    if (!read.eat("  ")) return std::nullopt;
    operation found;
    found.name = read.symbol('%');
    if (found.name.empty() || !read.eat(" = ")) return std::nullopt;
    for (string_view kind : kinds)
        if (found.kind.empty() && read.eat(kind)) found.kind = kind;
    if (found.kind.empty()) return std::nullopt;
    for (string_view flag : {"nuw ", "nsw ", "exact "}) read.eat(flag);
    found.type = read.type();
    read.eat(" ");
    std::vector<string_view> parts = split(read.rest());
    if (parts.size() < 2) return std::nullopt;
    found.first = parts[0];
    found.second = parts[1];
    size_t end = size_t(parts[1].data() - line.data()) + parts[1].size();
    found.rest = line.substr(end);
    return found;
}

// Bits of the types for which C++ has such an operation; 0 for others.
int bits_of(string_view type) { return type == "i32" ? 32 : type == "i64" ? 64 : 0; }

// A GPU shifts out all bits where the number is the width or more.
string shifted(const operation& of) {
    const int bits = bits_of(of.type);
    const string type(of.type), over = derived(of.name, ".emu.o"), by = derived(of.name, ".emu.b"),
                                whole = derived(of.name, ".emu.s"), second(of.second),
                                name(of.name);
    const bool keeps_sign = of.kind == "ashr ";
    string all = "  " + over + " = icmp uge " + type + " " + second + ", " + std::to_string(bits) +
                 "\n  " + by + " = select i1 " + over + ", " + type + " " +
                 std::to_string(keeps_sign ? bits - 1 : 0) + ", " + type + " " + second + "\n";
    all += "  " + (keeps_sign ? name : whole) + " = " + string(of.kind) + type + " " +
           string(of.first) + ", " + by;
    if (!keeps_sign)
        all += "\n  " + name + " = select i1 " + over + ", " + type + " 0, " + type + " " + whole;
    return all + string(of.rest);
}

// The least number divided by -1 is itself; a processor would stop the program.
string divided(const operation& of) {
    const string type(of.type), minus = derived(of.name, ".emu.m"), by = derived(of.name, ".emu.d"),
                                whole = derived(of.name, ".emu.q"),
                                negated = derived(of.name, ".emu.g"), second(of.second),
                                name(of.name), first(of.first);
    const bool remains = of.kind == "srem ";
    string all = "  " + minus + " = icmp eq " + type + " " + second + ", -1\n  " + by +
                 " = select i1 " + minus + ", " + type + " 1, " + type + " " + second + "\n  " +
                 (remains ? name : whole) + " = " + string(of.kind) + type + " " + first + ", " +
                 by;
    if (!remains)
        all += string(of.rest) + "\n  " + negated + " = sub " + type + " 0, " + first + "\n  " +
               name + " = select i1 " + minus + ", " + type + " " + negated + ", " + type + " " +
               whole;
    return all + string(of.rest);
}

}  // namespace

string without_undefined(string_view module) {
    return with_lines(module, [&](string_view line) -> std::optional<string> {
        auto found = operation_of(line, {"shl ", "lshr ", "ashr ", "sdiv ", "srem "});
        if (!found || found->second[0] != '%' || !bits_of(found->type)) return std::nullopt;
        return found->kind[0] == 's' && found->kind[1] != 'h' ? divided(*found) : shifted(*found);
    });
}

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
