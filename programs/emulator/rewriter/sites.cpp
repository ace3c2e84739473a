#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

string numbered(string_view module) {
    int count = 0;
    return with_lines(module, [&](string_view line) -> std::optional<string> {
        if (!starts_with(line, "  ")) return std::nullopt;
        for (const char* name : emulator_abi::names::with_site) {
            const string symbol = string("@") + name;
            if (find_symbol(line, symbol) == line.npos) continue;
            auto found = call_of(line, symbol);
            size_t last = found ? found->arguments.rfind("i32 ") : string_view::npos;
            if (last == string_view::npos) unknown_form("numbered", module, line);
            cursor read(found->arguments, last + 4);
            auto value = read.number();
            if (value != emulator_abi::no_site || read.peek())
                unknown_form("numbered", module, line);
            int site = emulator_abi::first_site + count++;
            return string(found->before) + string(found->name) + "(" +
                   string(found->arguments.substr(0, last + 4)) + std::to_string(site) + ")" +
                   string(found->rest);
        }
        return std::nullopt;
    });
}

}  // namespace rewriter
