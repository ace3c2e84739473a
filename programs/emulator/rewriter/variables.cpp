#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace names = emulator_abi::names;

namespace {

string guard() { return "[" + std::to_string(emulator_abi::variable_guard_bytes) + " x i8]"; }

// Where the line of a variable ends in a text that its parts are views of.
string_view line_of(const variable& one) {
    const char* begin = one.before.data();
    return string_view(begin, size_t(one.rest.data() + one.rest.size() - begin));
}

string with(string_view module, string_view line, string_view by) {
    size_t at = size_t(line.data() - module.data());
    return string(module.substr(0, at)) + string(by) + string(module.substr(at + line.size()));
}

}  // namespace

string guarded(string_view module, string_view name) {
    auto found = find_variable(module, name);
    if (!found || found->declared_only())
        unknown_form("guarded", module, found ? line_of(*found) : name);
    std::vector<string_view> parts = split(found->rest);  // the value, then attributes
    string type(found->type);
    string line = string(found->before) + "<{ " + type + ", " + guard() + " }> <{ " + type + " " +
                  string(parts[0]) + ", " + guard() + " zeroinitializer }>";
    for (size_t i = 1; i < parts.size(); ++i) line += ", " + string(parts[i]);
    return with(module, line_of(*found), line);
}

// What a variable of one file is called where it is defined in relocatable device code ends in this
// and a number; elsewhere it has its plain name.
constexpr string_view of_one_file = "__static__";

static string_view plain_name(string_view name) { return name.substr(0, name.find(of_one_file)); }

string named_as_defined(string_view module) {
    string made(module);
    if (!holds(module, of_one_file)) return made;
    for (string_view line : lines_of(module)) {
        auto found = starts_with(line, "@") ? variable_of(line) : std::nullopt;
        if (!found || plain_name(found->name) == found->name) continue;
        string plain(plain_name(found->name));
        size_t declaration = made.find("\n" + plain + " = external ");
        if (declaration == made.npos) continue;
        made.erase(declaration, made.find('\n', declaration + 1) - declaration);
        made = replace_symbol(made, plain, found->name);
    }
    return made;
}

string managed_variable(string_view module, string& host, string_view name) {
    host = replace_symbol(host, plain_name(name), name);
    auto found = find_variable(module, bare(name)), shadow = find_variable(host, bare(name));
    if (!found || !shadow || found->constant || shadow->constant)
        lacking("a managed variable of this form (" + string(bare(name)) + ")");
    string symbol(name), type(found->type);
    host = with(host, line_of(*shadow), symbol + " = global " + type + string(found->rest));
    return with(module, line_of(*found), symbol + " = external global " + type);
}

string variables_table(string_view module) {
    std::vector<string> rows;
    for (string_view line : lines_of(module)) {
        if (!starts_with(line, "@")) continue;
        auto found = variable_of(line);
        if (!found) {
            // An alias is another name for a variable that has a line of its own.
            if (!holds(line, " alias ")) unknown_form("variables_table", module, line);
            continue;
        }
        // What stands elsewhere, the rewriter's own tables, and lists for the linker.
        if (found->declared_only() || starts_with(found->linkage, "appending") ||
            starts_with(found->name, "@__emu_") || starts_with(found->name, "@llvm."))
            continue;
        string name(found->name), type(found->type);
        string end = ends_with(type, ", " + guard() + " }>") ? "i32 0, i32 1" : "i32 1";
        rows.push_back("{ptr, ptr} {ptr " + name + ", ptr getelementptr (" + type + ", ptr " +
                       name + ", " + end + ")}");
    }
    rows.push_back("{ptr, ptr} zeroinitializer");
    return string(module) + "\n@" + names::device_image + " = constant [" +
           std::to_string(rows.size()) + " x {ptr, ptr}] [" + joined(rows, ", ") + "]\n";
}

}  // namespace rewriter
