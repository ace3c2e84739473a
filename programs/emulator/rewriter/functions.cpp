#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace {

struct attribute_groups {
    std::set<string_view> own_function;  // "#1": functions that may not become a part of others
    std::set<string_view> no_memory;  // functions that touch no memory
};

attribute_groups groups_of(string_view module) {
    attribute_groups found;
    for (string_view line : lines_of(module)) {
        cursor read(line);
        if (!read.eat("attributes ")) continue;
        string_view name = read.rest().substr(0, read.rest().find(' '));
        // Whole words of it; what stands in quotes says nothing of this.
        string outside;
        bool quoted = false;
        for (char c : line) {
            quoted ^= c == '"';
            if (!quoted) outside += c;
        }
        if (holds(outside, " noinline ") || holds(outside, " optnone "))
            found.own_function.insert(name);
        if (holds(outside, " memory(none)")) found.no_memory.insert(name);
    }
    return found;
}

// Where the group of attributes ("#1") stands in a definition's first line; npos if nowhere.
size_t group_place(const function& one) {
    size_t name_end = size_t(one.name.data() - one.head.data()) + one.name.size();
    size_t close = balanced(one.head, name_end);
    if (close == string_view::npos) return close;
    cursor read(one.head, close);
    if (!read.eat(" local_unnamed_addr")) read.eat(" unnamed_addr");
    read.eat(" alwaysinline");
    return read.eat(" #") ? read.at() - 1 : string_view::npos;
}

string_view group_at(string_view head, size_t place) {
    return head.substr(place, head.find(' ', place) - place);
}

}  // namespace

string inlined(string_view module) {
    calls all(module);
    attribute_groups groups = groups_of(module);
    calls::names called;
    for (const function& each : functions_of(module))
        for (string_view other : all.called(bare(each.name))) called.insert(other);
    return with_functions(module, [&](const function& each) -> std::optional<string> {
        string_view name = bare(each.name);
        // Of a kernel the checks would be lost: what is put around it later is not looked at.
        if (!called.count(name)) return std::nullopt;
        calls::names reached = all.reached(name);
        if (!reached.count(emulator_abi::names::active_lanes)) return std::nullopt;
        size_t place = group_place(each);
        if (place == each.head.npos) unknown_form("inlined", module, each.head);
        // Those that the program wants to stay functions stay such: lanes of two calls meet there.
        if (groups.own_function.count(group_at(each.head, place))) return std::nullopt;
        // A function that calls itself cannot become a part of its callers.
        for (string_view other : reached)
            if (all.called(other).count(name)) return std::nullopt;
        return string(each.head.substr(0, place)) + "alwaysinline " +
               string(each.head.substr(place)) + "\n" + string(each.body);
    });
}

string all_checked(string_view module) {
    attribute_groups groups = groups_of(module);
    for (const function& each : functions_of(module))
        if (group_place(each) == each.head.npos) unknown_form("all_checked", module, each.head);
    return with_lines(module, [&](string_view line) -> std::optional<string> {
        size_t open = line.find(" = {");
        if (!starts_with(line, "attributes #") || open == line.npos) return std::nullopt;
        if (holds(line, "disable_sanitizer_instrumentation"))
            unknown_form("all_checked", module, line);
        // A function that touches no memory needs no look.
        if (groups.no_memory.count(line.substr(11, open - 11))) return std::nullopt;
        return string(line.substr(0, open + 4)) + " sanitize_thread" +
               string(line.substr(open + 4));
    });
}

}  // namespace rewriter
