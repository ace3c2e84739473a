#include "rewrites.hpp"

namespace rewriter {

namespace {

constexpr string_view of_gpu = "0x7FFFFFFFE0000000";  // 0x7fffffff, as LLVM writes a float

// What an instruction computes, if it is a `float`: the name; `from` gets the values that a phi or
// a select takes over.
string_view computed(string_view line, std::vector<string_view>& from) {
    cursor read(line);
    if (!read.eat("  ")) return {};
    string_view name = read.symbol('%');
    if (name.empty() || !read.eat(" = ")) return {};
    read.eat("tail ");
    string_view kind = read.word();
    for (string_view flag :
         {" fast", " reassoc", " nnan", " ninf", " nsz", " arcp", " contract", " afn"})
        read.eat(flag);
    read.eat(" ");
    if (kind == "phi" || kind == "select") {
        if (kind == "select") {  // i1 %condition, float %one, float %other
            string_view rest = read.rest();
            for (string_view part : split(rest)) {
                argument given = argument_of(part);
                if (given.type == "float") from.push_back(given.value);
            }
            return from.empty() ? string_view() : name;
        }
        if (!read.eat("float ")) return {};
        string_view rest = read.rest();
        for (size_t at = 0; (at = rest.find("[ ", at)) != rest.npos; ++at) {
            cursor value(rest, at + 2);
            if (string_view one = value.symbol('%'); !one.empty()) from.push_back(one);
        }
        return name;
    }
    bool arithmetic =
        kind == "fadd" || kind == "fsub" || kind == "fmul" || kind == "fdiv" || kind == "frem";
    if (kind == "call" && read.eat("float @")) {  // the compiler's or the C library's
        string_view function = read.rest();
        if (starts_with(function, "llvm.")) function.remove_prefix(5);
        for (string_view other : {"_", "fabs", "copysign"})
            if (starts_with(function, other)) return {};
        return name;
    }
    bool narrowed = kind == "fptrunc" && holds(line, " to float");
    return narrowed || (arithmetic && read.eat("float ")) ? name : string_view();
}

// Whether an instruction looks at bits of its operands or keeps them.
bool looks(string_view line) {
    cursor read(line);
    read.eat("  ");
    bool named = !read.symbol('%').empty() && read.eat(" = ");
    for (string_view kind : {"tail ", "notail "}) read.eat(kind);
    if (named && (read.eat("bitcast float ") || read.eat("fpext ") || read.eat("insertvalue ") ||
                  read.eat("insertelement ")))
        return true;
    if (!named && (read.eat("store float ") || read.eat("ret float "))) return true;
    return read.eat("call ") && !holds(line, "@llvm.");
}

}  // namespace

string canonical(string_view module) {
    return with_functions(module, [&](const function& each) -> std::optional<string> {
        std::vector<string_view> body = lines_of(each.body);
        std::map<string_view, std::vector<string_view>> taken;  // by what takes values over
        std::set<string_view> made;
        for (string_view line : body) {
            std::vector<string_view> from;
            string_view name = computed(line, from);
            if (name.empty()) continue;
            if (from.empty())
                made.insert(name);
            else
                taken[name] = from;
        }
        for (bool more = !made.empty(); more;) {
            more = false;
            for (const auto& [name, from] : taken)
                for (string_view one : from)
                    if (made.count(one) && made.insert(name).second) more = true;
        }
        if (made.empty()) return std::nullopt;
        std::vector<string> lines{string(each.head)};
        int count = 0;
        for (string_view line : body) {
            string changed(line);
            for (size_t at = 0;
                 looks(line) && (at = changed.find("float %", at)) != string::npos;) {
                at += 6;
                string_view name = string_view(changed).substr(at, symbol_end(changed, at) - at);
                auto known = made.find(name);
                if (known == made.end()) continue;
                const string number = std::to_string(count++);
                const string none = "%emu.nan" + number, right = "%emu.float" + number;
                lines.push_back("  " + none + " = fcmp uno float " + string(*known) + ", 0.0");
                lines.push_back("  " + right + " = select i1 " + none + ", float " +
                                string(of_gpu) + ", float " + string(*known));
                changed.replace(at, name.size(), right);
                at += right.size();
            }
            lines.push_back(changed);
        }
        if (!count) return std::nullopt;
        return joined(lines, "\n");
    });
}

}  // namespace rewriter
