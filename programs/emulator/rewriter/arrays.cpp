#include <cstdlib>

#include "metadata.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace {

// The last name of one that the compiler mangled: "tile" of _ZZ6kernelvE4tile.
string last_name(string_view symbol) {
    string_view name = bare(symbol);
    if (!starts_with(name, "_Z")) return string(name);
    for (size_t at = name.size(); at-- > 0;) {
        if (name[at] < '0' || name[at] > '9') continue;
        for (size_t begin = at; name[begin] >= '0' && name[begin] <= '9'; --begin) {
            const string digits(name.substr(begin, at + 1 - begin));
            const size_t length = size_t(std::atoi(digits.c_str()));
            size_t left = name.size() - at - 1;
            if (left > 0 && name.back() == 'E') --left;
            if (length && length == left) return string(name.substr(at + 1, length));
        }
    }
    return string(name);
}

// Reads what the debug information says of a variable that is defined; false if it says nothing.
bool described(const metadata& all, string_view line, shown::array& made) {
    string_view expression = all.node(debug_location(line));
    string_view found = all.node(metadata::field(expression, "var"));
    string_view type = metadata::field(found, "type");
    if (type.empty()) return false;
    made.name = metadata::field(found, "name");
    string_view array = all.node(type);
    if (metadata::field(array, "tag") == "DW_TAG_array_type") {
        type = metadata::field(array, "baseType");
        string_view ranges = all.node(metadata::field(array, "elements"));
        for (string_view each : split(ranges.substr(2, ranges.size() - 3))) {
            const long long count = metadata::number(all.node(trimmed(each)), "count");
            made.extents += (made.extents.empty() ? "" : "x") + std::to_string(count);
        }
    } else {
        made.extents = "1";
    }
    made.kind = all.kind_of(type);
    made.bytes = all.bytes_of(type);
    return true;
}

}  // namespace

std::vector<shown::array> shown_arrays(string_view module) {
    const metadata all(module);
    std::vector<shown::array> made;
    int number = 0;
    for (string_view line : lines_of(module)) {
        auto found = shared_variable_of(line);
        if (!found) continue;
        shown::array one{found->number, "", "x", 0, ""};
        if (found->number == 0) one.number = number++;
        if (!described(all, line, one)) {
            one.name = last_name(found->name);
            constexpr string_view begin = "[0 x ";
            if (found->number < 0) {
                string_view element = found->type.substr(begin.size());
                element.remove_suffix(1);
                one.kind = metadata::kind_of_assembly(element);
                one.bytes = one.kind == "x" ? 4 : one.kind[1] - '0';
                if (starts_with(element, "%struct.") && one.kind != "x")
                    one.bytes *= element.back() - '0';
            }
        }
        if (one.bytes > 0) made.push_back(std::move(one));
    }
    return made;
}

}  // namespace rewriter
