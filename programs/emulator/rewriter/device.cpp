#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace names = emulator_abi::names;

namespace {

struct registration {
    string_view stub;  // the function or variable of the host, with its sign
    string_view name;  // on the device
};

// What the host side registers by calls of this function.
std::vector<registration> registered(string_view host, string_view function) {
    std::map<string_view, string_view> strings = strings_of(host);
    std::vector<registration> found;
    std::set<string_view> seen;
    for (string_view line : lines_of(host)) {
        if (!starts_with(line, "  ") || find_symbol(line, function) == line.npos) continue;
        auto call = call_of(line, function);
        std::vector<string_view> parts = call ? split(call->arguments) : std::vector<string_view>();
        if (parts.size() < 3) unknown_form("device", host, line);
        auto name = strings.find(argument_of(parts[2]).value);
        if (name == strings.end()) unknown_form("device", host, line);
        if (seen.insert(name->second).second)
            found.push_back({argument_of(parts[1]).value, name->second});
    }
    return found;
}

// Lists of what the linker must keep; the names that are kept are told to the optimizer.
string without_used(string_view module) {
    return with_lines(module, [](string_view line) -> std::optional<string> {
        bool used =
            starts_with(line, "@llvm.used = ") || starts_with(line, "@llvm.compiler.used = ");
        return used ? std::optional<string>("") : std::nullopt;
    });
}

string bytes_of(const string& name, string_view type, const string& word) {
    return "@" + name + " = constant " + size_of(type, word) + "\n";
}

}  // namespace

device_side device(string_view device_module, string_view host) {
    device_side made;
    made.host = registered_plainly(host);
    const string word = word_of(device_module);
    std::vector<registration> kernels = registered(host, "@__cudaRegisterFunction");
    std::vector<registration> variables = registered(host, "@__cudaRegisterVar");
    string module = named_as_defined(without_used(without_annotations(device_module, made.told)));
    module = aligned_buffers(renamed(module));
    made.kept.push_back(names::shared_variables);
    for (const string& name : made.told.managed) {
        string bytes = names::managed_bytes_prefix + std::to_string(made.managed.size());
        auto found = find_variable(module, bare(name));
        if (!found) lacking("a managed variable of this form (" + string(bare(name)) + ")");
        string type(found->type);
        module = managed_variable(module, made.host, name) + "\n" + bytes_of(bytes, type, word);
        made.managed.push_back(string(bare(name)));
        made.kept.push_back(bytes);
    }
    for (const registration& each : variables) {
        // One that the device side does not use is not defined there.
        auto found = find_variable(module, each.name);
        if (found && !made.told.managed.count(string(found->name)))
            made.variables.push_back({string(each.name), found->constant});
    }
    module = replaced(module, "externally_initialized constant", "externally_initialized global");
    module = special_registers(shared_variables(module));
    for (const registration& each : kernels) made.kernels.push_back(string(each.name));
    std::set<string> of_host(made.kernels.begin(), made.kernels.end());
    module = early_returns(module, of_host);
    module = all_checked(inlined(without_undefined(saturated(told_arguments(module)))));
    const launches launched = launches_in(module);
    for (auto& [kernel, buffer] : launched.buffers)
        if (!of_host.count(kernel)) made.kernels.push_back(kernel);
    string tables;
    for (size_t number = 0; number < made.kernels.size(); ++number) {
        const string& kernel = made.kernels[number];
        const std::vector<string> given =
            number < kernels.size() ? argument_names(host, bare(kernels[number].stub))
                                    : argument_names(module, kernel, launched.buffers.at(kernel));
        tables += trampoline(int(number), kernel, module, given) +
                  offsets_table(int(number), kernel, module, given, launched);
        for (const char* prefix : {names::trampoline_prefix, names::sizes_prefix,
                                   names::pointers_prefix, names::offsets_prefix})
            made.kept.push_back(prefix + std::to_string(number));
    }
    module = named_by_tables(module, made.kernels) + tables;
    for (size_t number = 0; number < made.variables.size(); ++number) {
        const string& name = made.variables[number].first;
        string alias = names::variable_prefix + std::to_string(number);
        string bytes = names::variable_bytes_prefix + std::to_string(number);
        string type(find_variable(module, name)->type);
        module += "@" + alias + " = alias " + type + ", ptr @\"" + name + "\"\n" +
                  bytes_of(bytes, type, word);
        module = guarded(module, name);
        made.kept.push_back(alias);
        made.kept.push_back(bytes);
    }
    made.module = std::move(module);
    return made;
}

}  // namespace rewriter
