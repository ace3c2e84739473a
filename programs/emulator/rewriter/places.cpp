#include <cstdlib>

#include "../runtime/abi.hpp"
#include "module.hpp"

namespace rewriter {

// The value of a field of metadata: what follows "name: " up to a comma or bracket.
static string_view field(string_view line, string_view name) {
    size_t at = line.find(name);
    if (at == line.npos) return {};
    at += name.size();
    return line.substr(at, line.find_first_of(",)", at) - at);
}

places::places(string_view module, bool apart) : module_(module), apart_(apart) {
    numbers_[""] = emulator_abi::unknown_place;
    table_.push_back("");
    for (string_view line : lines_of(module)) {
        if (line.empty() || line[0] != '!') continue;
        size_t name_end = line.find(" = ");
        if (name_end == line.npos) continue;
        string_view name = line.substr(0, name_end), value = line.substr(name_end + 3);
        if (starts_with(value, "distinct ")) value.remove_prefix(9);
        if (starts_with(value, "!DILocation(")) {
            locations_[name] = {std::atoi(string(field(value, "line: ")).c_str()),
                                field(value, "scope: ")};
        } else if (starts_with(value, "!DISubprogram(") ||
                   starts_with(value, "!DILexicalBlock")) {  // ...File, too
            scopes_[name] = field(value, " file: ");  // a function's own place is where it begins
            locations_[name] = {std::atoi(string(field(value, " line: ")).c_str()), name};
        } else if (constexpr string_view begin = "!DIFile(filename: \"";
                   starts_with(value, begin)) {
            value.remove_prefix(begin.size());
            files_[name] = value.substr(0, value.find('"'));
        }
    }
}

string_view places::file_of(const location& where) const {
    auto scope = scopes_.find(where.scope);
    if (scope == scopes_.end()) return {};
    auto file = files_.find(scope->second);
    return file == files_.end() ? string_view() : file->second;
}

string places::text(string_view location) const {
    auto found = locations_.find(location);
    if (found == locations_.end() || !found->second.line) return {};
    string_view file = file_of(found->second);
    if (file.empty()) return {};
    return string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(found->second.line);
}

int places::number(string_view location) {
    string where = text(location);
    // Line 0 is code that the compiler made up. All else has a place, or its form is not known.
    if (where.empty() && !location.empty()) {
        auto found = locations_.find(location);
        if (found == locations_.end() || found->second.line)
            unknown_form("places", module_, "the location " + string(location));
    }
    if (apart_) {
        table_.push_back(where);
        return int(table_.size()) - 1;
    }
    auto [row, added] = numbers_.try_emplace(where, int(table_.size()));
    if (added) table_.push_back(where);
    return row->second;
}

int places::line_in(string_view location, string_view file) const {
    auto found = locations_.find(location);
    return found != locations_.end() && ends_with(file_of(found->second), file) ? found->second.line
                                                                                : 0;
}

bool with_steps(string_view module) {
    return holds(module, string("@") + emulator_abi::names::line + "(");
}

}  // namespace rewriter
