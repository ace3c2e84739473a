// Launches of kernels by kernels, as the compiler makes them: a parameter buffer, into which the
// arguments are stored one after another, and a call that launches.
#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace names = emulator_abi::names;

namespace {

// The functions of the CUDA library for parameter buffers, under the names that the headers give
// them.
const string parameters = string("@") + names::parameters;
const string launch = string("@") + names::launch;
constexpr int buffer_alignment = emulator_abi::parameter_alignment;

string_view result_of(string_view line) {
    cursor read(trimmed(line));
    string_view name = read.symbol('%');
    return read.eat(" = ") ? name : string_view();
}

// A buffer that one function asks for.
struct asked {
    launches::buffer passed;
    std::map<string_view, size_t> arguments;  // by the name of the argument's place
    bool by_compiler = false;
};

// "%3 = getelementptr inbounds i8, ptr %call, i64 8": a place in a buffer.
void note_place(std::map<string_view, asked>& buffers, string_view line) {
    constexpr string_view form = " = getelementptr inbounds i8, ptr ";
    cursor read(trimmed(line));
    string_view place = read.symbol('%');
    if (place.empty() || !read.eat(form)) return;
    auto buffer = buffers.find(read.symbol('%'));
    if (buffer == buffers.end() || (!read.eat(", i64 ") && !read.eat(", i32 "))) return;
    auto offset = read.number();
    if (!offset) return;
    buffer->second.arguments[place] = buffer->second.passed.offsets.size();
    buffer->second.passed.offsets.push_back(*offset);
    buffer->second.passed.filled.push_back(false);
}

void note_stores(std::map<string_view, asked>& buffers, string_view line) {
    string_view instruction = trimmed(line);
    if (!starts_with(instruction, "store ") && !holds(instruction, "@llvm.memcpy")) return;
    for (auto& [name, buffer] : buffers)
        for (auto& [place, argument] : buffer.arguments)
            if (find_symbol(instruction, place) != instruction.npos)
                buffer.passed.filled[argument] = true;
}

void note_launches(launches& made, const function& each, string_view module) {
    std::map<string_view, asked> buffers;
    string_view last;  // asked for in the line before
    for (string_view line : lines_of(each.body)) {
        if (!last.empty())
            buffers[last].by_compiler = holds(line, "icmp ne ptr " + string(last) + ", null");
        last = {};
        if (call_of(line, parameters)) {
            last = result_of(line);
            if (!last.empty()) buffers[last];
            continue;
        }
        if (buffers.empty() && find_symbol(line, launch) == line.npos) continue;
        note_place(buffers, line);
        note_stores(buffers, line);
        if (find_symbol(line, launch) == line.npos) continue;
        auto call = call_of(line, launch);
        std::vector<string_view> parts = call ? split(call->arguments) : std::vector<string_view>();
        if (parts.size() < 6) unknown_form("launches_in", module, line);
        string_view kernel = argument_of(parts[0]).value;
        auto buffer = buffers.find(argument_of(parts[1]).value);
        if (kernel.empty() || kernel[0] != '@') continue;  // one that a variable names
        if (buffer != buffers.end() && buffer->second.by_compiler)
            made.buffers[string(bare(kernel))] = buffer->second.passed;
        else
            made.by_hand.insert(string(bare(kernel)));
    }
}

std::vector<string_view> parameters_of(string_view module, string_view kernel) {
    for (const function& each : functions_of(module)) {
        if (bare(each.name) != kernel) continue;
        size_t open = size_t(each.name.data() - each.head.data()) + each.name.size();
        size_t end = balanced(each.head, open);
        std::vector<string_view> found = split(each.head.substr(open + 1, end - open - 2));
        if (found.size() == 1 && trimmed(found[0]).empty()) found.clear();
        return found;
    }
    lacking("a kernel without a definition (" + string(kernel) + ")");
}

string_view name_of(string_view parameter) {
    return bare(parameter.substr(parameter.rfind(' ') + 1));
}

// The bytes of a type that has the same alignment, or 0.
int bytes_of(string_view type, string_view module) {
    if (type == "ptr") return word_of(module) == "i64" ? 8 : 4;
    if (type == "i1" || type == "i8") return 1;
    if (type == "i16") return 2;
    if (type == "i32" || type == "float") return 4;
    if (type == "i64" || type == "double") return 8;
    return 0;
}

}  // namespace

launches launches_in(string_view module) {
    launches made;
    for (const function& each : functions_of(module))
        if (find_symbol(each.body, launch) != each.body.npos) note_launches(made, each, module);
    return made;
}

string aligned_buffers(string_view module) {
    if (find_symbol(module, parameters) == module.npos) return string(module);
    std::set<string_view> buffers, first;  // places of first arguments
    return with_lines(module, [&](string_view line) -> std::optional<string> {
        if (starts_with(line, "define ")) {
            buffers.clear();
            first.clear();
        }
        if (!starts_with(line, "  ")) return std::nullopt;
        string_view result = result_of(line);
        if (call_of(line, parameters)) buffers.insert(result);
        if (!result.empty() && ends_with(line.substr(0, line.find(", !dbg")), " 0") &&
            holds(line, " = getelementptr inbounds i8, ptr %"))
            for (string_view buffer : buffers)
                if (find_symbol(line, buffer) != line.npos) first.insert(result);
        if (result.empty() && holds(line, "align 64"))
            for (string_view place : first)
                if (find_symbol(line, place) != line.npos)
                    return replaced(line, "align 64", "align " + std::to_string(buffer_alignment));
        return std::nullopt;
    });
}

std::vector<string> argument_names(string_view module, string_view kernel,
                                   const launches::buffer& passed) {
    std::vector<string> names, all;
    for (string_view parameter : parameters_of(module, kernel)) {
        string_view name = name_of(parameter);
        if (ends_with(name, ".coerce1")) continue;  // the second half of the one before
        for (string_view part : {".coerce", ".coerce0"})
            if (ends_with(name, part)) name.remove_suffix(part.size());
        bool without_name = name.find_first_not_of("0123456789") == name.npos;
        names.push_back(without_name ? string() : string(name));
    }
    if (passed.filled.empty()) return names;
    size_t next = 0;
    for (bool filled : passed.filled)
        all.push_back(filled && next < names.size() ? names[next++] : "an empty object");
    if (next != names.size())
        lacking("a kernel that only kernels launch, with such arguments (" + string(kernel) + ")");
    return all;
}

string offsets_table(int number, string_view kernel, string_view module,
                     const std::vector<string>& given, const launches& made) {
    std::vector<string> offsets;
    auto buffer = made.buffers.find(string(kernel));
    if (buffer != made.buffers.end()) {
        for (long long offset : buffer->second.offsets)
            offsets.push_back("i32 " + std::to_string(offset));
    } else {
        std::vector<string_view> all = parameters_of(module, kernel);
        long long end = 0;
        bool plain = all.size() == given.size();
        for (string_view parameter : all) {
            int bytes = bytes_of(argument_of(parameter).type, module);
            plain = plain && bytes && !holds(parameter, "byval(") &&
                    name_of(parameter).find(".coerce") == string_view::npos;
            if (!plain) break;
            end = (end + bytes - 1) / bytes * bytes;
            offsets.push_back("i32 " + std::to_string(end));
            end += bytes;
        }
        if (!plain) offsets.clear();
        if (!plain && made.by_hand.count(string(kernel)))
            lacking("a call of cudaLaunchDevice for a kernel that takes structures (" +
                    string(kernel) + ")");
    }
    offsets.push_back("i32 -1");
    return "@" + (names::offsets_prefix + std::to_string(number)) + " = constant [" +
           std::to_string(offsets.size()) + " x i32] [" + joined(offsets, ", ") + "]\n";
}

string named_by_tables(string_view module, const std::vector<string>& kernels) {
    const auto renamed = [&](string text) {
        for (size_t number = 0; number < kernels.size(); ++number)
            for (const string& symbol : {"@" + kernels[number], "@\"" + kernels[number] + "\""})
                if (find_symbol(text, symbol) != text.npos)
                    text = replace_symbol(text, symbol,
                                          "@" + (names::sizes_prefix + std::to_string(number)));
        return text;
    };
    string made = with_functions(module, [&](const function& each) -> std::optional<string> {
        if (each.body.find('@') == each.body.npos) return std::nullopt;
        return string(each.head) + "\n" + renamed(string(each.body));
    });
    return with_lines(made, [&](string_view line) -> std::optional<string> {
        auto variable = starts_with(line, "@") ? variable_of(line) : std::nullopt;
        if (!variable || variable->declared_only()) return std::nullopt;
        size_t rest = line.size() - variable->rest.size();
        return string(line.substr(0, rest)) + renamed(string(variable->rest));
    });
}

string registered_plainly(string_view host) {
    constexpr string_view name = "@__cudaRegisterLinkedBinary";
    string made(host);
    for (size_t at = 0; (at = made.find(name, at)) != made.npos; at += name.size())
        made.erase(at + name.size(), symbol_end(made, at) - at - name.size());
    return made;
}

}  // namespace rewriter
