#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace {

constexpr struct {
    string_view old;
    const char* by;
} renames[] = {{"@__assert_fail", emulator_abi::names::assert_fail},
               {"@malloc", emulator_abi::names::device_malloc},
               {"@free", emulator_abi::names::device_free}};

// What the C library offers the host alone; nvcc refuses to compile device code that calls it.
constexpr string_view of_the_host[] = {
    "@rand",         "@srand",   "@random",  "@srandom", "@drand48", "@lrand48", "@time",
    "@gettimeofday", "@getenv",  "@system",  "@exit",    "@_exit",   "@abort",   "@fopen",
    "@fclose",       "@fprintf", "@fflush",  "@fputs",   "@fgets",   "@fread",   "@fwrite",
    "@scanf",        "@sscanf",  "@sprintf", "@qsort",   "@bsearch", "@sleep",   "@usleep",
    "@atoi",         "@atof",    "@strtol",  "@strtod",  "@strcmp",  "@strcpy",  "@strncpy",
    "@snprintf",     "@realloc", "@calloc"};

// Whether a line is of code or data: metadata and comments name nothing that is called.
bool of_program(string_view line) {
    return !line.empty() && line[0] != '!' && line[0] != ';' &&
           !starts_with(line, "source_filename");
}

}  // namespace

string renamed(string_view module) {
    return with_lines(module, [&](string_view line) -> std::optional<string> {
        std::optional<string> made;
        if (!of_program(line)) return made;
        if (starts_with(line, "declare "))
            for (string_view name : of_the_host)
                if (find_symbol(line, name) != line.npos)
                    lacking("the host's function " + string(bare(name)) +
                            ", which device code calls; nvcc refuses that, too");
        for (auto& [old, by] : renames) {
            string_view now = made ? string_view(*made) : line;
            size_t at = find_symbol(now, old);
            if (at == now.npos) continue;
            size_t end = at + old.size();
            // Called later through a pointer, it would be the host's function.
            if (end == now.size() || now[end] != '(') unknown_form("renamed", module, line);
            made = string(now.substr(0, at + 1)) + by + string(now.substr(end));
        }
        return made;
    });
}

string told_arguments(string_view module) {
    constexpr string_view name = "@printf";
    const string print = emulator_abi::names::print;
    return with_lines(module, [&](string_view line) -> std::optional<string> {
        if (!of_program(line) || find_symbol(line, name) == line.npos) return std::nullopt;
        if (starts_with(line, "declare ")) return "declare i32 @" + print + "(i32, ptr, ...)";
        auto found = call_of(line, name);
        constexpr string_view type = "(ptr, ...) ";
        if (!found || !ends_with(found->before, type) ||
            find_symbol(found->rest, name) != line.npos ||
            find_symbol(found->arguments, name) != line.npos)
            unknown_form("told_arguments", module, line);
        string_view before = found->before;
        before.remove_suffix(type.size());
        return string(before) + "(i32, ptr, ...) @" + print + "(i32 " +
               std::to_string(split(found->arguments).size() - 1) + ", " +
               string(found->arguments) + ")" + string(found->rest);
    });
}

}  // namespace rewriter
