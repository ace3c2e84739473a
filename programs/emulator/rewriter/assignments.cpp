#include "assignments.hpp"

#include <algorithm>

#include "../runtime/abi.hpp"

namespace rewriter {

namespace {

// Types of LLVM that are shown, and how one becomes 64 bits.
constexpr struct {
    string_view type, word, made;
} scalars[] = {{"i8", "i8", "zext"}, {"i16", "i16", "zext"},   {"i32", "i32", "zext"},
               {"i64", "i64", ""},   {"float", "i32", "zext"}, {"double", "i64", ""}};

constexpr string_view helper_prefix = "__emu_assigned_";

// The variable that a store writes to, and the value with its type; none if it is another line.
struct assignment {
    string_view type, value, place;
};
std::optional<assignment> assignment_of(string_view line) {
    cursor read(line);
    if (!read.eat("  store ")) return std::nullopt;
    read.eat("volatile ");
    std::vector<string_view> parts = split(read.rest());
    if (parts.size() < 2) return std::nullopt;
    cursor value(parts[0]);
    string_view type = value.type();
    cursor place(trimmed(parts[1]));
    if (!place.eat("ptr ")) return std::nullopt;
    return assignment{type, trimmed(value.rest()), place.symbol('%')};
}

bool is_load(string_view line, string_view place) {
    cursor read(line);
    if (!read.eat("  ") || read.symbol('%').empty() || !read.eat(" = load ")) return false;
    read.eat("volatile ");
    read.type();
    return read.eat(", ptr ") && read.symbol('%') == place;
}

bool of_lifetime(string_view line) { return holds(line, "@llvm.lifetime."); }

bool calls_something(string_view line) {
    cursor read(line);
    if (!read.eat("  ")) return false;
    if (!read.symbol('%').empty()) read.eat(" = ");
    return read.eat("call ") || read.eat("tail call ");
}

}  // namespace

assignments::assignments(string_view module, string_view source, const std::vector<string>& kernels,
                         shown& told)
    : all_(module), source_(source), kernels_(kernels.begin(), kernels.end()), told_(told) {
    for (auto& [name, node] : all_.nodes()) {
        if (!starts_with(node, "!DILocation(")) continue;
        const int line = int(metadata::number(node, "line"));
        string_view scope = metadata::field(node, "scope");
        while (!scope.empty()) {
            int& last = last_lines_[scope];
            last = std::max(last, line);
            string_view found = all_.node(scope);
            if (!starts_with(found, "!DILexicalBlock")) break;
            scope = metadata::field(found, "scope");
        }
    }
}

int assignments::last_line(string_view scope) const {
    auto found = last_lines_.find(scope);
    return found == last_lines_.end() ? 0 : found->second;
}

// Instances of a template have variables of their own: those of one line are shown as one.
int assignments::number_of(string_view description, string_view type) {
    string_view file = metadata::field(all_.node(metadata::field(description, "file")), "filename");
    if (!ends_with(file, source_)) return -1;
    shown::variable one{string(metadata::field(description, "name")),
                        int(metadata::number(description, "line")),
                        last_line(metadata::field(description, "scope")),
                        all_.kind_of(metadata::field(description, "type"))};
    const bool whole = type == "float" || type == "double";
    if (one.kind == "x" || (one.kind[0] == 'f') != whole || one.name.empty()) return -1;
    for (size_t i = 0; i < told_.variables.size(); ++i) {
        const shown::variable& other = told_.variables[i];
        if (other.name == one.name && other.first == one.first && other.last == one.last &&
            other.kind == one.kind)
            return int(i);
    }
    told_.variables.push_back(std::move(one));
    return int(told_.variables.size()) - 1;
}

void assignments::enter(const function& each) {
    locals_.clear();
    std::vector<string_view> lines = lines_of(each.body);
    for (string_view line : lines) {
        auto found = stack_variable_of(line);
        if (!found || found->counted) continue;
        for (auto& known : scalars)
            if (found->type == known.type) locals_[found->name] = {found->type, -1, {}};
    }
    std::map<string_view, string_view> described;
    for (string_view line : lines) {
        constexpr string_view declare = "  #dbg_declare(";
        string_view text = trimmed(line);
        if (starts_with(text, trimmed(declare))) {
            cursor read(text, text.find("ptr ") + 4);
            string_view name = read.symbol('%');
            if (read.eat(", ")) described[name] = read.rest().substr(0, read.rest().find(','));
            continue;
        }
        for (size_t at = 0; (at = line.find('%', at)) != line.npos;) {
            const size_t end = symbol_end(line, at);
            auto local = locals_.find(line.substr(at, end - at));
            if (local != locals_.end()) local->second.uses.push_back(line);
            at = std::max(end, at + 1);
        }
    }
    const bool kernel = kernels_.count(string(bare(each.name)));
    for (auto& [name, local] : locals_) {
        auto found = described.find(name);
        if (found == described.end()) continue;
        // Whatever keeps its address may change it unseen.
        size_t stores = 0;
        bool seen = true;
        for (string_view use : local.uses) {
            if (stack_variable_of(use)) continue;
            auto stored = assignment_of(use);
            if (stored && stored->place == name && stored->value != name)
                ++stores;
            else if (!is_load(use, name) && !calls_something(use))
                seen = false;
        }
        string_view description = all_.node(found->second);
        if (kernel && metadata::number(description, "arg") && stores < 2) continue;
        if (seen) local.number = number_of(description, local.type);
    }
}

std::vector<string> assignments::note(string_view line) {
    auto told = [](const local& one, string_view value) {
        return "  call void @" + string(helper_prefix) + string(one.type) + "(i32 " +
               std::to_string(one.number) + ", " + string(one.type) + " " + string(value) + ")";
    };
    std::vector<string> made;
    if (auto stored = assignment_of(line)) {
        auto found = locals_.find(stored->place);
        if (found != locals_.end() && found->second.number >= 0)
            made.push_back(told(found->second, stored->value));
        return made;
    }
    if (!calls_something(line) || of_lifetime(line)) return made;
    for (auto& [name, local] : locals_) {  // what it may have changed
        if (local.number < 0 || find_symbol(line, name) == line.npos) continue;
        string value = "%emu.assigned" + std::to_string(loads_++);
        made.push_back("  " + value + " = load " + string(local.type) + ", ptr " + string(name));
        made.push_back(told(local, value));
    }
    return made;
}

string assignments::helpers() {
    string made;
    for (auto& each : scalars) {
        const string type(each.type), word(each.word);
        string value = "%value";
        made += "define internal void @" + string(helper_prefix) + type + "(i32 %variable, " +
                type + " %value) alwaysinline {\n";
        if (type != word) {
            made += "  %word = bitcast " + type + " %value to " + word + "\n";
            value = "%word";
        }
        if (!each.made.empty()) {
            made += "  %bits = " + string(each.made) + " " + word + " " + value + " to i64\n";
            value = "%bits";
        }
        made += string("  call void @") + emulator_abi::names::assigned + "(i32 %variable, i64 " +
                value + ")\n  ret void\n}\n";
    }
    return made + "declare void @" + emulator_abi::names::assigned + "(i32, i64)\n";
}

}  // namespace rewriter
