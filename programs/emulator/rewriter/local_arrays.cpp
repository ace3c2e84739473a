#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace {

namespace names = emulator_abi::names;

// An address inside of an array; `open` if its place in the array is known at run time only.
struct inside {
    string_view array, type;
    bool open;
};

// Reads one function, line by line.
class local_function {
public:
    local_function(string_view module, places& where, string_view word)
        : module_(module), where_(where), word_(word) {}

    string rewritten(string_view body) {
        for (string_view line : lines_of(body)) {
            note_array(line);
            access(line);
            note_address(line);
            lines_.emplace_back(line);
        }
        return joined(lines_, "\n");
    }

private:
    void note_array(string_view line);
    void note_address(string_view line);
    void access(string_view line);

    string_view module_;
    places& where_;
    string_view word_;
    std::vector<string> lines_;
    std::map<string_view, inside> addresses_;
};

void local_function::note_array(string_view line) {
    auto found = stack_variable_of(line);
    // One of many has a length that the line tells in another way: it is left alone.
    if (!found || found->type.empty() || found->counted) return;
    if (string_view("[%{<").find(found->type[0]) != string_view::npos)
        addresses_[found->name] = {found->name, found->type, false};
}

void local_function::note_address(string_view line) {
    cursor read(line);
    if (!read.eat("  ")) return;
    string_view result = read.symbol('%');
    if (result.empty() || !read.eat(" = getelementptr ")) return;
    for (bool more = true; more;)
        more = read.eat("inbounds ") || read.eat("nuw ") || read.eat("nusw ");
    if (read.eat("inrange")) return;  // of a table of functions
    read.type();
    if (!read.eat(", ptr ")) {
        if (!holds(read.rest(), " x ptr> ")) unknown_form("local_arrays", module_, line);
        return;  // several addresses at once, which no code of a single thread has
    }
    auto base = addresses_.find(read.symbol('%'));
    if (base == addresses_.end()) return;
    string_view indices = read.rest().substr(0, read.rest().find(", !"));
    inside made = base->second;
    made.open = made.open || holds(indices, "%");
    addresses_[result] = made;
}

void local_function::access(string_view line) {
    cursor read(line);
    if (!read.eat("  ")) return;
    string_view type, address;
    bool write = read.eat("store ");
    if (write) {
        read.eat("volatile ");
        std::vector<string_view> parts = split(read.rest());
        cursor value(parts[0]);
        type = value.type();
        if (parts.size() < 2) unknown_form("local_arrays", module_, line);
        cursor to(trimmed(parts[1]));
        if (to.eat("ptr ")) address = to.symbol('%');
    } else {
        if (read.symbol('%').empty() || !read.eat(" = load ")) return;
        read.eat("volatile ");
        type = read.type();
        if (read.eat(", ptr ")) address = read.symbol('%');
    }
    auto found = addresses_.find(address);
    if (found == addresses_.end() || !found->second.open) return;
    lines_.push_back(string("  call void @") + names::local + "(ptr " + string(address) + ", ptr " +
                     string(found->second.array) + ", " + size_of(found->second.type, word_) +
                     ", " + size_of(type, word_) + ", i32 " + (write ? "1" : "0") + ", i32 " +
                     std::to_string(where_.number(debug_location(line))) + ")");
}

}  // namespace

string local_arrays(string_view module, places& where) {
    const string word = word_of(module);
    string made = with_functions(module, [&](const function& each) -> std::optional<string> {
        if (!holds(each.body, " = alloca ")) return std::nullopt;
        return string(each.head) + "\n" + local_function(module, where, word).rewritten(each.body);
    });
    return made + "\ndeclare void @" + names::local + "(ptr, ptr, " + word + ", " + word +
           ", i32, i32)\n";
}

}  // namespace rewriter
