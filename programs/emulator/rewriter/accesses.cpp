#include "accesses.hpp"

#include "../runtime/abi.hpp"

namespace rewriter {

namespace names = emulator_abi::names;

namespace {

// What the sanitizer puts in that no check of the emulator needs.
constexpr struct {
    string_view name, reason;
} left_out[] = {
    {"init", "the emulator's runtime needs no start by the sanitizer's"},
    {"func_entry", "the emulator knows the place of an access, not the calls that led there"},
    {"func_exit", "as before"},
    {"ignore_thread_begin", "around code that the sanitizer itself made"},
    {"ignore_thread_end", "as before"},
    {"vptr_update", "a constructor's pointer to its functions: no program can name it"},
    {"vptr_read", "as before"},
};

// Functions of the C library that write to where an argument points, and how many bytes.
constexpr struct {
    string_view name;
    int bytes;
} writing[] = {{"@sincosf", 4}, {"@sincos", 8}, {"@frexpf", 4},  {"@frexp", 4},
               {"@modff", 4},   {"@modf", 8},   {"@remquof", 4}, {"@remquo", 4}};

constexpr const char* own_variables[] = {names::thread, names::block, names::block_size,
                                         names::grid_size};

// Reads one module, line by line.
class instrumented {
public:
    instrumented(string_view module, places& where) : module_(module), where_(where) {
        for (string_view line : lines_of(module))
            if (starts_with(line, "declare ")) note_declaration(line);
    }

    string rewritten() {
        std::vector<string_view> text = lines_of(module_);
        for (size_t i = 0; i < text.size(); ++i)
            line(text[i], i + 1 < text.size() ? text[i + 1] : string_view());
        return joined(lines_, "\n");
    }

private:
    string place(string_view text) {
        return "i32 " + std::to_string(where_.number(debug_location(text)));
    }
    // Functions that were compiled elsewhere, and may touch memory that they get an address of.
    void note_declaration(string_view line) {
        size_t at = line.find('@');
        if (at == line.npos) return;
        string_view name = line.substr(at, symbol_end(line, at) - at);
        size_t close = balanced(line, at + name.size());
        // The emulator's own check by themselves; LLVM's the sanitizer looks at; names in C++ are
        // of the program: it does not link without their definition.
        for (string_view known : {"@__emu_", "@llvm.", "@__tsan_", "@_Z"})
            if (starts_with(name, known)) return;
        for (auto& each : writing)
            if (name == each.name) return;
        if (close != line.npos && holds(line.substr(at, close - at), "ptr")) unseen_.insert(name);
    }
    void line(string_view text, string_view following);
    string sanitizer_call(string_view text, const call& found, int leeway);
    void library_calls(string_view text);
    void division(string_view text);

    string_view module_;
    places& where_;
    std::set<string_view> unseen_;
    std::vector<string> lines_;
};

// A read of threadIdx and its like, which are the runtime's own variables.
bool of_block(string_view name, string_view arguments) {
    if (!starts_with(name, "read") && !starts_with(name, "unaligned_read")) return false;
    if (holds(name, "write")) return false;
    for (string_view symbol : global_symbols(arguments))
        for (const char* own : own_variables)
            if (bare(symbol) == own) return true;
    return false;
}

void instrumented::line(string_view text, string_view following) {
    constexpr string_view mark = "@__tsan_";
    if (starts_with(text, "declare ") && holds(text, mark)) return;
    if (starts_with(text, "@llvm.global_ctors") && holds(text, "tsan")) {
        if (!starts_with(text, "@llvm.global_ctors = appending global [1 x "))
            unknown_form("accesses", module_, text);
        return;  // the sanitizer's own beginning
    }
    if (!starts_with(text, "  ")) {
        lines_.emplace_back(text);
        return;
    }
    int leeway = 0;
    cursor next(following);
    next.eat("  ");
    string_view loaded = next.symbol('%');
    if (starts_with(loaded, "%bf.load")) leeway |= emulator_abi::access_bit_field;
    // With no type after it, such a load copies a structure in one piece.
    if (!loaded.empty() && next.eat(" = load ") && !holds(following, "!tbaa"))
        for (string_view type : {"i16, ", "i32, ", "i64, "})
            if (next.eat(type)) leeway |= emulator_abi::access_padded;
    library_calls(text);
    division(text);
    if (call_of(text, string("@") + names::launch))
        lines_.push_back(string("  call void @") + names::launch_place + "(" + place(text) + ")");
    for (string& check : wide_access(module_, text, lines_.size(), [&] { return place(text); }))
        lines_.push_back(std::move(check));
    auto found = call_of(text, mark, false);
    if (found) {
        string_view name = found->name.substr(mark.size());
        if (of_block(name, found->arguments)) return;
        for (auto& each : left_out)
            if (name == each.name) return;
        lines_.push_back(sanitizer_call(text, *found, leeway));
        return;
    }
    if (holds(text, mark)) unknown_form("accesses", module_, text);
    const string aligned = string("@") + names::aligned;
    if (auto check = call_of(text, aligned)) {
        string_view arguments = check->arguments;
        if (!ends_with(arguments, ", i32 0")) unknown_form("accesses", module_, text);
        arguments.remove_suffix(5);
        lines_.push_back(string(check->before) + aligned + "(" + string(arguments) +
                         place(check->rest) + ")" + string(check->rest));
        return;
    }
    lines_.emplace_back(text);
}

string instrumented::sanitizer_call(string_view text, const call& found, int leeway) {
    cursor read(found.name, string_view("@__tsan_").size());
    string before(found.before), arguments(found.arguments), rest(found.rest);
    for (string_view moved : {"memcpy", "memmove", "memset"})
        if (read.rest() == moved)
            return before + "@" + (moved == "memset" ? names::fill : names::copy) + "(" +
                   arguments + ", " + place(rest) + ")" + rest;
    int code = leeway;
    if (read.eat("unaligned_")) code |= emulator_abi::access_unaligned;
    if (read.eat("volatile_")) code |= emulator_abi::access_volatile;
    if (read.eat("read_write") || read.eat("write"))
        code |= emulator_abi::access_write;
    else if (!read.eat("read"))
        unknown_form("accesses", module_, text);
    auto bytes = read.number();
    if (!bytes || read.peek() || !ends_with(before, "call void ") ||
        !starts_with(arguments, "ptr "))
        unknown_form("accesses", module_, text);
    return checked_access(before, arguments, int(*bytes), code, place(rest), rest);
}

void instrumented::library_calls(string_view text) {
    if (!holds(text, "@")) return;
    for (auto& each : writing) {
        if (find_symbol(text, each.name) == text.npos) continue;
        auto found = call_of(text, each.name);
        if (!found) unknown_form("accesses", module_, text);
        for (string_view given : split(found->arguments))
            if (argument_of(given).type == "ptr")
                lines_.push_back(string("  call void @") + names::access + "(" + string(given) +
                                 ", i32 " + std::to_string(each.bytes) + ", i32 " +
                                 std::to_string(emulator_abi::access_write) + ", " + place(text) +
                                 ")");
    }
    for (string_view name : unseen_)
        if (find_symbol(text, name) != text.npos) unknown_form("accesses", module_, text);
}

void instrumented::division(string_view text) {
    cursor read(text, 2);
    if (read.symbol('%').empty() || !read.eat(" = ")) return;
    if (!read.eat("sdiv ") && !read.eat("udiv ") && !read.eat("srem ") && !read.eat("urem "))
        return;
    read.eat("exact ");
    string_view type = read.type();
    std::vector<string_view> operands = split(read.rest());
    if (operands.size() < 2) unknown_form("accesses", module_, text);
    if (operands[1][0] != '%') return;  // a constant, which the optimizer has looked at
    if (type.empty() || type[0] != 'i') unknown_form("accesses", module_, text);
    string zero = "%emu.zero" + std::to_string(lines_.size());
    lines_.push_back("  " + zero + " = icmp eq " + string(type) + " " + string(operands[1]) +
                     ", 0");
    lines_.push_back(string("  call void @") + names::divisor + "(i1 zeroext " + zero + ", " +
                     place(text) + ")");
}

}  // namespace

string checked_access(string_view before, string_view pointer, int bytes, int code,
                      const string& place, string_view rest) {
    string size = std::to_string(bytes), kind = std::to_string(code), begin(before);
    string given(pointer), end(rest);
    if (!(code & emulator_abi::access_volatile))
        return begin + "@" + names::quick_access_prefix + size + "_" + kind + "(" + given + ", " +
               place + ")" + end;
    string check = begin + "@" + names::access + "(" + given + ", i32 " + size + ", i32 " + kind +
                   ", " + place + ")" + end;
    if (code & emulator_abi::access_write) return check;
    // Others may have to go on before this memory changes.
    return check + "\n  call void @" + names::look + "()" + end;
}

string accesses(string_view module, places& where) {
    string word = word_of(module), made = instrumented(module, where).rewritten();
    auto declared = [](const char* result, const char* name, const string& parameters) {
        return string("declare ") + result + " @" + name + "(" + parameters + ")\n";
    };
    return made + quick_checks(made, word) + "\n" +
           declared("void", names::access, "ptr, i32, i32, i32") +
           declared("void", names::look, "") + declared("void", names::launch_place, "i32") +
           declared("void", names::divisor, "i1 zeroext, i32") +
           declared("ptr", names::copy, "ptr, ptr, " + word + ", i32") +
           declared("ptr", names::fill, "ptr, i32, " + word + ", i32");
}

}  // namespace rewriter
