#include "module.hpp"

#include <cstdio>
#include <cstdlib>

namespace rewriter {

void lacking(const string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::exit(3);
}

void unknown_form(string_view rewrite, string_view module, string_view line) {
    string place = places(module).text(debug_location(line));
    std::fprintf(stderr,
                 "%s%sthe rewrite \"%.*s\" does not know this form: %.*s; teach it the form, or "
                 "write the program without\n",
                 place.c_str(), place.empty() ? "" : ": ", int(rewrite.size()), rewrite.data(),
                 int(trimmed(line).size()), trimmed(line).data());
    std::exit(4);
}

std::vector<function> functions_of(string_view module) {
    std::vector<function> found;
    size_t at = 0;
    while (at < module.size()) {
        size_t line_end = module.find('\n', at);
        if (line_end == module.npos) line_end = module.size();
        string_view line = module.substr(at, line_end - at);
        size_t end;
        if (starts_with(line, "define ") && ends_with(line, "{") &&
            (end = module.find("\n}", line_end)) != module.npos) {
            end += 2;
            size_t name = line.find('@');
            found.push_back({at, end, line, module.substr(line_end + 1, end - line_end - 1),
                             line.substr(name, symbol_end(line, name) - name)});
            at = end;
        } else {
            at = line_end + 1;
        }
    }
    return found;
}

string with_functions(string_view module,
                      const std::function<std::optional<string>(const function&)>& rewrite) {
    string all;
    size_t begin = 0;
    for (const function& one : functions_of(module)) {
        if (std::optional<string> made = rewrite(one)) {
            all += module.substr(begin, one.begin - begin);
            all += *made;
            begin = one.end;
        }
    }
    all += module.substr(begin);
    return all;
}

string with_lines(string_view module,
                  const std::function<std::optional<string>(string_view line)>& rewrite) {
    string all;
    all.reserve(module.size() + module.size() / 8);
    bool first = true;
    for (string_view line : lines_of(module)) {
        if (!first) all += '\n';
        first = false;
        if (std::optional<string> made = rewrite(line))
            all += *made;
        else
            all += line;
    }
    return all;
}

bool variable::declared_only() const {
    string_view word = linkage.substr(0, linkage.find(' '));
    return word == "external" || word == "extern_weak" || word == "available_externally";
}

std::optional<variable> variable_of(string_view line) {
    cursor read(line);
    variable made{};
    made.name = read.symbol('@');
    if (made.name.empty() || !read.eat(" = ")) return std::nullopt;
    size_t begin = read.at();
    for (;;) {
        size_t before = read.at();
        string_view word = read.word();
        if (word.empty() || word == "alias" || word == "ifunc") return std::nullopt;
        if (read.peek() == '(' && !read.brackets()) return std::nullopt;
        if (!read.eat(" ")) return std::nullopt;
        if (word != "global" && word != "constant") continue;
        made.linkage = trimmed(line.substr(begin, before - begin));
        made.constant = word == "constant";
        break;
    }
    made.before = line.substr(0, read.at());
    made.type = read.type();
    made.rest = read.rest();
    return made.type.empty() ? std::nullopt : std::optional(made);
}

std::optional<variable> find_variable(string_view module, string_view name) {
    for (bool quoted : {false, true}) {
        string wanted = quoted ? "\n@\"" + string(name) + "\" = " : "\n@" + string(name) + " = ";
        size_t at = starts_with(module, wanted.substr(1)) ? 0 : module.find(wanted);
        if (at == module.npos) continue;
        if (module[at] == '\n') ++at;
        if (auto found = variable_of(module.substr(at, module.find('\n', at) - at))) return found;
    }
    return std::nullopt;
}

std::map<string_view, string_view> strings_of(string_view module) {
    std::map<string_view, string_view> found;
    for (string_view line : lines_of(module)) {
        if (!starts_with(line, "@")) continue;
        auto variable = variable_of(line);
        if (!variable || !starts_with(variable->rest, " c\"")) continue;
        string_view text = variable->rest.substr(3);
        text = text.substr(0, text.find('"'));
        if (ends_with(text, "\\00")) found[variable->name] = text.substr(0, text.size() - 3);
    }
    return found;
}

string word_of(string_view module) { return holds(module, "triple = \"x86_64") ? "i64" : "i32"; }

string size_of(string_view type, string_view word) {
    return string(word) + " ptrtoint (ptr getelementptr (" + string(type) +
           ", ptr null, i32 1) to " + string(word) + ")";
}

std::optional<stack_variable> stack_variable_of(string_view line) {
    cursor read(line);
    if (!read.eat("  ")) return std::nullopt;
    string_view name = read.symbol('%');
    if (name.empty() || !read.eat(" = alloca ")) return std::nullopt;
    string_view type = read.type();
    return stack_variable{name, type, starts_with(read.rest(), ", i")};
}

}  // namespace rewriter
