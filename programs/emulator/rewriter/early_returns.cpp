#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace names = emulator_abi::names;

namespace {

struct basic_block {
    string_view label;
    std::vector<string_view> next;  // labels that it branches to
    size_t branch = 0;              // the line of that
    bool ends = false;              // the function
};

std::vector<string_view> labels_in(string_view line) {
    std::vector<string_view> found;
    for (size_t at = 0; (at = line.find("label %", at)) != line.npos; ++at) {
        size_t begin = at + 6;
        found.push_back(bare(line.substr(begin, symbol_end(line, begin) - begin)));
    }
    return found;
}

std::vector<basic_block> blocks_of(const std::vector<string_view>& body) {
    std::vector<basic_block> all(1);
    for (size_t i = 0; i < body.size(); ++i) {
        string_view line = body[i];
        size_t colon = line.find(':');
        if (!line.empty() && line[0] != ' ' && line[0] != '}' && colon != line.npos) {
            if (i) all.emplace_back();
            all.back().label = bare(line.substr(0, colon));
        }
        if (starts_with(line, "  br ")) {
            all.back().next = labels_in(line);
            all.back().branch = i;
        }
        all.back().ends |= starts_with(line, "  ret ");
    }
    return all;
}

// Whether a block that goes to the end of the function is a branch of its last statement, `if`
// with or without `else`, or a loop's way out: then no `return` stands there.
bool falls_to(string_view end, const basic_block& one, const std::vector<basic_block>& all) {
    if (starts_with(one.label, "for.cond.cleanup")) return true;
    for (const basic_block& before : all) {
        if (before.next.size() != 2) continue;
        for (int way : {0, 1}) {
            if (before.next[way] != one.label) continue;
            string_view other = before.next[1 - way];
            if (other == end || starts_with(other, "if.else") || starts_with(one.label, "if.else"))
                return true;
        }
    }
    return false;
}

// The lines at which a thread leaves the function by a statement above its end. Where that cannot
// be told it counts as one: no barrier waits for such a thread.
std::set<size_t> leaving(const std::vector<string_view>& body) {
    std::set<size_t> found;
    // clang numbers the ways out of a scope that has something to clean up; 1 leads to the end.
    for (size_t i = 0; i < body.size(); ++i)
        if (starts_with(body[i], "  store i32 1, ptr %cleanup.dest.slot")) found.insert(i);
    const std::vector<basic_block> all = blocks_of(body);
    for (size_t end = 0; end < all.size(); ++end) {
        if (!all[end].ends) continue;
        for (size_t i = 0; i < all.size(); ++i)
            if (all[i].next.size() == 1 && all[i].next[0] == all[end].label && i + 1 != end &&
                !falls_to(all[end].label, all[i], all))
                found.insert(all[i].branch);
    }
    return found;
}

}  // namespace

string early_returns(string_view module, const std::set<string>& kernels) {
    bool any = false;
    string made = with_functions(module, [&](const function& each) -> std::optional<string> {
        if (!kernels.count(string(bare(each.name)))) return std::nullopt;
        std::vector<string_view> body = lines_of(each.body);
        const std::set<size_t> where = leaving(body);
        if (where.empty()) return std::nullopt;
        any = true;
        std::vector<string> lines{string(each.head)};
        for (size_t i = 0; i < body.size(); ++i) {
            if (where.count(i)) lines.push_back(string("  call void @") + names::returns + "()");
            lines.emplace_back(body[i]);
        }
        return joined(lines, "\n");
    });
    if (any) made += string("\ndeclare void @") + names::returns + "() nounwind\n";
    return made;
}

}  // namespace rewriter
