// The command: reads files, rewrites, writes files. Exit status: 0 done, 2 bad arguments or files,
// 3 the program needs what the emulator lacks, 4 a form that a rewrite does not know.

#include <cstdio>
#include <cstdlib>

#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace {

constexpr char usage[] =
    "usage: rewriter device DEVICE.ll HOST.ll NEW_DEVICE.ll NEW_HOST.ll TABLES.json [SOURCE]\n"
    "       rewriter optimized MODULE.ll NEW.ll\n"
    "       rewriter checked MODULE.ll NEW.ll TABLES.json\n"
    "       rewriter only REWRITE MODULE.ll NEW.ll\n";

[[noreturn]] void fail(const string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::exit(2);
}

string read_file(const string& name) {
    std::FILE* file = std::fopen(name.c_str(), "rb");
    if (!file) fail("cannot read " + name);
    string text, buffer(1 << 16, '\0');  // not on the stack, which WebAssembly has little of
    for (size_t got; (got = std::fread(&buffer[0], 1, buffer.size(), file)) > 0;)
        text.append(buffer, 0, got);
    std::fclose(file);
    return text;
}

void write_file(const string& name, const string& text) {
    std::FILE* file = std::fopen(name.c_str(), "wb");
    bool done = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (!file || std::fclose(file) != 0 || !done) fail("cannot write " + name);
}

string quoted(string_view text) {
    string made = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') made += '\\';
        made += c;
    }
    return made + "\"";
}

template <typename Range, typename Function>
string list(const Range& range, Function each) {
    std::vector<string> parts;
    for (auto& one : range) parts.push_back(each(one));
    return "[" + joined(parts, ", ") + "]";
}

template <typename Map, typename Function>
string object(const Map& map, Function each) {
    std::vector<string> parts;
    for (auto& [name, value] : map) parts.push_back(quoted(name) + ": " + each(value));
    return "{" + joined(parts, ", ") + "}";
}

string number(long long value) { return std::to_string(value); }
string truth(bool value) { return value ? "true" : "false"; }

string document(const std::vector<std::pair<string, string>>& fields) {
    std::vector<string> rows;
    for (auto& [name, value] : fields) rows.push_back(quoted(name) + ": " + value);
    return "{\n" + joined(rows, ",\n") + "\n}\n";
}

void device_stage(const std::vector<string>& names) {
    device_side made = device(read_file(names[0]), read_file(names[1]));
    shown told;
    if (names.size() > 5) {
        told.arrays = shown_arrays(read_file(names[0]));
        made.module = stepping(made.module, names[5], made.kernels, told);
    }
    write_file(names[2], made.module);
    places host_places(made.host);
    write_file(names[3], host_accesses(made.host, host_places));
    auto sizes = [](auto& all) { return list(all, number); };
    auto pair = [](auto& one) { return "[" + quoted(one.first) + ", " + truth(one.second) + "]"; };
    auto variable = [](auto& one) {
        return "[" + quoted(one.name) + ", " + number(one.first) + ", " + number(one.last) + ", " +
               quoted(one.kind) + "]";
    };
    auto array = [](auto& one) {
        return "[" + number(one.number) + ", " + quoted(one.name) + ", " + quoted(one.kind) + ", " +
               number(one.bytes) + ", " + quoted(one.extents) + "]";
    };
    write_file(names[4], document({{"kernels", list(made.kernels, quoted)},
                                   {"clusters", object(made.told.clusters, sizes)},
                                   {"bounds", object(made.told.bounds, number)},
                                   {"managed", list(made.managed, quoted)},
                                   {"variables", list(made.variables, pair)},
                                   {"kept", list(made.kept, quoted)},
                                   {"host_places", list(host_places.table(), quoted)},
                                   {"lines", list(told.lines, number)},
                                   {"shown", list(told.variables, variable)},
                                   {"arrays", list(told.arrays, array)}}));
}

string after_optimizer(string_view module) {
    return numbered(aligned_copies(frames(without_padding(canonical(module)))));
}

void checked_stage(const std::vector<string>& names) {
    string text = read_file(names[0]);
    places where(text, with_steps(text));
    string module = variables_table(accesses(local_arrays(text, where), where));
    write_file(names[1], module);
    calls all(module);
    std::vector<string> yields, shared;
    for (size_t i = 0;; ++i) {  // one for each kernel
        string start = emulator_abi::names::trampoline_prefix + std::to_string(i);
        if (!all.bodies().count(start)) break;
        yields.push_back(truth(all.yields(start)));
        shared.push_back(list(all.shared(start), number));
    }
    auto as_it_is = [](const string& one) { return one; };
    write_file(names[2], document({{"places", list(where.table(), quoted)},
                                   {"yields", list(yields, as_it_is)},
                                   {"shared", list(shared, as_it_is)},
                                   {"indirect", truth(all.indirect())}}));
}

string checked_accesses(string_view module) {
    places where(module);
    return accesses(module, where);
}

string checked_local_arrays(string_view module) {
    places where(module);
    return local_arrays(module, where);
}

string host_accesses_alone(string_view module) {
    places where(module);
    return host_accesses(module, where);
}

string early_returns_alone(string_view module) {
    std::set<string> all;
    for (const function& each : functions_of(module)) all.insert(string(bare(each.name)));
    return early_returns(module, all);
}

string annotations_alone(string_view module) {
    annotations told;
    return without_annotations(module, told);
}

// The argument of a rewrite that needs one stands in the module's first line: "; a comment".
string first_comment(string_view module) { return string(module.substr(2, module.find('\n') - 2)); }

string stepping_alone(string_view module) {
    shown told;
    string made = stepping(module, first_comment(module), {"kernel"}, told);
    made += "; " + list(told.lines, number) + "\n";
    for (auto& one : told.variables)
        made += "; " + one.name + " " + one.kind + " " + number(one.first) + " to " +
                number(one.last) + "\n";
    return made;
}

string arrays_alone(string_view module) {
    string made;
    for (auto& one : shown_arrays(module))
        made += number(one.number) + " " + one.name + " " + one.kind + " " + number(one.bytes) +
                " [" + one.extents + "]\n";
    return made;
}

string guarded_alone(string_view module) { return guarded(module, first_comment(module)); }

// The host's side follows the device's, after a line "; host".
string managed_alone(string_view both) {
    constexpr string_view between = "\n; host\n";
    const size_t at = both.find(between);
    if (at == both.npos) fail("the host's side is missing");
    string host(both.substr(at + between.size()));
    string made = managed_variable(both.substr(0, at), host, first_comment(both));
    return made + string(between) + host;
}

string quick_checks_alone(string_view module) { return quick_checks(module, word_of(module)); }

string trampoline_alone(string_view module) {
    string kernel = first_comment(module);
    return trampoline(0, kernel, module, argument_names(module, "stub"));
}

string offsets_alone(string_view module) {
    string kernel = first_comment(module);
    const launches made = launches_in(module);
    auto buffer = made.buffers.find(kernel);
    const launches::buffer passed =
        buffer == made.buffers.end() ? launches::buffer() : buffer->second;
    return offsets_table(0, kernel, module, argument_names(module, kernel, passed), made);
}

string named_by_tables_alone(string_view module) {
    return named_by_tables(module, {first_comment(module)});
}

string numbers_of_calls(string_view module) {
    calls all(module);
    return "yields " + truth(all.yields("kernel")) + "\nindirect " + truth(all.indirect()) +
           "\nshared " + list(all.shared("kernel"), number) + "\n";
}

constexpr struct {
    string_view name;
    string (*rewrite)(string_view module);
} rewrites[] = {{"annotations", annotations_alone},
                {"renamed", renamed},
                {"managed_variable", managed_alone},
                {"shared_variables", shared_variables},
                {"special_registers", special_registers},
                {"told_arguments", told_arguments},
                {"saturated", saturated},
                {"without_undefined", without_undefined},
                {"canonical", canonical},
                {"inlined", inlined},
                {"all_checked", all_checked},
                {"trampoline", trampoline_alone},
                {"offsets_table", offsets_alone},
                {"named_by_tables", named_by_tables_alone},
                {"aligned_buffers", aligned_buffers},
                {"named_as_defined", named_as_defined},
                {"registered_plainly", registered_plainly},
                {"early_returns", early_returns_alone},
                {"host_accesses", host_accesses_alone},
                {"guarded", guarded_alone},
                {"stepping", stepping_alone},
                {"arrays", arrays_alone},
                {"without_padding", without_padding},
                {"frames", frames},
                {"aligned_copies", aligned_copies},
                {"numbered", numbered},
                {"local_arrays", checked_local_arrays},
                {"accesses", checked_accesses},
                {"quick_checks", quick_checks_alone},
                {"variables_table", variables_table},
                {"calls", numbers_of_calls}};

void only(const std::vector<string>& names) {
    for (auto& each : rewrites)
        if (names[0] == each.name) return write_file(names[2], each.rewrite(read_file(names[1])));
    fail("there is no rewrite " + names[0]);
}

}  // namespace

}  // namespace rewriter

int main(int count, char** arguments) {
    using namespace rewriter;
    string stage = count > 1 ? arguments[1] : "";
    std::vector<string> names(arguments + (count > 1 ? 2 : count), arguments + count);
    if (stage == "device" && (names.size() == 5 || names.size() == 6))
        device_stage(names);
    else if (stage == "optimized" && names.size() == 2)
        write_file(names[1], after_optimizer(read_file(names[0])));
    else if (stage == "checked" && names.size() == 3)
        checked_stage(names);
    else if (stage == "only" && names.size() == 3)
        only(names);
    else
        fail(usage);
    return 0;
}
