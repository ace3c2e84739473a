#include "rewrites.hpp"

namespace rewriter {

constexpr string_view annotation_list = "@llvm.global.annotations = ";

// The integers of a constant structure: { i32 2, i32 1 }.
static std::vector<long long> integers(string_view value) {
    std::vector<long long> found;
    for (size_t at = 0; (at = value.find("i32 ", at)) != value.npos; at += 4)
        if (auto number = cursor(value, at + 4).number()) found.push_back(*number);
    return found;
}

string without_annotations(string_view module, annotations& told) {
    std::map<string_view, string_view> strings = strings_of(module), arguments;
    string_view line;
    for (string_view each : lines_of(module)) {
        if (starts_with(each, annotation_list)) line = each;
        if (!starts_with(each, "@")) continue;
        auto variable = variable_of(each);
        if (variable && variable->constant && starts_with(variable->rest, " {"))
            arguments[variable->name] = variable->rest;
    }
    if (line.empty()) return string(module);
    auto all = variable_of(line);
    cursor read(all ? all->rest : line);
    read.eat(" ");
    auto rows = read.brackets();
    if (!rows) unknown_form("annotations", module, line);
    for (string_view row :
         split(*rows)) {  // { ptr, ... } { ptr @what, ptr @text, ptr, i32, ptr @arguments }
        cursor fields(row);
        fields.type();
        fields.eat(" ");
        auto inside = fields.brackets();
        std::vector<string_view> parts = inside ? split(*inside) : std::vector<string_view>();
        if (parts.size() != 5) unknown_form("annotations", module, row);
        string_view name = argument_of(parts[0]).value, given = argument_of(parts[4]).value;
        auto text = strings.find(argument_of(parts[1]).value);
        if (text == strings.end() || name.empty() || name[0] != '@')
            unknown_form("annotations", module, row);
        std::vector<long long> numbers;
        if (auto found = arguments.find(given); found != arguments.end())
            numbers = integers(found->second);
        // Any other text is the program's own, and means nothing to a GPU either.
        bool cluster = text->second == "cluster_dims", bound = text->second == "launch_bounds";
        if ((cluster || bound) && numbers.empty()) unknown_form("annotations", module, row);
        if (text->second == "managed") told.managed.insert(string(name));
        if (cluster) {
            numbers.resize(3, 1);
            told.clusters[string(bare(name))] = numbers;
        }
        if (bound) told.bounds[string(bare(name))] = numbers[0];
    }
    return replaced(module, line, "");
}

}  // namespace rewriter
