#include <algorithm>

#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace names = emulator_abi::names;

namespace {

// The definition of a function, by its name without sign and quotes.
std::optional<function> definition(string_view module, string_view name) {
    for (const function& each : functions_of(module))
        if (bare(each.name) == name) return each;
    return std::nullopt;
}

bool all_digits(string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// The same name without what the compiler puts after it: ".addr" and a number.
string_view without_address(string_view slot) {
    size_t at = slot.rfind(".addr");
    if (at == slot.npos) return slot;
    string_view number = slot.substr(at + 5);
    return number.empty() || all_digits(number) ? slot.substr(0, at) : slot;
}

struct store {
    string_view value, slot;  // names with their sign
};

// A store of one named value into a named place.
std::optional<store> store_of(string_view line) {
    cursor read(trimmed(line));
    if (!read.eat("store ")) return std::nullopt;
    read.type();
    if (!read.eat(" ")) return std::nullopt;
    store made{read.symbol('%'), {}};
    if (made.value.empty() || !read.eat(", ptr ")) return std::nullopt;
    made.slot = read.symbol('%');
    return made.slot.empty() ? std::nullopt : std::optional(made);
}

string in_quotes(const std::vector<string>& all) {
    std::vector<string> parts;
    for (const string& one : all) parts.push_back("'" + one + "'");
    return "[" + joined(parts, ", ") + "]";
}

// What a structure is made of, as the module says; other types are themselves.
string_view defined_type(string_view module, string_view type) {
    if (type.empty() || type[0] != '%') return type;
    string begin = "\n" + string(type) + " = type ";
    size_t at = module.find(begin);
    if (at == module.npos) return {};
    at += begin.size();
    return module.substr(at, module.find('\n', at) - at);
}

// The places of all pointers in a type: indices into it, as an instruction names them.
void pointers_in(string_view module, string_view type, const string& path,
                 std::vector<string>& found) {
    constexpr long long most_elements = 256;  // of an array: the later ones are not looked at
    string_view made = defined_type(module, type);
    if (made == "ptr") found.push_back(path);
    if (starts_with(made, "<{")) made = made.substr(1, made.size() - 2);
    if (starts_with(made, "{")) {
        long long index = 0;
        for (string_view field : split(made.substr(1, made.size() - 2)))
            pointers_in(module, trimmed(field), path + ", i32 " + std::to_string(index++), found);
    } else if (starts_with(made, "[")) {
        cursor read(made, 1);
        long long count = std::min(read.number().value_or(0), most_elements);
        read.eat(" x ");
        string_view element = read.rest();
        element.remove_suffix(1);
        for (long long i = 0; i < count && holds(module, "ptr"); ++i)
            pointers_in(module, element, path + ", i32 " + std::to_string(i), found);
    }
}

}  // namespace

std::vector<string> argument_names(string_view host, string_view stub) {
    auto found = definition(host, stub);
    if (!found) lacking("a kernel without a stub (" + string(stub) + ")");
    constexpr string_view array = "%kernel_args";
    std::map<string_view, long long> places;  // of the array: what points into it, and how far
    std::set<string_view> taken;  // the parameters' names
    std::set<string_view>
        referred;  // those of objects that lie elsewhere: how many bytes is not known here
    std::map<string_view, string_view>
        kept;  // by place on the stack, the parameter that is kept there
    for (string_view parameter : split(found->head.substr(found->head.find('('))))
        for (size_t at = 0; (at = parameter.find('%', at)) != parameter.npos; ++at) {
            string_view name = bare(parameter.substr(at, symbol_end(parameter, at) - at));
            taken.insert(name);
            if (!holds(parameter, "byval(")) referred.insert(name);
        }
    std::vector<string_view> lines = lines_of(found->body);
    for (string_view line : lines) {
        cursor read(trimmed(line));
        string_view name = read.symbol('%');
        if (!name.empty() && read.eat(" = ")) {
            if (read.eat("alloca") && starts_with(name, array)) places[name] = 0;
            size_t from = line.find("ptr %kernel_args");
            if (read.eat("getelementptr ") && from != line.npos) {
                size_t comma = line.find(", i", from);
                if (comma == line.npos) continue;
                cursor index(line, comma + 3);
                index.number();
                index.eat(" ");
                if (auto offset = index.number()) places[name] = *offset;
            }
        }
        auto kept_here = store_of(line);
        if (kept_here && taken.count(bare(kept_here->value)) &&
            !without_address(bare(kept_here->slot)).empty() &&
            without_address(bare(kept_here->slot)) != bare(kept_here->slot))
            kept[bare(kept_here->slot)] = bare(kept_here->value);
    }
    std::map<long long, string> named;
    for (string_view line : lines) {
        auto passed = store_of(line);
        if (!passed || !starts_with(trimmed(line), "store ptr ")) continue;
        auto place = places.find(passed->slot);
        if (place == places.end()) continue;
        // An address that is passed on as it came is that of an object.
        if (referred.count(bare(passed->value)))
            lacking("a kernel argument of a class with a destructor (" +
                    string(bare(passed->value)) + ")");
        auto parameter = kept.find(bare(passed->value));
        named[place->second] = string(
            parameter != kept.end() ? parameter->second : without_address(bare(passed->value)));
    }
    long long width = word_of(host) == "i64" ? 8 : 4;
    std::vector<string> all;
    for (auto& [offset, name] : named) {
        if (offset != width * (long long)all.size()) unknown_form("trampoline", host, found->head);
        all.push_back(name);
    }
    return all;
}

string trampoline(int number, string_view kernel, string_view module,
                  const std::vector<string>& given) {
    auto found = definition(module, kernel);
    if (!found) lacking("a kernel without a definition (" + string(kernel) + ")");
    size_t open = size_t(found->name.data() - found->head.data()) + found->name.size();
    std::vector<string_view> parameters =
        split(found->head.substr(open + 1, balanced(found->head, open) - open - 2));
    std::vector<string> lines, arguments, pointers;
    std::vector<string> sizes(given.size(), "i32 1");  // an empty object is passed to no one
    size_t unnamed = 0;
    for (size_t i = 0; i < parameters.size(); ++i) {
        string_view parameter = parameters[i];
        string_view name = bare(parameter.substr(parameter.rfind(' ') + 1)), wanted = name;
        for (string_view part : {".coerce", ".coerce0", ".coerce1"})
            if (ends_with(name, part)) wanted = name.substr(0, name.size() - part.size());
        bool without_name = all_digits(name);
        if (without_name) wanted = {};
        size_t skip = without_name ? unnamed++ : 0, place = 0;
        for (; place < given.size(); ++place)
            if (given[place] == wanted && skip-- == 0) break;
        if (place == given.size())
            lacking("a kernel argument of this form (" + string(kernel) + ": " + string(name) +
                    " among " + in_quotes(given) + ")");
        if (holds(parameter, "dead_on_return"))
            lacking("a kernel argument that is copied by a constructor of its own (" +
                    string(name) + ")");
        string n = std::to_string(i), kind(argument_of(parameter).type);
        size_t by_value = parameter.find("byval(");
        if (by_value != parameter.npos) kind = *cursor(parameter, by_value + 5).brackets();
        bool second_half = ends_with(name, ".coerce1");  // of a small structure
        sizes[place] = second_half ? "i32 16" : size_of(kind, "i32");
        if (kind == "ptr" && by_value == parameter.npos)
            pointers.push_back("i32 " + std::to_string(place) +
                               (second_half ? ", i32 8" : ", i32 0"));
        lines.push_back("  %p" + n + " = getelementptr ptr, ptr %a, i32 " + std::to_string(place) +
                        "\n  %q" + n + " = load ptr, ptr %p" + n);
        if (by_value != parameter.npos) {
            std::vector<string> paths;
            pointers_in(module, kind, "i32 0", paths);
            for (const string& path : paths)
                pointers.push_back("i32 " + std::to_string(place) +
                                   ", i32 ptrtoint (ptr getelementptr (" + kind + ", ptr null, " +
                                   path + ") to i32)");
            size_t align = parameter.find("align ");
            auto alignment = align == parameter.npos ? 8 : cursor(parameter, align + 6).number();
            arguments.push_back("ptr byval(" + kind + ") align " +
                                std::to_string(alignment.value_or(8)) + " %q" + n);
            continue;
        }
        lines.push_back("  %r" + n + " = getelementptr i8, ptr %q" + n + ", i32 " +
                        (second_half ? "8" : "0") + "\n  %v" + n + " = load " + kind + ", ptr %r" +
                        n + ", align 1");
        arguments.push_back(kind + " %v" + n);
    }
    string count = std::to_string(sizes.size() + 1);
    sizes.push_back("i32 -1");
    pointers.push_back("i32 -1");
    return "\n@" + (names::sizes_prefix + std::to_string(number)) + " = constant [" + count +
           " x i32] [" + joined(sizes, ", ") + "]\n@" + names::pointers_prefix +
           std::to_string(number) + " = constant [" + std::to_string(2 * pointers.size() - 1) +
           " x i32] [" + joined(pointers, ", ") + "]\ndefine void @" + names::trampoline_prefix +
           std::to_string(number) + "(ptr %a) {\n" + joined(lines, "\n") + "\n  call void @\"" +
           string(kernel) + "\"(" + joined(arguments, ", ") + ")\n  ret void\n}\n";
}

}  // namespace rewriter
