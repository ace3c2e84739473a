#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace {

// Whether a line calls through a pointer: what is called stands first after the type, which may be
// a name with a % itself, and attributes with brackets.
bool calls_through_pointer(string_view line) {
    size_t at = line.find("call ");
    if (at == line.npos || line.substr(0, at).find_first_of("\"(") != line.npos) return false;
    for (at += 5; at < line.size();) {
        char c = line[at];
        if (c == '@' || c == '"') return false;  // a function, or inline assembly
        if (c == '(' || c == '[' || c == '{' || c == '<') {
            at = balanced(line, at, true);
            continue;
        }
        size_t end = symbol_end(line, at);
        if (end > at && end < line.size() && line[end] == '(') return true;
        at = end > at ? end : at + 1;
    }
    return false;
}

bool has_indirect_call(string_view body) {
    for (string_view line : lines_of(body))
        if (calls_through_pointer(line)) return true;
    return false;
}

// Whether a body reads or writes volatile memory, for whose change a thread may wait.
bool looks_at_volatile(string_view body) {
    const string access = string("@") + emulator_abi::names::access;
    for (string_view line : lines_of(body)) {
        auto found = call_of(line, access);
        if (!found) continue;
        auto parts = split(found->arguments);
        if (parts.size() != 4) continue;
        auto code = cursor(argument_of(parts[2]).value).number();
        if (code && *code & emulator_abi::access_volatile) return true;
    }
    return false;
}

}  // namespace

calls::calls(string_view module) {
    for (const function& each : functions_of(module)) {
        string_view name = bare(each.name);
        bodies_.emplace(name, each);
        names& called = called_[name];
        for (string_view other : global_symbols(each.body)) called.insert(bare(other));
        called.erase(name);
        if (has_indirect_call(each.body)) indirect_.insert(name);
    }
    for (string_view line : lines_of(module))
        if (starts_with(line, "@"))
            for (string_view name : global_symbols(line))
                if (bodies_.count(bare(name))) pointed_.insert(bare(name));
}

const calls::names& calls::called(string_view name) const {
    static const names none;
    auto found = called_.find(name);
    return found == called_.end() ? none : found->second;
}

calls::names calls::reached(string_view start) const {
    names seen = {start};
    std::vector<string_view> waiting = {start};
    while (!waiting.empty()) {
        string_view next = waiting.back();
        waiting.pop_back();
        for (string_view name : called(next))
            if (seen.insert(name).second) waiting.push_back(name);
    }
    return seen;
}

bool calls::indirect() const { return !indirect_.empty(); }

bool calls::yields(string_view start) const {
    for (string_view name : reached(start)) {
        for (const char* yielding : emulator_abi::names::yielding)
            if (name == yielding) return true;
        auto body = bodies_.find(name);
        if (body == bodies_.end()) continue;
        if (indirect_.count(name) || looks_at_volatile(body->second.body)) return true;
    }
    return false;
}

std::set<long long> calls::shared(string_view start) const {
    names all = reached(start);
    bool through_pointer = false;
    for (string_view name : all) through_pointer |= indirect_.count(name) > 0;
    if (through_pointer)
        for (string_view name : pointed_)
            for (string_view other : reached(name)) all.insert(other);
    const string asked = string("@") + emulator_abi::names::shared + "(i32 ";
    std::set<long long> found;
    for (string_view name : all) {
        auto body = bodies_.find(name);
        if (body == bodies_.end()) continue;
        string_view text = body->second.body;
        for (size_t at = 0; (at = text.find(asked, at)) != text.npos; at += asked.size())
            if (auto number = cursor(text, at + asked.size()).number()) found.insert(*number);
    }
    return found;
}

}  // namespace rewriter
